#!/bin/sh
# Dumps of two processes that began alike are added up, though their goroutines
# have the same ids; two dumps of one process are not.
# shellcheck disable=SC2119  # the replica has no options
. "$(dirname "$0")/support/lib.sh"
program=replica
. "$(dirname "$0")/support/server.sh"

fetch() {
    curl -s "http://$address/debug/pprof/goroutine?debug=2" >"$dir/$1"
    same "$1: fetched" 0 "$?"
}

# goroutines DUMP... - how many the answer counts in all of them.
goroutines() {
    "$CPROF_LEAKS" -o json "$@" >"$dir/out" 2>"$dir/err"
    sed -n 's/^ *"goroutines": \([0-9]*\),*$/\1/p' "$dir/out" | head -n 1
}

# With one processor the ids come in one order.
export GOMAXPROCS=1
start
fetch first
fetch later
stop
start
fetch other # once more, so that the dump is not the very same
fetch other
stop
cd "$dir" || exit 2

first=$(goroutines first)
later=$(goroutines later)
other=$(goroutines other)
same "a dump is counted" "$(grep -c '^goroutine ' other)" "$other"
same "two processes" $((first + other)) "$(goroutines first other)"
same "two processes: nothing is said" 0 "$(grep -c same-process out)"
cat first other >both
same "one input: the last is judged" "$other" "$(goroutines both)"
says "one input: it is said" out '"code": "other-processes"' "replicas"
same "one process" "$later" "$(goroutines first later)"
says "one process: it is said" out '"code": "same-process"' "are one process"
finish
