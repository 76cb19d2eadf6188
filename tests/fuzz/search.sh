#!/bin/sh
# search.sh FAST SAFE NAME... - lets libFuzzer look for new inputs, for the
# targets NAME_fuzz: first those in the folder FAST, which only count the edges
# that they reach, then those in SAFE, which have the sanitizers as well.
#
# A search starts from the stored inputs (tests/fuzz/corpus and found, and what
# earlier searches left in FAST/NAME.found) and ends when it has spent FUZZ_TIME
# seconds (60) and found no new edge for FUZZ_QUIET minutes (20; 1 with the
# sanitizers). Both are seconds of its own processor time, so that a machine
# that is busy with other work does not look like a target that is exhausted.
# Between the two, everything found is run with the sanitizers, whose search
# ends after FUZZ_SAFE_TIME seconds at least (FUZZ_TIME, but 300 at most). The
# quicker an input is, the more it is changed: analysis of many stacks is slow.
#
# What reaches an edge that no stored input reaches is added to
# tests/fuzz/found/NAME. Inputs on which a target fails are left in
# FAST/NAME.failed; each is worth a place in tests/fuzz/corpus/NAME under a name
# that says what it was. JOBS is how many targets are searched at once.
set -u

here=$(dirname "$0")
words=$here/words.dict
seconds=${FUZZ_TIME:-60}
quiet=$((${FUZZ_QUIET:-20} * 60))
[ "$seconds" -lt 300 ] && safe_seconds=$seconds || safe_seconds=300
safe_seconds=${FUZZ_SAFE_TIME:-$safe_seconds}
failures_most=20
ticks=$(getconf CLK_TCK)

# Seconds of processor time that the process $1 has used.
spent_by() {
    sed 's/.*) //' "/proc/$1/stat" 2>/dev/null |
        awk -v ticks="$ticks" '{ print int(($12 + $13) / ticks) }'
}

# The number of edges in the last line of progress of the log $1.
edges_in() {
    tail -n 30 "$1" | sed -n 's/^#.* cov: \([0-9]*\) .*/\1/p' | tail -n 1
}

# All executions of the searches in the log $1.
runs_in() {
    awk '/^stat::number_of_executed_units:/ { n += $2 } END { print n + 0 }' \
        "$1"
}

# Watches the search that runs as $1 with the log $2, and ends it after $3
# seconds of which the last $4 were quiet. Adds to spent, and sets edges and
# changed, the time at which the last new edge was found.
watch_search() {
    before=$spent
    while kill -0 "$1" 2>/dev/null; do
        sleep 2
        now=$(spent_by "$1")
        spent=$((before + ${now:-$((spent - before))}))
        now=$(edges_in "$2")
        if [ "${now:-0}" -gt "$edges" ]; then
            edges=$now
            changed=$spent
        fi
        if [ $((spent - changed)) -ge "$4" ] && [ "$spent" -ge "$3" ]
        then
            kill -TERM "$1" 2>/dev/null
            break
        fi
    done
}

# search TARGET LOG SECONDS QUIET PATH... - searches for SECONDS at least, until
# it is quiet, and goes on after a failure unless there are many.
search() {
    target=$1
    log=$2
    least=$3
    until=$4
    shift 4
    spent=0
    changed=0
    edges=0
    : >"$log"
    while :; do
        "$target" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
            -entropic_scale_per_exec_time=1 -dict="$words" \
            -artifact_prefix="$failed/" "$@" >>"$log" 2>&1 &
        search_pid=$!
        watch_search "$search_pid" "$log" "$least" "$until"
        wait "$search_pid"
        [ $((spent - changed)) -lt "$until" ] || [ "$spent" -lt "$least" ] ||
            break
        [ "$(find "$failed" -type f | wc -l)" -lt "$failures_most" ] || break
    done
}

# One line of the table: name, kind of search, and what search() left.
say_search() {
    printf '%-14s %-10s %12s %7s %8s %8s %9s\n' "$1" "$2" "$(runs_in "$log")" \
        "$edges" "$spent" "$((spent - changed))" \
        "$(find "$failed" -type f | wc -l)"
}

# Writes the stored inputs of all readers to the folder $1 as inputs of
# `strained`: behind four bytes that ask for nothing, for a stream that fails
# halfway, and for all of it 81 times with little memory.
add_strained() {
    for reader in answer changes count_profile crash measured protobuf read \
        stacks threads unwrap
    do
        for input in "$here/corpus/$reader"/* "$here/found/$reader"/*; do
            to=$1/$reader-${input##*/}
            [ -f "$input" ] || continue
            printf '\377\0\0\0' | cat - "$input" >"$to-whole"
            printf '\020\0\200\0' | cat - "$input" >"$to-failing"
            printf '\0\024\0\0' | cat - "$input" >"$to-often"
        done
    done
}

# One target: --one FAST SAFE NAME prints its lines of the table.
if [ "${1:-}" = --one ]; then
    name=$4
    kept=$2/$name.found
    failed=$2/$name.failed
    stored=$here/corpus/$name
    found=$here/found/$name
    mkdir -p "$kept" "$failed" "$found"
    # The driver sees every reader, so every reader's inputs are seeds for it.
    if [ "$name" = read ]; then
        stored=$here/corpus
        found=$here/found
    fi
    # So they are for what gives out while any of them reads.
    [ "$name" != strained ] || add_strained "$kept"
    search "$2/${name}_fuzz" "$2/$name.log" "$seconds" "$quiet" \
        "$kept" "$stored" "$found"
    say_search "$name" edges

    rm -rf "$kept.safe"
    mkdir "$kept.safe"
    "$3/${name}_fuzz" -merge=1 -timeout=60 -rss_limit_mb=4096 \
        -artifact_prefix="$failed/" "$kept.safe" "$kept" "$stored" \
        "$found" >"$2/$name.merge.log" 2>&1
    search "$3/${name}_fuzz" "$2/$name.safe.log" "$safe_seconds" 60 "$kept.safe"
    say_search "$name" sanitized

    # Edges alone decide what is stored, not how often each is taken: few files.
    # What covers most of what the stored inputs do not comes first.
    rm -rf "$kept.new"
    mkdir "$kept.new"
    cp "$here/corpus/$name"/* "$here/found/$name"/* "$kept.new" 2>/dev/null
    "$2/${name}_fuzz" -set_cover_merge=1 -use_counters=0 -max_len=65536 \
        "$kept.new" "$kept.safe" "$kept" >>"$2/$name.merge.log" 2>&1
    for input in "$kept.new"/*; do
        [ -e "$here/corpus/$name/${input##*/}" ] ||
            cp "$input" "$here/found/$name"
    done
    exit 0
fi

if [ $# -lt 3 ]; then
    echo "search.sh: there is no fuzz target"
    exit 2
fi
fast=$1
safe=$2
shift 2
trap 'kill 0; exit 130' INT TERM
printf '%-14s %-10s %12s %7s %8s %8s %9s\n' \
    target search executions edges seconds quiet failures
printf '%s\n' "$@" | xargs -P "${JOBS:-1}" -I '{}' "$0" --one "$fast" "$safe" '{}'

passed=0
failed=0
for name; do
    if [ -z "$(find "$fast/$name.failed" -type f)" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL  $name: see $fast/$name.failed"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
