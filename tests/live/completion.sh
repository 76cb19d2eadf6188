#!/bin/sh
# completion.sh - completes command lines in bash, zsh and fish with the scripts
# that the program prints, and runs the program with the values that they offer.
# Environment: CPROF_LEAKS. The last line is "N passed, N failed".
set -u

program=$(realpath "${CPROF_LEAKS:-build/release/cprof-leaks}")
here=$(cd "$(dirname "$0")" && pwd)
fixtures=$(realpath "${FIXTURES:-fixtures}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
passed=0
failed=0

pass() {
    passed=$((passed + 1))
}

fail() {
    failed=$((failed + 1))
    echo "FAIL  $*"
}

mkdir "$dir/bin" "$dir/files"
ln -s "$program" "$dir/bin/cprof-leaks"
PATH=$dir/bin:$PATH
export PATH
: >"$dir/files/dump.txt"
cd "$dir/files" || exit 2
"$program" completion bash >"$dir/bash"
"$program" completion zsh >"$dir/_cprof-leaks"
"$program" completion fish >"$dir/fish"

# Each prints what its shell offers behind the line $1, a word each.
offer_bash() {
    # shellcheck disable=SC2016 # for that shell
    bash --norc -c '
        source "$1"
        compopt() { :; }
        # As readline splits a line: "=" and ":" are words of their own.
        line=${2//=/ = }
        read -ra COMP_WORDS <<<"$line"
        [[ $line == *" " ]] && COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _cprof_leaks
        printf "%s\n" "${COMPREPLY[@]}"' - "$dir/bash" "$1"
}

offer_zsh() {
    zsh -f "$here/support/zsh_complete.zsh" "$dir" "$1"
}

offer_fish() {
    HOME=$dir fish -N -c "source $dir/fish; complete -C '$1'" | cut -f 1
}

# expect LINE WORD... - each shell offers the words behind the line; one that
# begins with "!" it does not.
expect() {
    line=$1
    shift
    for shell in $shells; do
        "offer_$shell" "$line" 2>"$dir/errors" >"$dir/offered"
        for word; do
            # Shells differ in whether a word carries its "=", and in whether
            # it stands alone behind one.
            sed 's/=$//; s/^--[a-z-]*=//' "$dir/offered" >"$dir/words"
            case $word in
            !*)
                if grep -qxF -e "${word#!}" "$dir/words"; then
                    fail "$shell: '$line' offers ${word#!}"
                else
                    pass
                fi
                ;;
            *)
                if grep -qxF -e "$word" "$dir/words"; then
                    pass
                else
                    fail "$shell: '$line' does not offer $word, but:"
                    head -n 5 "$dir/words" "$dir/errors" | sed 's/^/    | /'
                fi
                ;;
            esac
        done
    done
}

shells=
for shell in bash zsh fish; do
    if command -v "$shell" >/dev/null; then
        shells="$shells $shell"
    else
        echo "skipped: no $shell here"
    fi
done

expect "cprof-leaks " diff export rules help completion dump.txt '!list'
expect "cprof-leaks di" diff '!export'
expect "cprof-leaks --" --output --top --help '!--times'
expect "cprof-leaks dump.txt --gr" --group-by
expect "cprof-leaks --output " json text markdown '!speedscope'
expect "cprof-leaks -o j" json '!text'
expect "cprof-leaks --color=n" never '!auto'
expect "cprof-leaks export --to " pprof folded
expect "cprof-leaks export --to=s" speedscope '!pprof'
expect "cprof-leaks export --" --to '!--fail-on'
expect "cprof-leaks diff --sort " time flat cum
expect "cprof-leaks --sort " cum '!time'
expect "cprof-leaks diff --in" --interval --instance
expect "cprof-leaks diff d" dump.txt
expect "cprof-leaks rules " list explain check '!diff'
expect "cprof-leaks rules list --cl" --class
expect "cprof-leaks rules list --class " normal bad
expect "cprof-leaks rules explain chan-send" chan-send-blocked '!idle-keep-alive'
expect "cprof-leaks --disable chan-send" chan-send-blocked
expect "cprof-leaks --leak-profile d" dump.txt
expect "cprof-leaks help ex" export
expect "cprof-leaks completion " bash zsh fish

# What is offered as a value is one: the program takes it.
"$program" completion bash |
    sed -n "s/^ *'\([a-z ]*\):--\([a-z-]*\)'.*_cprof_leaks_\(words\|files\) '\(.*\)'; return ;;/\1|\2|\4/p" \
        >"$dir/values"
while IFS='|' read -r command option words; do
    for word in $words; do
        case $command:$option in
        # Another option or an address belongs to these.
        *:leak-profile | *:debug) continue ;;
        esac
        [ "$word" != label: ] || word=label:x
        # shellcheck disable=SC2086 # two words
        "$program" $command "--$option" "$word" \
            "$fixtures/seed.debug1.txt" >/dev/null 2>"$dir/errors" </dev/null
        if grep -q "option --$option\|no output format\|Try 'cprof" \
            "$dir/errors"; then
            fail "$command --$option $word: $(head -n 1 "$dir/errors")"
        else
            pass
        fi
    done
done <"$dir/values"
[ -s "$dir/values" ] || fail "no values were read from the script"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
