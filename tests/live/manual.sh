#!/bin/sh
# manual.sh - holds the manual pages to what readers of man(7) say of them, and
# looks whether every option and command is in them. Environment: MAKE, BUILD,
# CPROF_LEAKS. The last line is "N passed, N failed".
set -u

program=$(realpath "${CPROF_LEAKS:-build/release/cprof-leaks}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
passed=0
failed=0

# check WHAT COMMAND... - the command succeeds and prints nothing.
check() {
    what=$1
    shift
    if "$@" >"$dir/out" 2>&1 && [ ! -s "$dir/out" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL  $what"
        head -n 10 "$dir/out" | sed 's/^/    | /'
    fi
}

formats_quietly() {
    groff -ww -man -Tutf8 "$1" >"$dir/page"
}

# Every option that the help of a command names.
has_options() {
    # shellcheck disable=SC2086 # words of a command
    "$program" help $1 | grep -o '^ *\(-.,\)\? *--[a-z-]*' |
        grep -o -e '--[a-z-]*' | sort -u >"$dir/options"
    [ -s "$dir/options" ] || return 1
    while read -r option; do
        grep -q -e "$option\b" "$dir/text" || echo "$option is missing"
    done <"$dir/options"
}

"${MAKE:-make}" --no-print-directory \
    ${BUILD:+BUILD="$BUILD"} man >/dev/null || exit 1
manual=${BUILD:-build/release}/man
for page in "$manual"/*; do
    check "mandoc: ${page##*/}" mandoc -T lint -W warning "$page"
    check "groff: ${page##*/}" formats_quietly "$page"
done
groff -man -Tascii "$manual/cprof-leaks.1" 2>/dev/null |
    sed 's/.\x08//g; s/\x1b\[[0-9;]*m//g' >"$dir/text"
for command in analyze diff export 'rules list' 'rules explain' \
    'rules check' 'rules test'; do
    check "options of $command" has_options "$command"
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
