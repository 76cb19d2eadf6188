#!/bin/sh
# each.sh SCRIPT... - runs test scripts, JOBS at once, and sums their counts. A
# script ends with the line "N passed, N failed" (", N skipped"); one without it
# counts as one test; status 77 means skipped, for the reason in its last line.
# What a script prints is shown when it fails, and how long each took in any
# case. One that takes longer than EACH_LIMIT seconds (300) is ended, which
# fails it. Those with a line "# Waits: WHY", which wait for clocks and for others
# more than they compute, come one after another, beside JOBS of the rest.
set -u

limit=${EACH_LIMIT:-300}

# Scripts in turn: --in DIR SCRIPT... leaves the output, the status and the
# seconds of each in DIR.
if [ "${1:-}" = --in ]; then
    dir=$2
    shift 2
    for script; do
        out=$dir/$(echo "$script" | tr / =)
        status=0
        start=$(date +%s)
        timeout --kill-after=10 "$limit" "$script" >"$out" 2>&1 </dev/null ||
            status=$?
        took=$(($(date +%s) - start))
        [ "$took" -lt "$limit" ] ||
            echo "the script was ended after $limit s" >>"$out"
        echo "$status $took" >"$out.status"
    done
    exit 0
fi

if [ $# -eq 0 ]; then
    echo "each.sh: there is nothing to run"
    exit 2
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
passed=0
failed=0
skipped=0

# All that wait in one line, then the others in lines of their own.
turns() {
    waiting=
    for script; do
        ! grep -q '^# Waits: ' "$script" || waiting="$waiting $script"
    done
    [ -z "$waiting" ] || echo "$waiting"
    for script; do
        grep -q '^# Waits: ' "$script" || echo "$script"
    done
}

turns "$@" >"$dir/turns"
lanes=${JOBS:-1}
! grep -q '^ ' "$dir/turns" || lanes=$((lanes + 1))
xargs -P "$lanes" -L 1 "$0" --in "$dir" <"$dir/turns"

for script; do
    out=$dir/$(echo "$script" | tr / =)
    read -r status took <"$out.status"
    if [ "$status" -eq 77 ]; then
        skipped=$((skipped + 1))
        printf 'skip  %s: %s\n' "$script" "$(tail -n 1 "$out")"
        continue
    fi
    counts=$(grep -E '^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' \
        "$out" | tail -n 1)
    [ -n "$counts" ] || counts="$((status == 0)) passed, 0 failed"
    # shellcheck disable=SC2046  # the words of the line
    set -- $(echo "$counts" | tr -cd '0-9 ')
    if [ "$status" -ne 0 ] && [ "$2" -eq 0 ]; then
        set -- "$1" 1 "${3:-0}"
    fi
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + ${3:-0}))
    if [ "$2" -eq 0 ]; then
        printf 'ok    %s: %s  (%s s)\n' "$script" "$counts" "$took"
    else
        printf 'FAIL  %s: %s (status %d, %s s)\n' "$script" "$counts" \
            "$status" "$took"
        sed 's/^/    | /' "$out"
    fi
done

sum="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || sum="$sum, $skipped skipped"
echo "$sum"
[ "$failed" -eq 0 ]
