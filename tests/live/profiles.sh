#!/bin/sh
# Profiles that measure, from a real Go server and from `go tool pprof`: our
# table is that of -top, line by line, also of differences, of CPU profiles and
# with filters.
. "$(dirname "$0")/support/lib.sh"

server=
stop() {
    [ -z "$server" ] || kill "$server" 2>/dev/null
    [ -z "$server" ] || wait "$server" 2>/dev/null
    server=
}
trap 'stop; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

fixtures=${FIXTURES:-fixtures}
export PPROF_TMPDIR="$dir" GOTOOLCHAIN=local GOPROXY=off

# The rows of a table with single blanks; names as reports have them, and
# without what pprof says of inlining.
rows() {
    awk '/^ +flat +flat%/ { inside = 1; next }
        inside && (NF == 0 || $1 == "...") { exit }
        inside { $1 = $1; print }' |
        sed 's/%2e/./; s/\[go\.shape.*\]/[...]/; s/ (inline)$//
            s/ (partial-inline)$//; s,[^ ]*vendor/,,'
}

# compare PROFILE TYPE [PPROF-OPTION...] - the same rows by that sample type.
# Our options are pprof's with one dash more, but for -cum.
tables=0
lines=0
compare() {
    profile=$1
    type=$2
    shift 2
    go tool pprof -top -nodecount=1000000 -sample_index="$type" "$@" \
        "$profile" 2>"$dir/err" >"$dir/table"
    rows <"$dir/table" >"$dir/theirs"
    options=
    for option; do
        case $option in
        -cum) options="$options --sort cum" ;;
        *) options="$options -$option" ;;
        esac
    done
    # shellcheck disable=SC2086  # options have no blanks
    "$CPROF_LEAKS" --top 1000000 --sample-type "$type" $options "$profile" \
        2>"$dir/err" | rows >"$dir/ours"
    # Lines with the same values are ordered by name, which pprof takes whole;
    # what they add up to so far (sum%) then differs line by line.
    if grep -q vendor/ "$dir/table"; then
        for table in theirs ours; do
            awk '{ $3 = "-"; print }' "$dir/$table" >"$dir/sorted"
            sort -o "$dir/$table" "$dir/sorted"
        done
    fi
    same "$profile by $type $*" "" \
        "$(diff "$dir/theirs" "$dir/ours" | head -n 6)"
    tables=$((tables + 1))
    lines=$((lines + $(grep -c . "$dir/theirs")))
}

heap_types="alloc_objects alloc_space inuse_objects inuse_space"

# --- Filters, orders and differences ---

old=$fixtures/corpus/everything/1.24/everything.heap.debug0.pb.gz
new=$fixtures/corpus/everything/1.24/everything.allocs.debug0.pb.gz
go tool pprof -proto -diff_base "$old" -output "$dir/diff.pb.gz" "$new" \
    >"$dir/out" 2>&1
go tool pprof -proto -diff_base "$new" -output "$dir/shrank.pb.gz" "$old" \
    >"$dir/out" 2>&1
go tool pprof -proto -base "$new" -output "$dir/base.pb.gz" "$old" \
    >"$dir/out" 2>&1
for type in $heap_types; do
    for profile in "$new" "$dir/diff.pb.gz" "$dir/shrank.pb.gz" \
        "$dir/base.pb.gz"; do
        compare "$profile" "$type"
        compare "$profile" "$type" -focus=net/http
        compare "$profile" "$type" -ignore='^main'
        compare "$profile" "$type" -hide='^runtime\.'
        compare "$profile" "$type" -cum
    done
done
"$CPROF_LEAKS" "$dir/shrank.pb.gz" >"$dir/out"
says "a difference says so" "$dir/out" "the difference of two allocs profiles" \
    "what is below zero became less"

# --- A real server ---

build_go server server
"$dir/server" -leak >"$dir/address" 2>"$dir/server.err" &
server=$!
await_text "$dir/address"
read -r address <"$dir/address"

# fetch FILE PATH
fetch() {
    curl -sf -o "$dir/$1" "http://$address/debug/pprof/$2"
    same "fetching $2" 0 "$?"
}

# What the server does meanwhile is to write profiles, which costs CPU time.
(while curl -s -o "$dir/noise" "http://$address/debug/pprof/goroutine"; do
    :
done) &
noise=$!
fetch cpu.pb.gz "profile?seconds=1"
fetch delta.pb.gz "allocs?seconds=1"
kill "$noise"
wait "$noise" 2>/dev/null
fetch heap.pb.gz "heap?gc=1"
fetch heap.txt "heap?gc=1&debug=1"
fetch threads.pb.gz threadcreate
fetch goroutines.pb.gz "goroutine?seconds=1"
fetch dump.txt "goroutine?debug=2"

compare "$dir/cpu.pb.gz" cpu
compare "$dir/cpu.pb.gz" samples
for type in $heap_types; do
    compare "$dir/heap.pb.gz" "$type"
    compare "$dir/delta.pb.gz" "$type"
done
"$CPROF_LEAKS" "$dir/cpu.pb.gz" >"$dir/out"
says "a CPU profile says what it is not" "$dir/out" "cpu profile: " \
    "over 1." "Stacks are of what ran, not of what waits"
"$CPROF_LEAKS" "$dir/heap.txt" >"$dir/out"
says "the runtime's numbers" "$dir/out" "runtime.MemStats" "HeapAlloc"

# What came and went within a second is no dump to judge.
"$CPROF_LEAKS" --fail-on low "$dir/goroutines.pb.gz" >"$dir/out"
same "goroutines?seconds=1: status" 0 "$?"

"$CPROF_LEAKS" --fail-on none "$dir/heap.pb.gz" "$dir/dump.txt" \
    "$dir/cpu.pb.gz" "$dir/threads.pb.gz" >"$dir/out"
says "all of one process at once" "$dir/out" "main.(*mailbox).deliver" \
    "heap profile, functions" "cpu profile, functions" "threadcreate profile: "
stop

same "tables were compared" yes "$([ "$tables" -gt 80 ] && echo yes)"
same "lines were compared" yes "$([ "$lines" -gt 1000 ] && echo yes)"
finish
