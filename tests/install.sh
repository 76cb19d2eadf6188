#!/bin/sh
# install.sh - installs into a scratch folder, by PREFIX and by prefix, looks
# whether everything is there and the program runs alone, and uninstalls again.
# Environment: MAKE, BUILD. The last line is "N passed, N failed".
set -u

make=${MAKE:-make}
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
trap 'exit 130' INT TERM
passed=0
failed=0

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

make_quietly() {
    "$make" --no-print-directory BUILD="${BUILD:-build/release}" \
        DESTDIR="$stage/root" "$@"
}

# The program alone in an empty environment and folder, as on another machine.
run_installed() {
    (cd / && env -i "$stage/root$1/bin/cprof-leaks" --version)
}

# The same number of rule files as in the sources, and not none.
has_rules() {
    set -- rules/*.yaml "$stage/root$1"/share/cprof-leaks/rules/*.yaml
    [ $(($# % 2)) -eq 0 ] && [ -f "$1" ] && for file; do [ -s "$file" ]; done
}

# The examples are there, and name the place of the program.
has_examples() {
    share=$stage/root$1/share/cprof-leaks
    grep -q "=$1/bin/cprof-leaks check" \
        "$share/systemd/cprof-leaks@.service" &&
        [ -s "$share/prometheus/cprof-leaks.rules.yml" ]
}

has_nothing() {
    [ -z "$(find "$stage/root" -type f)" ]
}

for setting in PREFIX=/usr prefix=/opt/cprof; do
    where=${setting#*=}
    test_that "make install $setting" make_quietly "$setting" install
    test_that "the program runs" run_installed "$where"
    test_that "the rules are there" has_rules "$where"
    test_that "the examples are there" has_examples "$where"
    test_that "the licence is there" \
        test -s "$stage/root$where/share/doc/cprof-leaks/LICENSE"
    test_that "make uninstall $setting" make_quietly "$setting" uninstall
    test_that "nothing is left" has_nothing
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
