#!/bin/sh
# run.sh [--every N] DAMAGE - runs the program of damage.c for each file of
# seeds.txt, several at once (JOBS). A file of which all damages, or every Nth,
# ended as they must is a passed test.
set -u

here=$(dirname "$0")

# One seed: --one DIR DAMAGE EVERY NAME leaves its output and status in DIR.
if [ "${1:-}" = --one ]; then
    status=0
    "$3" --every "$4" "$here/seeds.txt" "$5" >"$2/$5.out" 2>&1 || status=$?
    echo "$status" >"$2/$5.status"
    exit 0
fi

# A sanitizer reports first and then aborts, on which the program says where.
handlers=handle_segv=2:handle_sigbus=2:handle_sigfpe=2:handle_sigill=2
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:abort_on_error=1:$handlers"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-}:abort_on_error=1:$handlers"
every=1
if [ "${1:-}" = --every ]; then
    every=$2
    shift 2
fi
if [ $# -ne 1 ]; then
    echo "run.sh: which program?"
    exit 2
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

names=$(sed 's/#.*//' "$here/seeds.txt" | awk 'NF { print $1 }')
echo "$names" |
    xargs -P "${JOBS:-1}" -I '{}' "$0" --one "$dir" "$1" "$every" '{}'
passed=0
failed=0
for name in $names; do
    read -r status <"$dir/$name.status"
    if [ "$status" -eq 0 ]; then
        passed=$((passed + 1))
        echo "ok    $name: $(tail -n 1 "$dir/$name.out")"
    else
        failed=$((failed + 1))
        echo "FAIL  $name: status $status"
        tail -n 60 "$dir/$name.out" | sed 's/^/    | /'
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
