#!/bin/sh
# run.sh LIST... [--in-turn LIST...] - runs the steps of some lists, one line a
# step, and ends with the line "N passed, N failed" (", N skipped" when there are
# any), which sums what the steps counted themselves. The status is 0 when nothing
# failed.
#
# A list (tests/steps/*.txt) holds one step a line, comments after '#':
#
#     NAME  BUILD  NEEDS  TARGET [VARIABLE=VALUE]...
#
# Steps of one BUILD come in turn, as they stand in the lists. Those of different
# ones run side by side, as one mostly waits for a single program or for a clock;
# those of the lists after --in-turn come when all that is done, one at a time.
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
#
# run.sh --lane BUILD LIST... - what it calls itself for: the steps of a BUILD, or
# those of "all", in turn. What they counted is added to $TREE/log/.counts.
set -u
export LC_ALL=C.UTF-8

make=${MAKE:-make}
cc=${CC:-cc}
jobs=${JOBS:-1}
tree=${TREE:-build}
lane=
if [ "${1:-}" = --lane ]; then
    lane=$2
    shift 2
fi

log=$tree/log
mkdir -p "$log"
counts=$log/.counts
broken=$log/.broken
default_limit=${LIMIT:-900}

# The C compiler of BUILD "second", or nothing.
second=clang
# shellcheck disable=SC2086  # a compiler may have options, or another before it
case $($cc --version 2>/dev/null) in
*clang*) second=gcc ;;
esac
command -v "$second" >/dev/null || second=

# Prints why the step with BUILD $1 and NEEDS $2 cannot run, or nothing.
reason_to_skip() {
    if grep -qxe "$1" "$broken"; then
        echo "the build failed"
        return
    fi
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

# Sets passed, failed and skipped from the log $1 of a step that ended with status
# $2. A step cannot fail without a failed test, nor succeed with one.
count_step() {
    sum=$(grep -E '^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' \
        "$1" | tail -n 1)
    if [ -n "$sum" ]; then
        # shellcheck disable=SC2046  # the words of the line
        set -- "$1" "$2" $(echo "$sum" | tr -cd '0-9 ')
        passed=$3
        failed=$4
        skipped=${5:-0}
    else
        passed=1
        failed=0
        skipped=0
        [ "$2" -eq 0 ] || passed=0
    fi
    if [ "$2" -ne 0 ] && [ "$failed" -eq 0 ]; then
        failed=1
    fi
}

# Prints the line of a step: its verdict, its name, its counts, its seconds.
say_step() {
    printf '%-4s  %-18s %s\n' "$1" "$2" "$3"
}

# Prints the sum of $1 passed, $2 failed and $3 skipped tests.
say_sum() {
    sum="$1 passed, $2 failed"
    [ "$3" -eq 0 ] || sum="$sum, $3 skipped"
    echo "$sum"
}

# Runs one step, NAME BUILD NEEDS TARGET..., prints what came of it, and adds its
# counts to those of all.
run_step() {
    name=$1
    build=$2
    needs=$3
    shift 3
    reason=$(reason_to_skip "$build" "$needs")
    if [ -n "$reason" ]; then
        echo 0 0 1 >>"$counts"
        say_step skip "$name" "$reason"
        return
    fi

    case $build in
    main)
        set -- "$@" BUILD="$tree/check" CC="$cc" TEST_LDFLAGS="$linker"
        ;;
    san)
        set -- "$@" BUILD="$tree/san" CC="$cc" SAN=1 TEST_LDFLAGS="$linker"
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
    echo "$passed $failed $skipped" >>"$counts"
    words="$(say_sum "$passed" "$failed" "$skipped")  (${took} s)"
    if [ "$failed" -eq 0 ]; then
        say_step ok "$name" "$words"
        [ "$skipped" -eq 0 ] || grep '^skip ' "$log/$name"
        return
    fi

    say_step FAIL "$name" "$words"
    case $name in
    build*) echo "$build" >>"$broken" ;;
    esac
    tail -n 300 "$log/$name" | sed 's/^/      | /'
    echo "      again: make $*"
}

# Prints the steps of the lists, one a line, without comments.
steps_of() {
    sed -e 's/#.*//' -e "s|{TREE}|$tree|g" "$@" | awk 'NF > 0'
}

if [ -n "$lane" ]; then
    linker=$LINKER
    werror=$WERROR
    # The flags of the calling make are not for ours, which choose their own.
    unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES BUILD SAN FUZZER
    unset WERROR LIMIT LINKER
    export SETUP=no

    steps_of "$@" >"$log/.steps.$lane"
    while read -r line <&3; do
        # shellcheck disable=SC2086  # the words of a step
        set -- $line
        if [ "$lane" = all ] || [ "$2" = "$lane" ]; then
            run_step "$@" >"$log/.said.$lane"
            flock "$broken" cat "$log/.said.$lane" || exit 1
        fi
    done 3<"$log/.steps.$lane"
    exit 0
fi

# Linking the programs of the tests, each with the whole library, takes as long
# as compiling them: the quickest linker that $cc knows does it.
LINKER=
for linker in lld gold; do
    # shellcheck disable=SC2086
    if echo 'int main(void) { return 0; }' |
        $cc -fuse-ld="$linker" -x c - -o "$log/linked" 2>/dev/null; then
        LINKER=-fuse-ld=$linker
        rm -f "$log/linked"
        break
    fi
done
export LINKER
export WERROR="${WERROR:-}"

began=$(date +%s)
: >"$counts"
: >"$broken"
lists=
in_turn=
last=
for list; do
    if [ "$list" = --in-turn ]; then
        last=yes
    elif [ ! -r "$list" ]; then
        echo "run.sh: cannot read the list '$list'" >&2
        exit 2
    elif [ -n "$last" ]; then
        in_turn="$in_turn $list"
    else
        lists="$lists $list"
    fi
done

# xargs, as what the shell itself starts beside it would ignore SIGINT.
# shellcheck disable=SC2086  # the lists
[ -z "$lists" ] || steps_of $lists | awk '!seen[$2]++ { print $2 }' |
    xargs -P "$jobs" -I '{}' "$0" --lane '{}' $lists ||
    echo 0 1 0 >>"$counts"
# shellcheck disable=SC2086
[ -z "$in_turn" ] || "$0" --lane all $in_turn || echo 0 1 0 >>"$counts"

echo "($(($(date +%s) - began)) s)"
# shellcheck disable=SC2046  # three numbers
set -- $(awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0 }' \
    "$counts")
say_sum "$@"
[ "$2" -eq 0 ] && [ "$1" -gt 0 ]
