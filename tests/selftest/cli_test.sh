#!/bin/sh
# The runner of golden cases sees every difference, and stores what it shall.
. "$(dirname "$0")/lib.sh"

plant program <<'END'
#!/bin/sh
echo "out $*"
echo "err $*" >&2
exit 3
END
chmod +x "$dir/program"
mkdir "$dir/dumps"
export CPROF_LEAKS="$dir/program" FIXTURES="$dir/dumps" JOBS=2
export CASES_DIR="$dir/cases"
unset VALGRIND

cli() {
    run "$top/tests/cli/run.sh" "$@"
}

mkdir "$dir/cases"
cli
expect "no case at all is no success" 2 "there is no case"

echo '"$CPROF_LEAKS" "$FIXTURES" "$CASE" "$TZ" "$COLUMNS"' |
    plant cases/group/one/cmd
echo 'out fixtures case UTC 80' | plant cases/group/one/stdout
echo 'err fixtures case UTC 80' | plant cases/group/one/stderr
echo 3 | plant cases/group/one/status
echo 'ls; cat; echo "${NO_COLOR-}$LC_ALL"' | plant cases/group/two/cmd
printf 'case\nfixtures\nhome\nC.UTF-8\n' | plant cases/group/two/stdout
export NO_COLOR=1
cli
expect "two cases pass in a clean environment" 0 "2 passed, 0 failed" "!FAIL"

for file in stdout stderr; do
    cp "$dir/cases/group/one/$file" "$dir/kept"
    echo 'something else' >"$dir/cases/group/one/$file"
    cli
    expect "another $file" 1 "FAIL  group/one" "-something else" \
        "1 passed, 1 failed"
    rm "$dir/cases/group/one/$file"
    cli
    expect "a missing $file means nothing printed" 1 "FAIL  group/one" \
        "stored $file"
    cp "$dir/kept" "$dir/cases/group/one/$file"
done
rm "$dir/cases/group/one/status"
cli
expect "a missing status means 0" 1 "-0" "+3"
cli group/two
expect "one case by its name" 0 "1 passed, 0 failed"
cli group/on
expect "a case that is not there" 2 "there is no case"

echo 'it watches itself' >"$dir/cases/group/two/unwatched"
VALGRIND=1 cli group/two
expect "what valgrind cannot watch is skipped, and alone no success" 1 \
    "skip  group/two: it watches itself" "0 passed, 0 failed, 1 skipped"
cli group/two
expect "without valgrind it is run" 0 "1 passed, 0 failed" "!skip"
rm "$dir/cases/group/two/unwatched"

printf 'out without a line feed' >"$dir/cases/group/one/stdout"
cli --bless group/one
expect "blessing shows what it changes" 0 "blessed  group/one" "+3" \
    "blessed: 1" "1 passed, 0 failed"
cli
expect "what was blessed passes" 0 "2 passed, 0 failed"
run cat cases/group/one/status cases/group/one/stderr
expect "what was blessed is stored" 0 "3" "err fixtures case"

echo 'true' >"$dir/cases/group/one/cmd"
cli --bless
run ls cases/group/one
expect "nothing printed is stored as no file" 0 "cmd" "!std" "!status"

echo 'kill -9 $$' >"$dir/cases/group/one/cmd"
cli --bless
expect "a death is not blessed" 1 "FAIL  group/one" "+137" "1 passed, 1 failed"
echo 'exit 99' >"$dir/cases/group/one/cmd"
cli --bless
expect "nor is a sanitizer's finding" 1 "FAIL  group/one" "1 passed, 1 failed"

rm "$dir/cases/group/one/cmd"
echo stale >"$dir/cases/group/one/stdout"
cli
expect "what is stored for no command" 2 "without a cmd" "group/one/stdout"

finish
