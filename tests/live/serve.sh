#!/bin/sh
# A real Go server answers a real curl, and the program names what was planted
# in it and nothing else, in every format.
# Waits: what the server does is counted.
. "$(dirname "$0")/support/lib.sh"
. "$(dirname "$0")/support/server.sh"

# Pipes what stands at a path of the server into the program; sets status and
# leaves what it prints in files out and err.
ask() {
    path=$1
    shift
    status=0
    curl -s "http://$address$path" |
        "$CPROF_LEAKS" "$@" >"$dir/out" 2>"$dir/err" || status=$?
}

# --- A leak and contention ---

start -leak
for debug in 0 1 2; do
    path="/debug/pprof/goroutine?debug=$debug"

    ask "$path"
    same "debug=$debug: status" 0 "$status"
    same "debug=$debug: nothing on standard error" "" "$(cat "$dir/err")"
    says "debug=$debug: the leak" "$dir/out" "main.(*mailbox).deliver" \
        "main.go:$(line_of leak)" "chan send" " 200 of "
    says "debug=$debug: the contention" "$dir/out" "main.(*accounts).read" \
        "main.go:$(line_of contention)" "sync.Mutex.Lock" " 120 "
    says "debug=$debug: what is normal" "$dir/out" "Normal, set aside"

    ask "$path" --fail-on medium -q
    same "debug=$debug: status with --fail-on medium" 1 "$status"
    same "debug=$debug: -q prints nothing" "" "$(cat "$dir/out")"

    ask "$path" -o json
    same "debug=$debug: the leak as JSON" \
        "200; chan send; medium; main.(*mailbox).deliver" \
        "$(python3 "$here/support/place.py" main.go "$(line_of leak)" \
            <"$dir/out")"
    same "debug=$debug: the contention as JSON" \
        "120; sync.Mutex.Lock; medium; main.(*accounts).read" \
        "$(python3 "$here/support/place.py" main.go "$(line_of contention)" \
            <"$dir/out")"
    same "debug=$debug: the holder" \
        "1; sleep; none; main.(*accounts).reconcile" \
        "$(python3 "$here/support/place.py" main.go "$(line_of holder)" \
            <"$dir/out")"
    same "debug=$debug: the workers" \
        "15; chan receive; info; main.worker" \
        "$(python3 "$here/support/place.py" main.go "$(line_of worker)" \
            <"$dir/out")"
    same "debug=$debug: the tickers" "12; chan receive; info; main.tick" \
        "$(python3 "$here/support/place.py" main.go "$(line_of ticker)" \
            <"$dir/out")"
done
stop

# --- A healthy server ---

start
for debug in 0 1 2; do
    path="/debug/pprof/goroutine?debug=$debug"

    ask "$path" --fail-on medium
    same "healthy, debug=$debug: status" 0 "$status"
    same "healthy, debug=$debug: nothing on standard error" "" \
        "$(cat "$dir/err")"
    ask "$path" -o json
    same "healthy, debug=$debug: severities" "info" \
        "$(python3 -c '
import json, sys
print(*sorted({f["severity"] for f in json.load(sys.stdin)["findings"]}))' \
            <"$dir/out")"
done
ask /debug/pprof/threadcreate?debug=1
same "threads: status" 0 "$status"
says "threads: a count" "$dir/out" "threadcreate"

# --- What is no profile ---

# refused NAME PATH WORDS... - status 2, and one line that has the words.
refused() {
    name=$1
    ask "$2"
    shift 2
    same "$name: status" 2 "$status"
    same "$name: no answer" "" "$(cat "$dir/out")"
    same "$name: one line" 1 "$(grep -c . "$dir/err")"
    says "$name: why" "$dir/err" "$@"
}
refused "a path without pprof" "/nothing/goroutine?debug=1" \
    "404 page not found" "net/http/pprof"
refused "a login page" /login "web page"
refused "a profile that is not there" "/debug/pprof/no-such?debug=1" \
    "Unknown profile"
stop
refused "nobody there" "/debug/pprof/goroutine?debug=1" "the input is empty"

finish
