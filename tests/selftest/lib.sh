# lib.sh - what the tests of the test tools share; read by each of them with
# `.`. A test plants a breach, runs the tool, and expects the tool to name it.
# shellcheck shell=sh

set -u
export LC_ALL=C.UTF-8
# shellcheck disable=SC2034  # for the tests, where it may be several words
cc=${CC:-cc}
# shellcheck disable=SC2034
top=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
n_passed=0
n_failed=0

# Writes standard input to file $1 of the scratch folder, with its folders.
plant() {
    mkdir -p "$dir/$(dirname "$1")"
    cat >"$dir/$1"
}

# Runs a command in the scratch folder; keeps its status and what it prints, in
# files, because a pipe may lead here and its shell ends.
run() {
    (
        cd "$dir" && "$@" >.out 2>&1 </dev/null
        echo $? >.status
    )
}

# One test of the last run: its name, the status, and texts that were printed;
# a text that begins with "!" was not printed.
expect() {
    name=$1
    wanted=$2
    shift 2
    wrong=
    read -r status <"$dir/.status"
    [ "$status" -eq "$wanted" ] || wrong="status $status, expected $wanted"
    for text; do
        if [ "${text#!}" != "$text" ]; then
            ! grep -qF -e "${text#!}" "$dir/.out" ||
                wrong="printed '${text#!}'"
        else
            grep -qF -e "$text" "$dir/.out" || wrong="did not print '$text'"
        fi
    done
    if [ -z "$wrong" ]; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAIL  $name: $wrong"
        sed 's/^/    | /' "$dir/.out"
    fi
}

# The end of each test file.
finish() {
    echo "$n_passed passed, $n_failed failed"
    [ "$n_failed" -eq 0 ] && [ "$n_passed" -gt 0 ]
}
