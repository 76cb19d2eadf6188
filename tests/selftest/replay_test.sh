#!/bin/sh
# The driver of fuzz targets runs every file and every beginning of it, and
# names the input on which a target dies.
. "$(dirname "$0")/lib.sh"

# A target that dies on an input of five bytes that begins with "d", and counts
# on standard error otherwise.
plant target.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 5 && data[0] == 'd')
        abort();
    fprintf(stderr, "<%.*s>\n", (int)size, (const char *)data);
    return 0;
}
END
run $cc -std=c17 -D_GNU_SOURCE -o toy_fuzz target.c \
    "$top/tests/fuzz/driver.c"
expect "the driver compiles" 0

# Runs a command and joins the lines that it prints.
joined() {
    run "$@"
    tr -d '\n' <"$dir/.out" >"$dir/joined"
    mv "$dir/joined" "$dir/.out"
}

printf abc | plant corpus/toy/below/one
joined ./toy_fuzz corpus/toy
expect "a file, whole and cut to every length" 0 "<abc><><a><ab>" \
    "1 files, 4 inputs"
printf abcdefgh | plant corpus/toy/two
joined ./toy_fuzz --cuts 4 corpus/toy/two
expect "no more cuts than allowed, half of them the first" 0 \
    "<abcdefgh><><a><ab><abcde>" "1 files, 5 inputs"
joined ./toy_fuzz --cuts 0 corpus/toy/two --cuts 1 corpus/toy/below
expect "cuts count for the paths behind them" 0 "<abcdefgh><abc><>" \
    "2 files, 3 inputs"
joined ./toy_fuzz --part 1/2 --cuts 0 corpus/toy
expect "a part of the files" 0 "<abcdefgh>" "1 files, 1 inputs"
run ./toy_fuzz nowhere
expect "a path that is wrong" 2 "nowhere" "0 files"
mkdir "$dir/nothing"
run ./toy_fuzz nothing
expect "no input at all is no success" 2 "0 files, 0 inputs"
printf dabcdefg | plant corpus/toy/three
run ./toy_fuzz corpus/toy
expect "where it died" 134 "driver: died on the first 5 of corpus/toy/three"

cp "$top/tests/fuzz/replay.sh" "$dir"
run ./replay.sh ./toy_fuzz
expect "a target that dies is a failed test" 1 "FAIL  toy: status 134" \
    "died on the first 5" "0 passed, 1 failed"
rm "$dir/corpus/toy/three"
run ./replay.sh --cuts 1 ./toy_fuzz
expect "a file that runs is a passed test" 0 "2 files, 4 inputs" \
    "2 passed, 0 failed"
printf abcdef | plant found/toy/four
run ./replay.sh --cuts 1 ./toy_fuzz
expect "what was found is run whole" 0 "3 files, 5 inputs"
rm -r "$dir/corpus"
run ./replay.sh ./toy_fuzz
expect "a target without inputs is a failed test" 1 "0 passed, 1 failed"
run ./replay.sh
expect "no target at all is no success" 2 "no fuzz target"

finish
