#!/bin/sh
# run.sh [--bless] [CASE...] - runs golden command lines and compares what they
# print with what is stored.
#
# A case is a folder tests/cli/GROUP/NAME with
#     cmd      a shell script, run by sh in an empty scratch folder
#     stdout   what it has to print; a missing file means nothing
#     stderr   the same for standard error
#     status   its exit status; a missing file means 0
#     unwatched  why it cannot be watched by valgrind; it is skipped then
# and any files of its own. The script finds
#     $CPROF_LEAKS   the program
#     $FIXTURES      the folder of dumps: "fixtures", a link in the scratch
#                    folder, so that no path of this machine is printed
#     $CASE          the case's own folder: "case", a link too
# and otherwise an environment that is the same everywhere: LC_ALL=C.UTF-8,
# TZ=UTC, COLUMNS=80, CPROF_LEAKS_NOSYSTEM=1, HOME and TMPDIR in the scratch
# folder, PATH; standard input is empty.
#
# CASE is GROUP/NAME, a GROUP or a path to one; without any all are run. --bless
# stores what is printed instead, and shows the difference; what died by a
# signal or took too long is not stored.
#
# Environment: CPROF_LEAKS, FIXTURES, JOBS; CASES_DIR (the folder of this script)
# is where cases are looked for; with VALGRIND=1 each run of the program is
# watched by valgrind, and a finding fails the case.
set -u
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "$0")" && pwd)
self=$here/$(basename "$0")
cases_dir=$(cd "${CASES_DIR:-$here}" && pwd) || exit 2

# Makes the scratch folder of a case in $1 and, with VALGRIND=1, a program that
# runs the real one under valgrind, which writes its findings to $2.
prepare() {
    scratch=$1
    memcheck=$2
    mkdir -p "$scratch/home" "$memcheck"
    ln -s "$FIXTURES" "$scratch/fixtures"
    ln -s "$case_dir" "$scratch/case"
    program=$CPROF_LEAKS
    if [ -n "${VALGRIND:-}" ]; then
        program=$memcheck/cprof-leaks
        cat >"$program" <<END
#!/bin/sh
exec "$here/../memcheck.sh" --log-file="$memcheck/log.%p" "$CPROF_LEAKS" "\$@"
END
        chmod +x "$program"
    fi
}

# Runs the case's script; leaves stdout, stderr and status in folder $1.
run_script() {
    status=0
    (
        cd "$scratch" || exit 125
        env -i PATH="$PATH" HOME="$scratch/home" TMPDIR="$scratch/home" \
            LC_ALL=C.UTF-8 TZ=UTC COLUMNS=80 CPROF_LEAKS="$program" \
            CPROF_LEAKS_NOSYSTEM=1 FIXTURES=fixtures CASE=case \
            CPROF_LEAKS_NOCONFINE="${CPROF_LEAKS_NOCONFINE:-}" \
            ASAN_OPTIONS="${ASAN_OPTIONS:-}" UBSAN_OPTIONS="${UBSAN_OPTIONS:-}" \
            timeout "${VALGRIND:+10}60" sh case/cmd
    ) >"$1/stdout" 2>"$1/stderr" </dev/null || status=$?
    echo "$status" >"$1/status"
}

# Prints the differences between the stored and the printed $1 in folder $2.
difference() {
    stored=$case_dir/$1
    if [ ! -f "$stored" ]; then
        stored=$dir/absent
        if [ "$1" = status ]; then echo 0; fi >"$stored"
    fi
    diff -u --label "stored $1" --label "printed $1" "$stored" "$2/$1"
}

# Stores file $1 of folder $2 with the case; what is usual has no file.
store() {
    cp "$2/$1" "$case_dir/$1"
    if [ ! -s "$2/$1" ] || { [ "$1" = status ] && [ "$status" -eq 0 ]; }; then
        rm "$case_dir/$1"
    fi
}

