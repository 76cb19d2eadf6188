#!/bin/sh
# options.sh - gives every option of every command values that nobody
# would: numbers at and behind the ends of what a machine can count, times of
# centuries, and things that are no value at all. Whatever the program thinks of
# them, it ends by itself with a status of its own, and where that is "no
# answer" it says why. With the sanitizers, nothing that a value says may leave
# the bounds of a type either. JOBS commands are tried at once. Environment:
# CPROF_LEAKS, JOBS. Ends with the line "N passed, N failed".
set -u
export LC_ALL=C.UTF-8

program=$(realpath "${CPROF_LEAKS:-build/release/cprof-leaks}")

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

# One command: --one DIR COMMAND, with what it needs besides, leaves its output in
# DIR, where it has a folder of its own.
if [ "${1:-}" = --one ]; then
    folder=$2/$(echo "$3" | tr ' ' -)
    mkdir "$folder"
    cd "$folder" || exit 2
    export HOME="$folder" XDG_CONFIG_HOME="$folder" XDG_STATE_HOME="$folder"
    passed=0
    failed=0
    shift 2
    for count in 5 9 19; do
        printf 'goroutine profile: total %d\n%d @ 0x1 0x2\n#\t0x1\tmain.f+0x1\t/a.go:1\n' \
            "$count" "$count" >"dump$count"
    done
    "$program" history add kept.db dump5 dump9 >said 2>&1 || exit 2
    try_all "$@" >"$folder.out"
    echo "$passed passed, $failed failed" >>"$folder.out"
    exit 0
fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
self=$(realpath "$0")
cat >"$dir/commands" <<'end'
analyze dump9
check --history kept.db dump19
diff dump5 dump9 dump19
export --to folded dump9
'history add' kept.db dump5
'history export' --to folded kept.db
'history list' kept.db
'history prune' kept.db
'history show' kept.db
'rules check'
'rules explain' chan-send-blocked
'rules list'
end
commands=$(wc -l <"$dir/commands")
xargs -P "${JOBS:-1}" -L 1 "$self" --one "$dir" <"$dir/commands"

cat "$dir"/*.out | grep -v ' passed, '
# shellcheck disable=SC2046  # three numbers
set -- $(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$dir"/*.out |
    awk '{ p += $1; f += $2 } END { print p + 0, f + 0, NR }')
if [ "$3" -ne "$commands" ]; then
    echo "FAIL  $3 of $commands commands came to their end"
    set -- "$1" $(($2 + 1))
fi
echo "$1 passed, $2 failed"
[ "$2" -eq 0 ] && [ "$1" -gt 0 ]
