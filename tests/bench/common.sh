# common.sh - what bench.sh and memory.sh share; read with `.`, not run.
#
# Environment: CPROF_LEAKS, GENDUMP, REPEATDUMP, MEASURE and CHECKTRUTH are the
# programs; where they are not set, those of build/release are taken.
# shellcheck shell=sh

export LC_ALL=C
CPROF_LEAKS=${CPROF_LEAKS:-build/release/cprof-leaks}
tools=$(dirname "$CPROF_LEAKS")/gen
GENDUMP=${GENDUMP:-$tools/gendump}
REPEATDUMP=${REPEATDUMP:-$tools/repeatdump}
FIXTURES=${FIXTURES:-fixtures}
MEASURE=${MEASURE:-$tools/measure}
CHECKTRUTH=${CHECKTRUTH:-$tools/checktruth}

for program in "$CPROF_LEAKS" "$GENDUMP" "$REPEATDUMP" "$MEASURE" "$CHECKTRUTH"
do
    if [ ! -x "$program" ]; then
        echo "${0##*/}: there is no program '$program'" >&2
        exit 2
    fi
done

# Prints the middle one of the numbers in column $2 (1) of the lines of $1; of
# an even number of them, the upper one of the two in the middle.
median() {
    awk -v column="${2:-1}" '{ print $column }' "$1" | sort -g |
        awk '{ at[NR] = $1 } END { print at[int(NR / 2) + 1] }'
}

# Prints the largest number in column $2 of the lines of $1.
largest() {
    awk -v column="$2" '$column > most { most = $column } END { print most }' \
        "$1"
}

# Answers as JSON. $1 is where the time and the memory go, the other arguments
# are the program's. Succeeds when there was an answer: statuses 0 and 1.
answer() {
    measured=$1
    shift
    status=0
    "$MEASURE" -o "$measured" "$CPROF_LEAKS" -o json --all "$@" || status=$?
    [ "$status" -le 1 ]
}
