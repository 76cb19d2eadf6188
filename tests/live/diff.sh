#!/bin/sh
# Two snapshots of a real Go server that leaks beside steady traffic: the leak
# comes first, and the traffic is none. DIFF_SECONDS apart (8), with DIFF_RATE
# (200) leaked a second: the long tier takes a minute, with 20.
# Waits: growth is measured over seconds.
. "$(dirname "$0")/support/lib.sh"
. "$(dirname "$0")/support/server.sh"

fetch() {
    curl -s "http://$address/debug/pprof/goroutine?debug=$1" >"$dir/$1.$2"
    same "debug=$1, $2: fetched" 0 "$?"
}

start -grow "${DIFF_RATE:-200}"
# The dumps keep a sample of the ids: a few of a few goroutines say nothing.
tries=0
while [ "$tries" -lt 150 ]; do
    tries=$((tries + 1))
    n=$(curl -s "http://$address/debug/pprof/goroutine?debug=2" |
        grep -c '^main\.(\*feed)\.publish(')
    [ "${n:-0}" -lt 150 ] || break
    sleep 0.2
done
for debug in 0 1 2; do fetch "$debug" old; done
sleep "${DIFF_SECONDS:-8}"
for debug in 0 1 2; do fetch "$debug" new; done
stop

for debug in 0 1 2; do
    status=0
    "$CPROF_LEAKS" diff "$dir/$debug.old" "$dir/$debug.new" >"$dir/out" \
        2>"$dir/err" || status=$?
    same "debug=$debug: status" 1 "$status"
    same "debug=$debug: nothing on standard error" "" "$(cat "$dir/err")"
    says "debug=$debug: the leak" "$dir/out" "main.(*feed).publish" \
        "main.go:$(line_of grow)" "chan send" "grew from" "CHANGE"
    same "debug=$debug: the first line" \
        "Goroutines blocked sending on a channel" \
        "$(sed -n '1s/^[A-Z]*: //p' "$dir/out")"

    "$CPROF_LEAKS" diff -o json "$dir/$debug.old" "$dir/$debug.new" \
        >"$dir/out" || :
    same "debug=$debug: what grew, and nothing else" \
        "main.(*feed).publish grew" \
        "$(python3 "$here/support/grown.py" <"$dir/out")"
done
"$CPROF_LEAKS" diff "$dir/2.old" "$dir/2.new" >"$dir/out" || :
says "ids" "$dir/out" "those of the start are still there, by their ids"

"$CPROF_LEAKS" diff "$dir/1.old" "$dir/2.new" -o json >"$dir/out" || :
same "two formats" "main.(*feed).publish grew" \
    "$(python3 "$here/support/grown.py" <"$dir/out")"

"$CPROF_LEAKS" diff "$dir/2.new" "$dir/2.new" >"$dir/out"
same "the same twice: status" 0 "$?"
says "the same twice" "$dir/out" "nothing changed among"

finish
