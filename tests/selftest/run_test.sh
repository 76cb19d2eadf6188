#!/bin/sh
# The runner of steps adds up what the steps counted, and hides no failure.
. "$(dirname "$0")/lib.sh"

# A make that does what the name of its target says.
plant make <<'END'
#!/bin/sh
for target; do
    case $target in
    counts) echo "noise"; echo "5 passed, 0 failed"; echo "more" ;;
    skips) echo "skip  x: it rains"; echo "1 passed, 0 failed, 2 skipped" ;;
    fails) echo "why it failed"; echo "2 passed, 1 failed"; exit 1 ;;
    dies) echo "7 passed, 0 failed"; exit 1 ;;
    lies) echo "1 passed, 1 failed" ;;
    plain) ;;
    hangs) sleep 60 ;;
    errs) echo "an error"; exit 2 ;;
    shows) echo "$*"; exit 1 ;;
    is-first) sleep 1; [ ! -e marks/here ] || exit 1 ;;
    is-last) [ -e marks/here ] && [ -e marks/there ] || exit 1 ;;
    meets-*)
        touch "marks/${target#meets-}"
        for try in 1 2 3 4 5 6 7 8 9 10; do
            [ -e marks/here ] && [ -e marks/there ] && exit 0
            sleep 1
        done
        exit 1
        ;;
    esac
done
END
chmod +x "$dir/make"
export MAKE="$dir/make" TREE="$dir/tree" JOBS=3 CC=no-such-compiler WERROR=1

steps() {
    plant list
    run "$top/tests/run.sh" list
}

# The last line that was printed has to be $2.
expect_last() {
    tail -n 1 "$dir/.out" >"$dir/last"
    mv "$dir/last" "$dir/.out"
    expect "$1" "$2" "$3"
}

steps <<'END'
# a comment
a   -     -   counts   # another
b   main  -   plain
END
expect "counts are added up" 0 "ok    a" "5 passed, 0 failed" "ok    b" \
    "1 passed, 0 failed" "!noise"
expect_last "the sum is the last line" 0 "6 passed, 0 failed"

steps <<'END'
a   -     -   counts
b   main  -   fails
c   -     -   plain
END
expect "a failure is shown, and the rest goes on" 1 "FAIL  b" \
    "| why it failed" "again: make" "ok    c"
expect_last "and counted" 1 "8 passed, 1 failed"

steps <<'END'
a   -     -   hangs LIMIT=1
b   -     -   counts
END
expect "a step that hangs is ended, and the rest goes on" 1 "FAIL  a" \
    "was ended after 1 s" "5 passed, 1 failed"
echo 'a - - dies' | steps
expect "a bad status counts as a failure" 1 "7 passed, 1 failed"
echo 'a - - lies' | steps
expect "a failed test counts whatever the status" 1 "1 passed, 1 failed"
echo 'a - - errs' | steps
expect "a step without counts is one test" 1 "| an error" "0 passed, 1 failed"

steps <<'END'
a   -     -                  skips
b   -     sh,no-such-program plain
c   -     sh:99              plain
END
expect "what is not there is skipped, with the reason" 0 \
    "skip  x: it rains" "skip  b" "no-such-program is not installed" \
    "sh is not version 99" \
    "1 passed, 0 failed, 4 skipped"
echo 'a - no-such-program plain' | steps
expect "nothing but skipped is no success" 1 "0 passed, 0 failed, 1 skipped"

steps <<'END'
build-x  san   -   errs
unit-x   san   -   counts
unit     main  -   counts
END
expect "what a failed build leaves out" 1 "skip  unit-x" "the build failed" \
    "ok    unit "
expect_last "is not passed" 1 "5 passed, 1 failed, 1 skipped"

echo 'a san - shows' | steps
expect "make is told how to build" 1 "BUILD=$dir/tree/san" "SAN=1" \
    "CC=no-such-compiler" "WERROR=1" "JOBS=3"

mkdir "$dir/marks"
plant first <<'END'
a   -     -   is-first
b   -     -   meets-here
c   main  -   meets-there
END
echo 'd - - is-last' | plant last
run "$top/tests/run.sh" first --in-turn last
expect "builds are side by side, one's steps in turn, then what is last" 0 \
    "ok    a" "ok    b" "ok    c" "ok    d" "4 passed, 0 failed"

run "$top/tests/run.sh" no-such-list
expect "a list that cannot be read" 2 "no-such-list"

finish
