#!/bin/sh
# The layering check fails on what it has to, and on nothing else.
. "$(dirname "$0")/lib.sh"

layers() {
    run "$top/tests/layers.sh" src include
}

plant include/cprof/cprof.h <<'END'
#include <stddef.h>
END
plant src/base/str.h <<'END'
#include <string.h>
END
plant src/model/name.c <<'END'
#include <xxhash.h>

#include "cprof/cprof.h"

#include "base/str.h"

/* A comment may say exit(1), getenv("x") and stderr. */
static const char text[] = "exit(1) to stderr"; // time(NULL)
int f(struct s *s) { return s->time(1) + s->stderr + name_exit(); }
END
plant src/cli/main.c <<'END'
#include <stdlib.h>

#include "report/report.h"

int main(void) { fprintf(stderr, "x"); exit(getenv("A") != 0); }
END
layers
expect "a tidy house passes" 0 "4 passed, 0 failed"

plant src/base/bad.c <<'END'
#include "base/str.h"
#include "model/name.h"
END
layers
expect "a room that looks up is named with file and folder" 1 \
    "src/base/bad.c:2: base includes model/name.h, but may not know model" \
    "4 passed, 1 failed"

echo '#include "read/read.h"' | plant src/base/bad.c
echo '#include <rules/rules.h>' | plant src/analysis/bad.c
layers
expect "every breach is counted, in angle brackets too" 1 \
    "base includes read/read.h" "analysis includes rules/rules.h" \
    "4 passed, 2 failed"
rm -r "$dir/src/analysis"

echo '#include "str.h"' | plant src/base/bad.c
layers
expect "an include needs its folder" 1 "str.h without its folder"

echo '#include "util/str.h"' | plant src/base/bad.c
layers
expect "a folder that is no room is none in an include" 1 "util is no room"

echo 'int x;' | plant src/util/x.c
rm "$dir/src/base/bad.c"
layers
expect "a new folder of src/ needs its place in the table" 1 \
    "'util' is no room"
rm -r "$dir/src/util"

for pair in curl/curl.h:fetch sqlite3.h:model yaml.h:read pcre2.h:analysis \
    zlib.h:format protobuf-c/protobuf-c.h:export jansson.h:rules \
    xxhash.h:report; do
    room=${pair#*:}
    echo "#include <${pair%:*}>" | plant "src/$room/bad.c"
    layers
    expect "${pair%:*} is not for $room" 1 "$room includes <${pair%:*}>"
    rm "$dir/src/$room/bad.c"
done

for use in 'fputs(a, stderr);' 'exit (1);' 'x = getenv("A");' 't = time(0);' \
    'clock_gettime(a, b);' 'printf("a");' 'if (isatty(1))'; do
    echo "void f(void) { $use }" | plant src/base/bad.c
    layers
    expect "only cli: $use" 1 "src/base/bad.c:1: base uses" "which only cli may"
done
rm "$dir/src/base/bad.c"

printf '/* begins\nexit(1); */ exit(2);\n' | plant src/base/bad.c
layers
expect "code behind a comment is seen" 1 "src/base/bad.c:2: base uses exit"
rm "$dir/src/base/bad.c"

echo '#include "base/str.h"' | plant include/cprof/cprof.h
layers
expect "the public header keeps out of the house" 1 "inside the house"

finish
