#!/bin/sh
# library.sh - installs the library into a scratch folder, builds the example
# programs of docs/examples with what pkg-config says, shared and static, and
# compares what they print with the program's own answer. Environment: MAKE,
# BUILD, CC. The last line is "N passed, N failed".
set -u

make=${MAKE:-make}
cc=${CC:-cc}
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
trap 'exit 130' INT TERM
passed=0
failed=0
dump=fixtures/seed.debug1.txt

# One test, whose name is $1, of the command that follows.
test_that() {
    name=$1
    shift
    if "$@" >"$stage/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL  $name: $*"
        sed 's/^/    | /' "$stage/out"
    fi
}

# The flags that pkg-config names, for linking as $1 says: shared or static.
flags_of() {
    if [ "$1" = static ]; then
        # The archive of this library, and whatever there is of the others.
        "$pkg_config" --cflags libcprof
        echo "$stage/lib/libcprof.a"
        "$pkg_config" --libs --static libcprof | sed 's/-lcprof//'
    else
        "$pkg_config" --cflags --libs libcprof
    fi
}

# Builds the example $1 as $2 says.
build_example() {
    # shellcheck disable=SC2046 # words
    "$cc" -std=c17 -Wall -Wextra -Werror "docs/examples/$1.c" \
        -o "$stage/$1.$2" $(flags_of "$2")
}

run_example() {
    example=$1
    shift
    LD_LIBRARY_PATH=$stage/lib "$stage/$example" "$@"
}

# The program and the example find the same number of goroutines and the same
# verdict.
same_verdict() {
    "$stage/bin/cprof-leaks" -o json "$dump" >"$stage/json"
    want=$(sed -n 's/^ *"goroutines": \([0-9]*\).*/\1/p' "$stage/json" | head -1)
    verdict=$(sed -n 's/^ *"verdict": "\([a-z]*\)".*/\1/p' "$stage/json" |
        head -1)
    run_example "verdict.$1" "$dump" | tee "$stage/verdict"
    [ -n "$want" ] &&
        grep -qx "$want goroutines, verdict: $verdict" "$stage/verdict" &&
        grep -qx 'largest group: 97908 in chan send' "$stage/verdict" &&
        grep -q '^-> .*colly/v2.(\*httpBackend).Do:172$' "$stage/verdict"
}

same_comparison() {
    "$stage/bin/cprof-leaks" diff --interval 1m -o json "$dump" "$dump" \
        >"$stage/json"
    run_example "growing.$1" "$dump" "$dump" | cmp - "$stage/json"
}

# The shared library shows the public functions and nothing else.
shows_public() {
    grep -ho 'cprof_[a-z_]*(' include/cprof/*.h | tr -d '(' |
        grep -v '_fn$' | sort -u >"$stage/declared"
    nm -D --defined-only "$stage/lib/libcprof.so" |
        sed -n 's/.* T \([a-z_]*\)@@LIBCPROF_0$/\1/p' | sort -u >"$stage/shown"
    [ -s "$stage/shown" ] || return 1
    diff "$stage/declared" "$stage/shown"
}

# The Debian package writes down the same functions, and has the same version.
is_packaged() {
    sed -n 's/^ \(cprof_[a-z_]*\)@LIBCPROF_0 .*/\1/p' \
        debian/libcprof0.symbols | diff "$stage/declared" - &&
        "$stage/bin/cprof-leaks" --version |
        sed 's/^cprof-leaks \(.*\)/cprof-leaks (\1) /' >"$stage/version" &&
        head -n 1 debian/changelog | grep -F -f "$stage/version"
}

# The archive shows no other name, which could clash with a program's own.
archive_is_closed() {
    nm -g --defined-only "$stage/lib/libcprof.a" |
        sed -n 's/.* [A-Z] //p' >"$stage/names"
    [ -s "$stage/names" ] && ! grep -v '^cprof_' "$stage/names"
}

has_soname() {
    readelf -d "$stage/lib/libcprof.so" | grep -F '[libcprof.so.0]'
}

export PKG_CONFIG_PATH="$stage/lib/pkgconfig"
pkg_config=${PKG_CONFIG:-pkg-config}
test_that "make install" "$make" --no-print-directory \
    BUILD="${BUILD:-build/release}" prefix="$stage" install
test_that "the public functions" shows_public
test_that "the archive's names" archive_is_closed
test_that "the package's functions and version" is_packaged
test_that "the shared object's name" has_soname
for kind in shared static; do
    test_that "verdict.c, $kind" build_example verdict $kind
    test_that "growing.c, $kind" build_example growing $kind
    test_that "verdict.c says the same, $kind" same_verdict $kind
    test_that "growing.c says the same, $kind" same_comparison $kind
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
