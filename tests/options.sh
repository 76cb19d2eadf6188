#!/bin/sh
# options.sh - gives every option of every command values that nobody
# would: numbers at and behind the ends of what a machine can count, times of
# centuries, and things that are no value at all. Whatever the program thinks of
# them, it ends by itself with a status of its own, and where that is "no
# answer" it says why. With the sanitizers, nothing that a value says may leave
# the bounds of a type either. Environment: CPROF_LEAKS. Ends with the line
# "N passed, N failed".
set -u
export LC_ALL=C.UTF-8

program=$(realpath "${CPROF_LEAKS:-build/release/cprof-leaks}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder" || exit 2
export HOME="$folder" XDG_CONFIG_HOME="$folder" XDG_STATE_HOME="$folder"
passed=0
failed=0

for count in 5 9 19; do
    printf 'goroutine profile: total %d\n%d @ 0x1 0x2\n#\t0x1\tmain.f+0x1\t/a.go:1\n' \
        "$count" "$count" >"dump$count"
done
"$program" history add kept.db dump5 dump9 >/dev/null 2>&1 || exit 2

# The options of the command $1 that take a value, one a line.
options_of() {
    # shellcheck disable=SC2086  # a command may be two words
    "$program" help $1 |
        sed -n 's/^ \{2,6\}\(-[a-zA-Z], \)\{0,1\}\(--[a-z-]*\) [A-Z0-9].*/\2/p' |
        sort -u
}

# Runs the command $1 with the option $2 and the value $3 behind what follows.
try() {
    command=$1
    option=$2
    value=$3
    shift 3
    # shellcheck disable=SC2086
    timeout 60 "$program" $command "$@" "$option=$value" \
        >said 2>&1 </dev/null
    status=$?
    if [ "$status" -gt 3 ] || { [ "$status" -eq 2 ] && [ ! -s said ]; }; then
        echo "FAIL  $command $option='$value': status $status"
        head -n 3 said
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
}

# All options of a command, with what it needs besides.
try_all() {
    command=$1
    shift
    options=$(options_of "$command")
    if [ -z "$options" ]; then
        echo "FAIL  $command: its help names no option with a value"
        failed=$((failed + 1))
    fi
    for option in $options; do
        for value in '' -1 0 4294967296 9999999999 9223372036854775807 \
            18446744073709551616 106751d 200000d 16777215T 1e400 nan '%' \
            1..2 "$(printf '\033[1m')"; do
            try "$command" "$option" "$value" "$@"
        done
    done
}

try_all analyze dump9
try_all diff dump5 dump9 dump19
try_all check --history kept.db dump19
try_all export --to folded dump9
try_all 'history add' kept.db dump5
try_all 'history list' kept.db
try_all 'history show' kept.db
try_all 'history export' --to folded kept.db
try_all 'history prune' kept.db
try_all 'rules list'
try_all 'rules explain' chan-send-blocked
try_all 'rules check'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