# One case: --one DIR CASE_DIR. Its verdict goes to a file in DIR, its
# differences to standard output as one piece.
if [ "${1:-}" = --one ]; then
    case_dir=$3
    name=${case_dir#"$cases_dir"/}
    dir=$2/$(echo "$name" | tr / =)
    mkdir -p "$dir/got"
    if [ -n "${VALGRIND:-}" ] && [ -f "$case_dir/unwatched" ]; then
        echo skipped >"$dir/verdict"
        echo "skip  $name: $(cat "$case_dir/unwatched")"
        exit 0
    fi
    prepare "$dir/scratch" "$dir/memcheck"
    run_script "$dir/got"
    read -r status <"$dir/got/status"

    for file in stdout stderr status; do
        difference "$file" "$dir/got"
    done >"$dir/report"
    verdict=ok
    if [ -s "$dir/report" ]; then
        verdict=FAIL
        if [ -n "${BLESS:-}" ] && [ "$status" -lt 124 ] &&
            [ "$status" -ne 99 ]; then
            verdict=blessed
            for file in stdout stderr status; do
                store "$file" "$dir/got"
            done
        fi
    fi
    [ "$status" -ne 124 ] || echo "it took too long" >>"$dir/report"
    # Each run leaves a log, an empty one when there is nothing to say. Without
    # any the program was not watched; cat then says so.
    if [ -n "${VALGRIND:-}" ]; then
        cat "$dir"/memcheck/log.* >"$dir/findings" 2>&1
        cat "$dir/findings" >>"$dir/report"
        [ ! -s "$dir/findings" ] || verdict=FAIL
    fi

    echo "$verdict" >"$dir/verdict"
    if [ "$verdict" != ok ]; then
        {
            echo "$verdict  $name: sh $name/cmd"
            sed 's/^/    | /' "$dir/report"
        } >"$dir/shown"
        cat "$dir/shown"
    fi
    rm -rf "$dir/scratch"
    exit 0
fi

CPROF_LEAKS=$(realpath "${CPROF_LEAKS:-build/release/cprof-leaks}")
FIXTURES=$(realpath "${FIXTURES:-fixtures}")
if [ ! -x "$CPROF_LEAKS" ]; then
    echo "run.sh: there is no program '$CPROF_LEAKS'" >&2
    exit 2
fi
BLESS=
if [ "${1:-}" = --bless ]; then
    BLESS=yes
    shift
fi
CASES_DIR=$cases_dir
export CPROF_LEAKS FIXTURES BLESS CASES_DIR

# The folders to look in: those of the arguments, or all.
[ $# -gt 0 ] || set -- "$cases_dir"
found=$(
    for where; do
        [ -d "$where" ] && [ "${where#/}" != "$where" ] ||
            where=$cases_dir/${where#tests/cli/}
        find "${where%/}" -name cmd -type f
    done | sed 's,/cmd$,,' | sort -u
)
if [ -z "$found" ]; then
    echo "run.sh: there is no case" >&2
    exit 2
fi

# What was stored for a case that has no command would never be compared.
orphans=$(find "$cases_dir" \( -name stdout -o -name stderr -o -name status \
    -o -name unwatched \) -type f | while read -r file; do
    [ -f "${file%/*}/cmd" ] || echo "$file"
done)
if [ -n "$orphans" ]; then
    echo "run.sh: stored, but without a cmd beside it:" >&2
    echo "$orphans" >&2
    exit 2
fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
printf '%s\n' "$found" | xargs -P "${JOBS:-1}" -n 1 "$self" --one "$dir"

count() {
    cat "$dir"/*/verdict | grep -c "^$1\$"
}
total=$(echo "$found" | wc -l)
passed=$(($(count ok) + $(count blessed)))
skipped=$(count skipped)
failed=$((total - passed - skipped))
[ -z "$BLESS" ] || echo "blessed: $(count blessed)"
sum="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || sum="$sum, $skipped skipped"
echo "$sum"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
