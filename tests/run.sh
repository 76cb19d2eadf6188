#!/bin/sh
# run.sh STEPS... - runs the steps of some lists, one line a step, and ends with
# the line "N passed, N failed" (", N skipped" when there are any), which sums
# what the steps counted themselves. The status is 0 when nothing failed.
#
# A list (tests/steps/*.txt) holds one step a line, comments after '#':
#
#     NAME  BUILD  NEEDS  TARGET [VARIABLE=VALUE]...
#
# BUILD is the folder and the manner in which make is called for the target:
#     -       no build of its own
#     main    $CC, no warning allowed
#     san     the same with ASan and UBSan
#     second  the other one of gcc and clang, skipped when it is not there
# each below $TREE, which a VARIABLE has as {TREE}.
# NEEDS is a comma-separated list of programs, "-" for none; "clang-format:14"
# is version 14 of it. A step whose needs are not there is skipped, and so are
# the steps of a BUILD after its step named build* failed.
#
# A step's counts are the last line of that form that it prints; without one it
# counts as one test. What it prints is shown when it fails, and kept in
# $TREE/log; lines of it that begin with "skip" are shown in any case, as they
# have the reason. A step that takes longer than LIMIT seconds (900; a VARIABLE
# of the step goes before that of the environment) is ended, which fails it.
# Environment: MAKE, CC, JOBS, TREE, WERROR, LIMIT.
set -u
export LC_ALL=C.UTF-8

make=${MAKE:-make}
cc=${CC:-cc}
jobs=${JOBS:-1}
tree=${TREE:-build}
# The flags of the calling make are not for ours, which choose their own.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES BUILD SAN FUZZER
werror=${WERROR:-}
unset WERROR
export SETUP=no

log=$tree/log
mkdir -p "$log"
passed=0
failed=0
skipped=0
broken=
began=$(date +%s)
default_limit=${LIMIT:-900}
unset LIMIT

# The C compiler of BUILD "second", or nothing.
second=clang
# shellcheck disable=SC2086  # a compiler may have options, or another before it
case $($cc --version 2>/dev/null) in
*clang*) second=gcc ;;
esac
command -v "$second" >/dev/null || second=

# Linking the programs of the tests, each with the whole library, takes as long
# as compiling them: the quickest linker that $cc knows does it.
test_ldflags=
for linker in lld gold; do
    # shellcheck disable=SC2086
    if echo 'int main(void) { return 0; }' |
        $cc -fuse-ld="$linker" -x c - -o "$tree/log/linked" 2>/dev/null; then
        test_ldflags=-fuse-ld=$linker
        rm -f "$tree/log/linked"
        break
    fi
done

# Prints why the step with BUILD $1 and NEEDS $2 cannot run, or nothing.
reason_to_skip() {
    case " $broken " in
    *" $1 "*)
        echo "the build failed"
        return
        ;;
    esac
    if [ "$1" = second ] && [ -z "$second" ]; then
        echo "there is no second compiler"
        return
    fi
    for need in $(echo "$2" | tr ',' ' '); do
        program=${need%%:*}
        if [ "$need" = - ]; then
            continue
        elif ! command -v "$program" >/dev/null; then
            echo "$program is not installed"
        elif [ "$program" != "$need" ]; then
            case $("$program" --version) in
            *"version ${need#*:}."*) ;;
            *) echo "$program is not version ${need#*:}" ;;
            esac
        fi
    done | head -n 1
}

# Sets step_passed, step_failed and step_skipped from the log of a step that
# ended with status $2. A step cannot fail without a failed test, nor succeed
# with one.
count_step() {
    counts=$(grep -E '^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' \
        "$1" | tail -n 1)
    if [ -n "$counts" ]; then
        # shellcheck disable=SC2046  # the words of the line
        set -- "$1" "$2" $(echo "$counts" | tr -cd '0-9 ')
        step_passed=$3
        step_failed=$4
        step_skipped=${5:-0}
    else
        step_passed=1
        step_failed=0
        step_skipped=0
        [ "$2" -eq 0 ] || step_passed=0
    fi
    if [ "$2" -ne 0 ] && [ "$step_failed" -eq 0 ]; then
        step_failed=1
    fi
}

# Prints the line of a step: its verdict, its name, its counts, its seconds.
say_step() {
    printf '%-4s  %-18s %s\n' "$1" "$2" "$3"
}

# Runs one step: NAME BUILD NEEDS TARGET...
run_step() {
    name=$1
    build=$2
    needs=$3
    shift 3
    reason=$(reason_to_skip "$build" "$needs")
    if [ -n "$reason" ]; then
        skipped=$((skipped + 1))
        say_step skip "$name" "$reason"
        return
    fi

    case $build in
    main)
        set -- "$@" BUILD="$tree/check" CC="$cc" TEST_LDFLAGS="$test_ldflags"
        ;;
    san)
        set -- "$@" BUILD="$tree/san" CC="$cc" SAN=1 \
            TEST_LDFLAGS="$test_ldflags"
        ;;
    second) set -- "$@" BUILD="$tree/check-$second" CC="$second" ;;
    *) set -- "$@" BUILD="$tree" CC="$cc" ;;
    esac
    [ -z "$werror" ] || set -- "$@" WERROR="$werror"
    limit=$default_limit
    for word; do
        case $word in LIMIT=*) limit=${word#LIMIT=} ;; esac
    done
    start=$(date +%s)
    status=0
    timeout --kill-after=30 "$limit" \
        "$make" --no-print-directory -j"$jobs" JOBS="$jobs" "$@" \
        >"$log/$name" 2>&1 </dev/null || status=$?
    took=$(($(date +%s) - start))

    [ "$took" -lt "$limit" ] ||
        echo "the step was ended after $limit s" >>"$log/$name"
    count_step "$log/$name" "$status"
    passed=$((passed + step_passed))
    failed=$((failed + step_failed))
    skipped=$((skipped + step_skipped))
    words="$step_passed passed, $step_failed failed"
    [ "$step_skipped" -eq 0 ] || words="$words, $step_skipped skipped"
    if [ "$step_failed" -eq 0 ]; then
        say_step ok "$name" "$words  (${took} s)"
        [ "$step_skipped" -eq 0 ] || grep '^skip ' "$log/$name"
        return
    fi

    say_step FAIL "$name" "$words  (${took} s)"
    case $name in
    build*) broken="$broken $build" ;;
    esac
    tail -n 300 "$log/$name" | sed 's/^/      | /'
    echo "      again: make $*"
}

for list; do
    if [ ! -r "$list" ]; then
        echo "run.sh: cannot read the list '$list'" >&2
        exit 2
    fi
    while read -r line <&3; do
        line=$(echo "${line%%#*}" | sed "s|{TREE}|$tree|g")
        # shellcheck disable=SC2086  # the words of a step
        set -- $line
        [ $# -eq 0 ] && continue
        run_step "$@"
    done 3<"$list"
done

echo "($(($(date +%s) - began)) s)"
sum="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || sum="$sum, $skipped skipped"
echo "$sum"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
