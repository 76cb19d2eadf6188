#!/bin/sh
# replay.sh [--valgrind] [--cuts N] TARGET... - runs fuzz targets, several at
# once, over their stored inputs: tests/fuzz/corpus/NAME for the target
# NAME_fuzz. Each file is run whole and cut to at most N lengths (driver.c). A
# file that ran is a passed test; a target that died, or has no input, is a
# failed one. JOBS is how many run at once.
set -u

here=$(dirname "$0")
# A sanitizer reports first and then aborts, on which the driver names the input.
handlers=handle_segv=2:handle_sigbus=2:handle_sigfpe=2:handle_sigill=2
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:abort_on_error=1:$handlers"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-}:abort_on_error=1:$handlers"

# One target: --one DIR TARGET CUTS leaves its output and status in DIR.
if [ "${1:-}" = --one ]; then
    name=$(basename "$3" _fuzz)
    status=0
    timeout 1800 ${memcheck:+"$memcheck"} "$3" --cuts "$4" "$here/corpus/$name" \
        >"$2/$name.out" 2>&1 || status=$?
    echo "$status" >"$2/$name.status"
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

printf '%s\n' "$@" |
    xargs -P "${JOBS:-1}" -I '{}' "$0" --one "$dir" '{}' "$cuts"

passed=0
failed=0
for target; do
    name=$(basename "$target" _fuzz)
    read -r status <"$dir/$name.status"
    counts=$(grep -E '^[0-9]+ files, [0-9]+ inputs$' "$dir/$name.out")
    if [ "$status" -eq 0 ] && [ -n "$counts" ]; then
        passed=$((passed + ${counts%% *}))
        echo "ok    $name: $counts"
    else
        failed=$((failed + 1))
        echo "FAIL  $name: status $status"
        tail -n 100 "$dir/$name.out" | sed 's/^/    | /'
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
