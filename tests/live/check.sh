#!/bin/sh
# A real server is watched by check: healthy, leaking, started anew, and not
# there. CHECK_RUNS (40) is how often a healthy one under changing load is
# looked at.
# Waits: growth is measured over seconds.
. "$(dirname "$0")/support/lib.sh"
. "$here/support/server.sh"

unset http_proxy https_proxy all_proxy no_proxy HTTPS_PROXY ALL_PROXY NO_PROXY
runs=${CHECK_RUNS:-40}

# check ARGUMENT... - one run; sets status, leaves its lines in out.
check() {
    status=0
    "$CPROF_LEAKS" check --history "$dir/api.db" --no-user-rules "$@" \
        >"$dir/out" 2>"$dir/err" </dev/null || status=$?
}

# What the first line says: the word behind the name, and where an alert
# stands.
word() {
    sed -n '1s/^CPROF_LEAKS \([A-Z]*\) - .*; pending (\([0-9] of [0-9]\)).*/\1 \2/p
        t
        1s/^CPROF_LEAKS \([A-Z]*\) - .*/\1/p' "$dir/out"
}

# until WORD MOST ARGUMENT... - runs once a second until the first line says
# WORD, and notes what each said, one after the other, in said.
until_word() {
    wanted=$1
    most=$2
    shift 2
    said=
    while [ "$most" -gt 0 ]; do
        most=$((most - 1))
        sleep 0.5
        check --instance api --debug 2 "$@" "$address"
        said="$said$(word), "
        [ "$(word)" != "$wanted" ] || return
    done
}

# --- A leak, from its beginning to the restart ---

start -wait
check --instance api --debug 2 "$address"
same "healthy: status" 0 "$status"
says "healthy: a baseline" "$dir/out" "CPROF_LEAKS OK - " "baseline stored"
check --instance api --debug 2 "$address"
same "healthy, again" "0 OK" "$status $(word)"

# So fast a leak reaches any limit that people set within a day.
never=100000000000
kill -USR1 "$server"
until_word WARNING 40 --limit "$never" --save "$dir/kept"
case $said in
    "OK, "*"OK 1 of 3, OK 2 of 3, WARNING, ") order=right ;;
    *) order=$said ;;
esac
same "leaking: OK, pending twice, WARNING" right "$order"
same "leaking: status" 1 "$status"
says "leaking: where" "$dir/out" "main.(*feed).publish main.go:$(line_of grow)" \
    "chan send" "an hour" "to do: "
evidence=$(sed -n 's/^ *evidence: //p' "$dir/out" | head -n 1)
same "leaking: the dump is kept for its owner" "600" \
    "$(stat -c %a "$evidence" 2>&1)"
"$CPROF_LEAKS" --no-user-rules "$evidence" >"$dir/answer" 2>&1
says "leaking: and can be read" "$dir/answer" "main.(*feed).publish"

# By the limit after three runs, or at once when a rule says so of one dump.
until_word CRITICAL 4
same "at the limit: status" 2 "$status"

stop
check --instance api "$address"
same "not there: the alert stays" "2 CRITICAL" "$status $(word)"
says "not there: and why it was not looked for" "$dir/out" \
    "cannot connect" "not looked for"

start
check --instance api --debug 2 "$address"
says "started anew" "$dir/out" "the process restarted" "not seen in the last 1"
until_word OK 4
same "started anew: the alert goes" "CRITICAL, OK, " "$said"
says "started anew: and says so" "$dir/out" "resolved: "
stop

# --- Evidence of the cheap form ---

start
check --instance ranged --save "$dir/both" -c 1 "$address"
same "a range is left" 2 "$status"
same "a range is left: both dumps are kept" "dump.pb.gz stacks.txt" \
    "$(find "$dir/both" -type f | sed 's/.*_//' | sort | tr '\n' ' ' |
        sed 's/ $//')"
says "a range is left: the alert names the stacks" "$dir/out" \
    "evidence: $(echo "$dir"/both/*stacks.txt)"
