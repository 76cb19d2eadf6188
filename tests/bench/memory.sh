#!/bin/sh
# memory.sh - memory must depend on the different stacks of a dump and on how
# many inputs there are, and on nothing else, such as the number of processors:
# generated dumps go through pipes, one is a file, which threads read, and there
# are very many small ones. The answers have to be right, and the largest
# resident memory is bounded. It is no matter of how busy the machine is: this is
# a test, bench.sh is not.
set -u
here=$(dirname "$0")
# shellcheck source=tests/bench/common.sh
. "$here/common.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
truth=$dir/truth.json
report=$dir/report.json
peak=$dir/peak
most_mb=20
passed=0
failed=0

# Counts one test: its name, and the status of what was to be.
tell() {
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
        echo "ok    $1"
    else
        failed=$((failed + 1))
        echo "FAIL  $1"
    fi
}

# Tells whether the $report on $1 agrees with the $truth, in the memory allowed.
tell_answer() {
    "$CHECKTRUTH" "$truth" "$report" >"$dir/differences"
    tell "$1: the answer is right" $?
    sed 's/^/      /' "$dir/differences"
    tell_memory "$1"
}

# Tells whether what ran last stayed in the memory allowed.
tell_memory() {
    used=$(awk '{ print $3 * 1024 }' "$peak")
    printf '      at most %s MB used\n' \
        "$(awk -v used="$used" 'BEGIN { printf "%.1f", used / 1e6 }')"
    [ "${used:-0}" -gt 0 ] && [ "$used" -le $((most_mb * 1000000)) ]
    tell "$1: in $most_mb MB" $?
}

# Reads a dump of gendump's options $2... and names the tests after $1.
read_dump() {
    name=$1
    shift
    rm -f "$peak" "$report" "$truth"
    "$GENDUMP" "$@" --truth "$truth" | answer "$peak" - >"$report"
    tell_answer "$name"
}

# The same with a file.
read_file() {
    name=$1
    shift
    rm -f "$peak" "$report" "$truth"
    "$GENDUMP" "$@" --truth "$truth" >"$dir/dump.txt"
    answer "$peak" "$dir/dump.txt" >"$report"
    rm "$dir/dump.txt"
    tell_answer "$name"
}

read_dump "200 MB of 200 stacks" --bytes 200MB --stacks 200 --labels --locks
read_file "200 MB of 200 stacks in a file" --bytes 200MB --stacks 200
read_dump "100,000 goroutines counted" --format debug1 --goroutines 100000 \
    --stacks 200 --labels

# Ids of creators stand in the text of a stack and belong to no stack. The test
# is worth something only when there are many.
creators=$("$GENDUMP" --goroutines 100000 --stacks 20 |
    sed -n 's/^created by .* in goroutine //p' | sort -u | wc -l)
[ "$creators" -ge 30000 ]
tell "30,000 goroutines and more created others (there are $creators)" $?
read_dump "100,000 goroutines of many creators" --goroutines 100000 --stacks 20

# More than any machine holds, for the long tier: HUGE=10GB.
[ -z "${HUGE:-}" ] || read_dump "$HUGE through a pipe" --bytes "$HUGE" \
    --stacks 200

# As many inputs as a shell passes, each of which costs some 5 kB, and one of
# them broken: the others are read, and it is named.
many=100000
mkdir "$dir/many"
awk -v n="$many" -v dir="$dir/many" 'BEGIN {
    for (i = 1; i <= n; i++) {
        file = dir "/" i
        printf "goroutine profile: total 5\n5 @ 0x1 0x5\n" >file
        printf "#\t0x4\tmain.f%d+0x1\t/m.go:%d\n\n", i % 50, i % 50 + 1 >file
        close(file)
    }
}'
: >"$dir/many/777"
rm -f "$peak" "$report"
# shellcheck disable=SC2046 # one argument for each
(cd "$dir/many" && answer "$peak" $(seq "$many")) >"$report" 2>"$dir/errors"
rm -r "$dir/many"
grep -q "^    \"goroutines\": $((5 * (many - 1)))," "$report"
tell "$many inputs: the answer is right" $?
grep -q '777: the input is empty' "$dir/errors"
tell "$many inputs: the broken one is named" $?
most_mb=$((20 + many * 6 / 1000))
tell_memory "$many inputs"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
