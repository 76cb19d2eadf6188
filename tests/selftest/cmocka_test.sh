#!/bin/sh
# The runner of unit tests believes a program only when all of it agrees: its
# plan, its tests and its status.
. "$(dirname "$0")/lib.sh"

# Plants the program $1 that ends with status $2 and prints standard input.
program() {
    {
        printf '#!/bin/sh\ncat <<"END"\n'
        cat
        printf 'END\nexit %d\n' "$2"
    } | plant "$1"
    chmod +x "$dir/$1"
}
printf '1..2\nok 1 - a\nok 2 - b\n' | program good 0
printf '1..1\nok 1 - a\n1..2\nok 1 - b\nnot ok 2 # SKIP c\n' | program groups 0
printf '1..2\nok 1 - a\nnot ok 2 - b\n# why\n' | program bad 1
printf '1..3\nok 1 - a\n' | program cut 0
printf '1..1\nok 1 - a\n' | program leaks 99
printf 'nothing\n' | program empty 0
export JOBS=2

cmocka() {
    run "$top/tests/cmocka.sh" "$@"
}
cmocka ./good ./groups
expect "tests, groups and skipped ones are counted" 0 \
    "4 passed, 0 failed, 1 skipped"
cmocka ./good ./bad
expect "a failed test is shown" 1 "FAIL  ./bad" "# why" "3 passed, 1 failed"
cmocka ./cut
expect "a program that ends before its plan does" 1 "1 passed, 1 failed"
cmocka ./leaks
expect "a program whose status is bad" 1 "status 99" "1 passed, 1 failed"
cmocka ./empty
expect "a program without a test" 1 "0 passed, 1 failed"
cmocka ./missing
expect "a program that is not there" 1 "0 passed, 1 failed"
cmocka
expect "no program at all is no success" 2 "nothing to run"

finish