"$CPROF_LEAKS" --no-user-rules "$dir"/both/*stacks.txt >"$dir/answer" 2>&1
says "a range is left: the stacks can be read" "$dir/answer" "debug=2"

# --- What a monitoring system reads ---

if perl -MMonitoring::Plugin -e 1 2>/dev/null; then
    check --instance figures -w 10000 -c ~:20000 -w findings=5 "$address"
    head -n 1 "$dir/out" | perl -MMonitoring::Plugin::Performance -ne '
        my ($text, $figures) = split /\|/;
        for (Monitoring::Plugin::Performance->parse_perfstring($figures)) {
            printf "%s %s %s %s\n", $_->label, $_->uom // "",
                $_->warning // "", $_->critical // "";
        }' >"$dir/figures" 2>&1
    same "the figures, as Monitoring::Plugin reads them" \
        "goroutines  10000 ~:20000;findings  5 ;time s  ;" \
        "$(tr '\n' ';' <"$dir/figures")"
else
    echo "skipped: figures are not parsed (libmonitoring-plugin-perl is missing)"
fi

# --- Other runs, time and signals ---

mkfifo "$dir/fifo"
"$CPROF_LEAKS" check --history "$dir/api.db" --instance locked -t 20 \
    "$dir/fifo" >"$dir/first" 2>&1 &
first=$!
sleep 0.5
check --instance locked "$address"
same "another run has it: status" 3 "$status"
says "another run has it" "$dir/out" "UNKNOWN - another run of check"
kill -TERM "$first"
first_status=0
wait "$first" || first_status=$?
same "a signal: status" 3 "$first_status"
says "a signal" "$dir/first" "CPROF_LEAKS UNKNOWN - the run was ended by a signal"
check --instance locked "$address"
same "the lock is free again" 0 "$status"
late_status=0
"$CPROF_LEAKS" check --history "$dir/api.db" --instance late -t 1 "$dir/fifo" \
    >"$dir/late" 2>&1 || late_status=$?
same "the end of the time: status" 3 "$late_status"
says "the end of the time" "$dir/late" "longer than --timeout allows"

# A program that was stopped takes connections and says nothing.
"$dir/server" >"$dir/hung" 2>&1 &
hung=$!
await_text "$dir/hung"
kill -STOP "$hung"
{
    printf '[{"targets": ["%s"], "labels": {"instance": "first"}}' "$address"
    for n in 1 2 3 4 5 6 7 8 9; do
        printf ', {"targets": ["%s"], "labels": {"instance": "hung-%s"}}' \
            "$(head -n 1 "$dir/hung")" "$n"
    done
    printf ', {"targets": ["%s"], "labels": {"instance": "last"}}]' "$address"
} >"$dir/targets.json"
mkdir "$dir/times"
check -t 8 -c 1 --textfile "$dir/times" --targets "$dir/targets.json"
kill -KILL "$hung"
wait "$hung" 2>/dev/null
same "many that hang: status" 2 "$status"
says "many that hang: the others are judged" "$dir/out" \
    "11 targets, 2 critical, 9 unknown" "first: CRITICAL" "last: CRITICAL" \
    "no whole answer within"
same "many that hang: the metrics are written" "2 9" "$(
    grep -c '_success{.*} 1' "$dir"/times/*.prom
) $(grep -c '_success{.*} 0' "$dir"/times/*.prom)"
stop

# --- A healthy server under changing load ---

start -load
loud=
n=0
while [ "$n" -lt "$runs" ]; do
    n=$((n + 1))
    check --instance load "$address"
    [ "$status" -eq 0 ] || loud="$loud$(head -n 1 "$dir/out") "
    sleep 0.2
done
same "healthy under changing load, $runs runs: nobody is woken" "" "$loud"

stop

# --- A clock that jumps ahead ---

# later DAYS - makes everything that the history knows older by so many days.
later() {
    python3 -c '
import sqlite3, sys
history = sqlite3.connect(sys.argv[1])
us = int(sys.argv[2]) * 86400 * 1000000
history.execute("UPDATE snapshot SET taken_us = taken_us - ?", (us,))
history.execute("UPDATE instance SET run_us = run_us - ?, "
                "success_us = success_us - ?", (us, us))
history.commit()' "$dir/clock.db" "$1"
}

# clocked - one run over a dump that comes by a pipe; sets kept to how many
# snapshots there are.
clocked() {
    printf 'goroutine 1 [select]:\nmain.main()\n\t/app/main.go:9 +0x1d\n' |
        "$CPROF_LEAKS" check --history "$dir/clock.db" - >"$dir/out"
    kept=$("$CPROF_LEAKS" history show -o json "$dir/clock.db" |
        grep -c '"id"')
}

clocked
later 40
clocked
same "forty days ahead: nothing is dropped" 2 "$kept"
clocked
same "in the run behind it the clock is believed" 2 "$kept"

finish
