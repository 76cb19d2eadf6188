#!/bin/sh
# headers.sh FOLDER... - compiles every header below the folders alone, and
# twice in one file, as C17; those of include/cprof as C++17 too. Environment:
# CC, CPPFLAGS. The last line is "N passed, N failed", with the public headers
# skipped as C++ where there is no C++ compiler.
set -u

cc=${CC:-cc}
cxx=$(command -v g++ || command -v clang++ || :)
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wundef -Werror"
passed=0
failed=0
skipped=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT
trap 'exit 130' INT TERM

# Compiles header $1 with the compiler and the options that follow.
try() {
    header=$1
    shift
    # An array, because C wants a declaration in every file.
    # shellcheck disable=SC2086  # the words of the flags
    if printf '#include "%s"\n#include "%s"\nextern int empty[1];\n' \
        "$header" "$header" |
        "$@" $warnings ${CPPFLAGS:-} -I. -fsyntax-only - >"$out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$header does not compile alone: $*"
        sed 's/^/    | /' "$out"
    fi
}

for header in $(find "$@" -name '*.h' -type f | LC_ALL=C sort); do
    # shellcheck disable=SC2086  # a compiler may have options of its own
    try "$header" $cc -std=c17 -x c
    case $header in
    */include/cprof/* | include/cprof/*)
        if [ -n "$cxx" ]; then
            try "$header" "$cxx" -std=c++17 -x c++
        else
            skipped=$((skipped + 1))
            echo "$header: not tried as C++, there is no C++ compiler"
        fi
        ;;
    esac
done

sum="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || sum="$sum, $skipped skipped"
echo "$sum"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
