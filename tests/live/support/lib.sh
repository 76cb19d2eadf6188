# lib.sh - what the live tests share; read by each of them with `.`.
# shellcheck shell=sh

set -u
export LC_ALL=C.UTF-8
# Whole paths, for tests that work in another folder.
CPROF_LEAKS=$(realpath -m "${CPROF_LEAKS:-build/release/cprof-leaks}")
FIXTURES=$(realpath -m "${FIXTURES:-fixtures}")
# shellcheck disable=SC2034  # for the tests
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck disable=SC2034
dir=$(mktemp -d)
n_passed=0
n_failed=0

# One test: a name, and two texts that have to be equal.
same() {
    if [ "$2" = "$3" ]; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        printf 'FAIL  %s\n    | expected: %s\n    | got:      %s\n' \
            "$1" "$2" "$3"
    fi
}

# One test: a name, a file, and texts that stand in it; line ends and runs of
# blanks count as one blank.
says() {
    name=$1
    file=$2
    shift 2
    missing=
    for text; do
        tr -s ' \n' '  ' <"$file" | grep -qF -e "$text" ||
            missing="$missing '$text'"
    done
    same "$name" "nothing missing" "nothing missing${missing:+ but$missing}"
}

# build_go FOLDER NAME - builds the program of Go in a folder below here as
# $dir/NAME; without it there is nothing to test.
build_go() {
    if ! (cd "$here/$1" &&
        HOME=${HOME:-$dir} GO111MODULE=on GOFLAGS=-mod=mod GOPROXY=off \
            GOTOOLCHAIN=local \
            go build -buildvcs=false -o "$dir/$2" .) >"$dir/build" 2>&1; then
        cat "$dir/build"
        echo "$1 does not compile"
        exit 1
    fi
}

# await_text FILE - waits until a program has written something to a file.
await_text() {
    tries=0
    while [ ! -s "$1" ] && [ "$tries" -lt 300 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
}

# The end of each test file.
finish() {
    echo "$n_passed passed, $n_failed failed"
    [ "$n_failed" -eq 0 ] && [ "$n_passed" -gt 0 ]
}
