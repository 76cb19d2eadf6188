#!/bin/sh
# coverage.sh BUILD OUT - which lines of the code that reads strangers' bytes
# the tests run: for each file of the rooms below how many lines there are, and
# how many of them, in lines and percent, the stored fuzz inputs leave out, and
# all tests of what is read, with FAULTS (100) of the faults of a case. The
# programs in BUILD were compiled with clang's coverage mapping and write their
# counts to OUT/raw, where what stands in OUT before is removed. OUT/replay and
# OUT/all get each file's text with the counts. The status is 1 when the stored
# inputs leave out more than MOST percent of some file; MOST is 100 unless it is
# set, so that the table alone fails nothing.
set -u

build=$1
out=$2
most=${MOST:-100}
faults=${FAULTS:-100}
here=$(dirname "$0")
cov=${LLVM_COV:-llvm-cov}
profdata=${LLVM_PROFDATA:-llvm-profdata}
rm -rf "$out"
mkdir -p "$out/raw"
rooms='input|pprof|format|unwrap|read|rules|export'

for target in "$build"/tests/fuzz/*_fuzz; do
    name=$(basename "$target" _fuzz)
    set -- --cuts 256 "$here/fuzz/corpus/$name"
    [ ! -d "$here/fuzz/found/$name" ] ||
        set -- "$@" --cuts 0 "$here/fuzz/found/$name"
    "$target" "$@" || echo "coverage.sh: $name failed"
done >"$out/replay.log" 2>&1
"$profdata" merge -sparse -o "$out/replay.profdata" "$out"/raw/*.profraw

{
    "$here/cmocka.sh" "$build"/tests/unit/*_test \
        "$build"/tests/conformance/*_test
    "$here/cli/run.sh"
    "$here/damage/run.sh" --every 25 "$build/tests/damage/damage"
    "$here/live/limits.sh"
    "$here/faults/run.sh" --most "$faults" "$build/tests/faults/faults" \
        memory lasting disk
} >"$out/all.log" 2>&1
"$profdata" merge -sparse -o "$out/all.profdata" "$out"/raw/*.profraw

# "FILE LINES MISSED" for each file by the counts of $1. What the program has
# is counted whichever program ran it.
report() {
    "$cov" report -instr-profile "$out/$1.profdata" "$CPROF_LEAKS" \
        2>>"$out/report.log" |
        awk -v rooms="^src/($rooms)/" '$1 ~ rooms { print $1, $8, $9 }' \
            >"$out/$1.txt"
    "$cov" show -instr-profile "$out/$1.profdata" -output-dir "$out/$1" \
        "$CPROF_LEAKS" 2>>"$out/report.log"
}

report replay
report all
awk -v most="$most" '
    FNR == 1 && NR == 1 { printf "%-36s %6s  %12s  %12s\n", "", "lines",
                                 "replay left", "tests left" }
    NR == FNR { missed[$1] = $3; next }
    $2 == 0 { next }
    { printf "%-36s %6d  %5d %4d %%  %5d %4d %%\n", $1, $2, missed[$1],
             missed[$1] * 100 / $2, $3, $3 * 100 / $2
      failed += missed[$1] * 100 > $2 * most
      lines += $2
      replay += missed[$1]
      all += $3 }
    END { printf "%-36s %6d  %5d %4d %%  %5d %4d %%\n", "all of them", lines,
                 replay, replay * 100 / lines, all, all * 100 / lines
          exit failed > 0 }' "$out/replay.txt" "$out/all.txt"
