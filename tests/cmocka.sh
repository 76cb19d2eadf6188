#!/bin/sh
# cmocka.sh [--valgrind] PROGRAM... - runs unit test programs, several at once,
# and sums their counts. What a program prints is shown when a test of it fails.
#
# The counts come from TAP lines. A program that ends early, by a signal, by a
# sanitizer's or valgrind's finding, or with fewer tests than it planned, has
# one failed test more. JOBS is how many run at once; none may run for 10
# minutes, or an hour under valgrind, which is as slow as it needs to be, one
# thread at a time. RUNNER is a command that runs programs of another machine,
# an emulator with its options.
set -u
export CMOCKA_MESSAGE_OUTPUT=TAP

# One program: --one DIR LIMIT COMMAND... runs the command, whose last word is
# the program, for at most LIMIT seconds, and leaves its output and its status
# in DIR.
if [ "${1:-}" = --one ]; then
    dir=$2
    limit=$3
    shift 3
    for program; do :; done
    out=$dir/$(echo "$program" | tr / =)
    status=0
    timeout "$limit" "$@" >"$out" 2>&1 </dev/null || status=$?
    echo "$status" >"$out.status"
    exit 0
fi

memcheck=
limit=600
if [ "${1:-}" = --valgrind ]; then
    limit=3600
    memcheck=$(dirname "$0")/memcheck.sh
    shift
fi
if [ $# -eq 0 ]; then
    echo "cmocka.sh: there is nothing to run"
    exit 2
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

# shellcheck disable=SC2086  # the words of RUNNER
printf '%s\n' "$@" |
    xargs -P "${JOBS:-1}" -n 1 "$0" --one "$dir" "$limit" \
        ${memcheck:+"$memcheck"} ${RUNNER:-}

passed=0
failed=0
skipped=0
for program; do
    out=$dir/$(echo "$program" | tr / =)
    read -r status <"$out.status"
    # shellcheck disable=SC2046  # the numbers that awk prints
    set -- $(awk -v status="$status" '
        /^1\.\.[0-9]+/ { planned += substr($1, 4) }
        /^(not )?ok [0-9]+ # SKIP/ { skipped++; next }
        /^ok [0-9]+/ { passed++ }
        /^not ok [0-9]+/ { failed++ }
        END {
            if (planned != passed + failed + skipped || planned == 0 ||
                (status != 0 && failed == 0))
                failed++
            print passed + 0, failed + 0, skipped + 0
        }' "$out")
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + $3))
    if [ "$2" -gt 0 ]; then
        echo "FAIL  $program: $1 passed, $2 failed, status $status"
        grep -v '^ok ' "$out" | sed 's/^/    | /'
    else
        echo "ok    $program: $1 passed"
    fi
done

sum="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || sum="$sum, $skipped skipped"
echo "$sum"
[ "$failed" -eq 0 ]
