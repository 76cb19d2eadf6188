#!/bin/sh
# cost.sh - holds what a text can cost to its length: each line of units.txt is
# made into a text of 64 KiB and one of four times that, and the instructions
# that the program takes for them are counted (valgrind --tool=callgrind), which
# are the same on every run. For each byte there are at most INSTRUCTIONS_MOST,
# and for the longer text hardly more than for the shorter: what grows with the
# square of the length would take four times as many.
#
# Environment: CPROF_LEAKS, JOBS. With NAMES only these are tried. The last line
# is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
self=$here/cost.sh
tab=$(printf '\t')
SIZE=65536
INSTRUCTIONS_MOST=12000

# Writes a text of $4 bytes to $1: what $2 stands for, and $3 again and again.
make_text() {
    printf '%b' "$2" >"$1"
    printf '%b' "$3" >"$1.part"
    while [ "$(wc -c <"$1.part")" -lt "$4" ]; do
        cat "$1.part" "$1.part" >"$1.twice"
        mv "$1.twice" "$1.part"
    done
    head -c "$4" "$1.part" >>"$1"
    rm "$1.part"
}

# Prints how many instructions the program takes for a file, or what went wrong.
count() {
    CPROF_LEAKS_NOCONFINE=1 valgrind --tool=callgrind \
        --callgrind-out-file=/dev/null \
        "$CPROF_LEAKS" --all -o json --threads 1 "$1" >/dev/null 2>"$1.err"
    status=$?
    if [ "$status" -gt 3 ]; then
        echo "status $status"
    else
        sed -n 's/^==[0-9]*== Collected : //p' "$1.err"
    fi
}

# One text: --one DIR NAME leaves a line that begins with ok or FAIL.
if [ "${1:-}" = --one ]; then
    text=$2/$3
    line=$(grep "^$3$tab" "$here/units.txt")
    head=$(printf '%s\n' "$line" | cut -f 2)
    unit=$(printf '%s\n' "$line" | cut -f 3)
    if [ -z "$unit" ]; then
        echo "FAIL  $3: units.txt has no such text" >"$text.said"
        exit 0
    fi
    make_text "$text" "$head" "$unit" "$SIZE"
    less=$(count "$text")
    make_text "$text" "$head" "$unit" $((4 * SIZE))
    more=$(count "$text")
    awk -v name="$3" -v less="$less" -v more="$more" -v size="$SIZE" \
        -v most="$INSTRUCTIONS_MOST" 'BEGIN {
            before = less / size
            after = more / 4 / size
            is_counted = less + 0 > 0 && more + 0 > 0
            is_good = is_counted && after <= most &&
                after <= 1.4 * before + 100
            printf "%s  %s: %.0f and %.0f instructions a byte\n",
                is_good ? "ok  " : "FAIL", name, before, after
            if (!is_counted)
                printf "    | not counted: %s, %s\n", less, more
        }' >"$text.said"
    exit 0
fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
names=${NAMES:-$(grep -v '^#' "$here/units.txt" | cut -f 1)}
echo "$names" | tr ' ' '\n' | xargs -P "${JOBS:-1}" -I '{}' "$self" --one "$dir" '{}'
for name in $names; do
    cat "$dir/$name.said"
done
passed=$(cat "$dir"/*.said | grep -c '^ok')
failed=$(cat "$dir"/*.said | grep -c '^FAIL')
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
