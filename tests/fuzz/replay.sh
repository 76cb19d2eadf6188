#!/bin/sh
# replay.sh [--valgrind] [--cuts N] TARGET... - runs fuzz targets, several at
# once, over their stored inputs: tests/fuzz/corpus/NAME for the target
# NAME_fuzz, each file whole and cut to at most N lengths (driver.c), and what
# searches have found, tests/fuzz/found/NAME, whole. A file that ran is a passed
# test; a target that died, or has no input, is a failed one. JOBS is how many
# run at once; each target is run in PARTS parts, which share its files.
set -u

here=$(dirname "$0")
# A sanitizer reports first and then aborts, on which the driver names the input.
handlers=handle_segv=2:handle_sigbus=2:handle_sigfpe=2:handle_sigill=2
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:abort_on_error=1:$handlers"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-}:abort_on_error=1:$handlers"

parts=4

# A part of a target: --one DIR CUTS TARGET:PART leaves its output and status
# in DIR.
if [ "${1:-}" = --one ]; then
    target=${4%:*}
    part=${4##*:}
    name=$(basename "$target" _fuzz)
    status=0
    cuts=$3
    # Its inputs are read many times over already.
    [ "$name" != strained ] || cuts=$((cuts / 64))
    set -- "$2" "$cuts" "$here/corpus/$name" "$here/found/$name"
    [ -d "$4" ] || set -- "$1" "$2" "$3"
    timeout 3600 ${memcheck:+"$memcheck"} "$target" --part "$part/$parts" \
        --cuts "$2" "$3" ${4:+--cuts 0 "$4"} >"$1/$name.$part.out" 2>&1 ||
        status=$?
    echo "$status" >"$1/$name.$part.status"
    exit 0
fi

if [ "${1:-}" = --valgrind ]; then
    export memcheck="$here/../memcheck.sh"
    shift
fi
cuts=1024
if [ "${1:-}" = --cuts ]; then
    cuts=$2
    shift 2
fi
if [ $# -eq 0 ]; then
    echo "replay.sh: there is no fuzz target"
    exit 2
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

part=0
while [ "$part" -lt "$parts" ]; do
    printf "%s:$part\n" "$@"
    part=$((part + 1))
done | xargs -P "${JOBS:-1}" -I '{}' "$0" --one "$dir" "$cuts" '{}'

# Sets files and inputs to the sums over the parts of the target $1, and status
# to that of its first part that failed.
sum_parts() {
    files=0
    inputs=0
    status=0
    part=0
    while [ "$part" -lt "$parts" ]; do
        read -r part_status <"$dir/$1.$part.status"
        counts=$(grep -E '^[0-9]+ files, [0-9]+ inputs$' "$dir/$1.$part.out")
        if [ "$status" -eq 0 ] && [ "$part_status" -ne 0 ]; then
            status=$part_status
            out=$dir/$1.$part.out
        fi
        files=$((files + ${counts%% *} + 0))
        counts=${counts#*files, }
        inputs=$((inputs + ${counts%% *} + 0))
        part=$((part + 1))
    done
}

passed=0
failed=0
for target; do
    name=$(basename "$target" _fuzz)
    sum_parts "$name"
    if [ "$status" -eq 0 ]; then
        passed=$((passed + files))
        echo "ok    $name: $files files, $inputs inputs"
    else
        failed=$((failed + 1))
        echo "FAIL  $name: status $status"
        tail -n 100 "$out" | sed 's/^/    | /'
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
