#!/bin/sh
# What check found arrives where it is to arrive: at node_exporter, at a real
# Alertmanager, and at a receiver of webhooks; and no secret anywhere else.
# Waits: alerts have times, and receivers that let wait.
. "$(dirname "$0")/support/lib.sh"

for program in promtool amtool prometheus-alertmanager \
    prometheus-node-exporter; do
    if ! command -v "$program" >/dev/null; then
        echo "there is no $program"
        exit 77
    fi
done

. "$(dirname "$0")/support/servers.sh"

# within SECONDS COMMAND... - waits until a command succeeds.
within() {
    tries=$(($1 * 10))
    shift
    while ! "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        sleep 0.1
    done
}

# A port that nobody listens at now.
free_port() {
    python3 -c '
import socket
with socket.socket() as s:
    s.bind(("127.0.0.1", 0))
    print(s.getsockname()[1])'
}

# --- Servers ---

mkdir "$dir/got" "$dir/metrics" "$dir/am"
python3 "$here/support/receiver.py" "$dir/got" >"$dir/port" &
servers="$servers $!"
within 30 test -s "$dir/port" || exit 1
hook=http://127.0.0.1:$(cat "$dir/port")

printf 'route: {receiver: none}\nreceivers: [{name: none}]\n' >"$dir/am.yml"
am_port=$(free_port)
am=http://127.0.0.1:$am_port
prometheus-alertmanager --config.file="$dir/am.yml" --storage.path="$dir/am" \
    --web.listen-address="127.0.0.1:$am_port" --cluster.listen-address= \
    >"$dir/am.log" 2>&1 &
servers="$servers $!"
node_port=$(free_port)
prometheus-node-exporter --collector.disable-defaults --collector.textfile \
    --collector.textfile.directory="$dir/metrics" \
    --web.listen-address="127.0.0.1:$node_port" >"$dir/node.log" 2>&1 &
servers="$servers $!"
within 30 curl -fsS "$am/-/ready" || exit 1
within 30 curl -fsS "http://127.0.0.1:$node_port/metrics" || exit 1

# --- Runs ---

# A server that is well, and one that leaks. A dump without a time of its own is
# as old as its file, and one that says the same is the same dump: each run has
# another one, with some goroutines more.
well=$dir/well
leak=$dir/leak
n_runs=0
age() {
    n_runs=$((n_runs + 1))
    sed -e "s/total 3\$/total $((n_runs + 2))/" \
        -e "s/^1 @ 0x491321\$/$n_runs @ 0x491321/" \
        "${FIXTURES:-fixtures}/corpus/idle_http/1.27/idle_http.debug1.txt" \
        >"$well"
    sed -e "s/97926/$((n_runs + 97926))/" -e "s/^97908/$((n_runs + 97908))/" \
        "${FIXTURES:-fixtures}/seed.debug1.txt" >"$leak"
}
age

# watch ARGUMENT... - one run for the service api; sets status, leaves files out
# and err. Everything that is ever printed is collected in all.
watch() {
    status=0
    age
    "$CPROF_LEAKS" check --service api --instance api-1 --interval 5m \
        --history "$dir/api.db" "$@" >"$dir/out" 2>"$dir/err" </dev/null ||
        status=$?
    cat "$dir/out" "$dir/err" >>"$dir/all"
}

# count WORD - how many messages went to a path that holds a word.
count() {
    grep -c "$1" "$dir/got/messages" 2>/dev/null || :
}

# last WORD - the newest message to a path that holds a word.
last() {
    cat "$dir/got/$(grep "$1" "$dir/got/messages" | tail -n 1 | cut -d '|' -f 1)"
}

# The alerts that fire at Alertmanager: "severity startsAt endsAt" each.
firing() {
    curl -fsS "$am/api/v2/alerts?active=true" | python3 -c '
import json, sys
for alert in json.load(sys.stdin):
    if alert["labels"]["service"] == "api":
        print(alert["labels"]["severity"], alert["startsAt"], alert["endsAt"])'
}

for kind in webhook slack teams; do
    printf '%s/%s/T0123456/xyzzy42s3cret\n' "$hook" "$kind" >"$dir/$kind"
done
printf 'Authorization: Bearer t0ken-of-nobody\nX-Key: k3y-of-nobody\n' \
    >>"$dir/webhook"
echo 0123456789abcdef0123456789abcdef >"$dir/pagerduty"
everybody="--textfile $dir/metrics --alertmanager $am --webhook-file $dir/webhook
    --slack-file $dir/slack --teams-file $dir/teams
    --pagerduty-file $dir/pagerduty --pagerduty-url $hook/pagerduty"

# shellcheck disable=SC2086  # the words of everybody
tell() {
    watch $everybody "$@"
}

# --- All is well ---

tell "$well"
same "all is well" "0 " "$status $(cat "$dir/err")"
same "nobody is told" no "$(test -e "$dir/got/messages" && echo yes || echo no)"
same "there are metrics" 644 \
    "$(stat -c %a "$dir/metrics/cprof_leaks_api_api-1.prom")"
same "and nothing beside them" 1 "$(find "$dir/metrics" -type f | wc -l)"
says "the metrics" "$dir/metrics/cprof_leaks_api_api-1.prom" \
    'cprof_leaks_success{service="api",target="api-1"} 1' \
    'cprof_leaks_status{service="api",target="api-1"} 0' \
    'cprof_leaks_interval_seconds{service="api",target="api-1"} 300'

# --- A leak ---

tell "$leak"
same "a leak" "2 " "$status $(cat "$dir/err")"
for kind in webhook slack teams pagerduty; do
    same "$kind is told" 1 "$(count "/$kind")"
    # Times and the version change; everything else is golden.
    last "/$kind" | sed -E \
        -e 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/TIME/g' \
        -e "s|$dir/|DIR/|g" \
        -e 's/("version": )"[^"]*"/\1"VERSION"/' >"$dir/body"
    if [ -n "${BLESS:-}" ]; then
        cp "$dir/body" "$here/alerts/$kind.json"
    fi
    if diff -u "$here/alerts/$kind.json" "$dir/body"; then
        same "$kind: the message" 0 0
    else
        same "$kind: the message" "as in $here/alerts/$kind.json" "another"
    fi
done
same "they are told properly" \
    "200|/webhook/T0123456/xyzzy42s3cret|application/json; charset=utf-8|Bearer t0ken-of-nobody|k3y-of-nobody" \
    "$(grep /webhook "$dir/got/messages" | cut -d '|' -f 2-)"
for python in python3 /usr/bin/python3; do
    ! "$python" -c 'import jsonschema' 2>/dev/null || break
    python=
done
if [ -n "$python" ]; then
    last /webhook >"$dir/body"
    same "the webhook's message is what its schema says" "" \
        "$("$python" -m jsonschema -i "$dir/body" \
            "$here/../../docs/alerts.schema.json" 2>&1 |
            grep -v -e Deprecat -e 'from jsonschema')"
fi
firing >"$dir/first"
same "Alertmanager shows it" "critical" "$(cut -d ' ' -f 1 "$dir/first")"
amtool --alertmanager.url="$am" alert query service=api >"$dir/amtool"
says "amtool" "$dir/amtool" "CprofLeaks" "Requests queued on the semaphore"
curl -fsS "http://127.0.0.1:$node_port/metrics" >"$dir/served"
says "node_exporter serves the metrics" "$dir/served" \
    'node_textfile_scrape_error 0' \
    'cprof_leaks_status{service="api",target="api-1"} 2' \
    'cprof_leaks_alert_status{function="github.com/gocolly/colly/v2.(*httpBackend).Do"' \
    'cprof_leaks_goroutines{service="api",target="api-1"} 97929'
promtool check metrics <"$dir/metrics/cprof_leaks_api_api-1.prom" \
    >"$dir/lint" 2>&1
same "promtool check metrics" "0 " "$? $(cat "$dir/lint")"

# --- It stays ---

sleep 1.1
tell "$leak"
same "it stays" "2 " "$status $(cat "$dir/err")"
same "nobody is told again" "1 1 1 1" \
    "$(count /webhook) $(count /slack) $(count /teams) $(count /pagerduty)"
firing >"$dir/second"
same "Alertmanager keeps it" "$(cut -d ' ' -f 1,2 "$dir/first")" \
    "$(cut -d ' ' -f 1,2 "$dir/second")"
same "and for longer" later "$(sort "$dir/first" "$dir/second" | tail -n 1 |
    grep -q -x -f "$dir/first" && echo sooner || echo later)"

# --- Nobody answers ---

tell --timeout 1s --retries 0 http://127.0.0.1:1
same "it cannot be read: what it was stands" 2 "$status"
same "Alertmanager keeps it nevertheless" critical "$(firing | cut -d ' ' -f 1)"
same "nobody is told that it is over" "1 1 1 1" \
    "$(count /webhook) $(count /slack) $(count /teams) $(count /pagerduty)"
says "the metrics say it" "$dir/metrics/cprof_leaks_api_api-1.prom" \
    'cprof_leaks_success{service="api",target="api-1"} 0' \
    'cprof_leaks_status{service="api",target="api-1"} 2'

# --- It is over ---

for _ in 1 2 3 4; do
    tell "$well"
done
same "it is over" "0 " "$status $(cat "$dir/err")"
same "everybody is told once" "2 2 2 2" \
    "$(count /webhook) $(count /slack) $(count /teams) $(count /pagerduty)"
last /slack >"$dir/body"
says "Slack" "$dir/body" '"text": "RESOLVED api: '
last /teams >"$dir/body"
says "Teams" "$dir/body" "RESOLVED: "
last /webhook >"$dir/body"
says "the webhook" "$dir/body" '"event": "resolved"'
last /pagerduty >"$dir/body"
says "PagerDuty" "$dir/body" '"event_action": "resolve"'
same "with the key of what began" 1 \
    "$(cat "$dir/got"/* | grep '"dedup_key"' | sort -u | wc -l)"
same "Alertmanager shows nothing" "" "$(firing)"

# --- Receivers that fail ---

# fails NAME ADDRESS WORDS... - a receiver that cannot be told of a new leak: the
# status is that of the leak, and one line says why.
fails() {
    name=$1
    rm -f "$dir"/api.db*
    printf '%s\nX-Key: k3y-of-nobody\n' "$2" >"$dir/failing"
    shift 2
    watch --slack-file "$dir/failing" --textfile "$dir/metrics" "$leak"
    same "$name: the status is that of the leak" 2 "$status"
    says "$name: the finding is printed" "$dir/out" CRITICAL
    same "$name: one line" 1 "$(grep -c . "$dir/err")"
    says "$name: it says why" "$dir/err" "cprof-leaks: Slack (127.0.0.1" \
        "not delivered" "$@"
    says "$name: it is counted" "$dir/metrics/cprof_leaks_api_api-1.prom" \
        'cprof_leaks_undelivered_alerts{service="api",target="api-1",receiver="slack"} 1'
}

fails "500" "$hook/500/T0123456/xyzzy42s3cret" "status 500"
fails "404" "http://ann:hunter2@${hook#http://}/404/T0123456/xyzzy42s3cret" \
    "status 404" "'Cannot POST /404/***/***'"
same "500 was tried again, and 404 was not" "4 1" \
    "$(count /500/) $(count /404/)"
fails "a redirect" "$hook/302/xyzzy42s3cret" "status 302" "not followed"
fails "no TLS" "https://127.0.0.1:$(cat "$dir/port")/xyzzy42s3cret" "TLS"
fails "refused" http://127.0.0.1:1/T0123456/xyzzy42s3cret "(127.0.0.1:1)" \
    "cannot connect: Connection refused"
before=$(count /slack)
watch --slack-file "$dir/slack" --textfile "$dir/metrics" "$leak"
same "the next run tells it" $((before + 1)) "$(count /slack)"
says "and nothing is left to tell" "$dir/metrics/cprof_leaks_api_api-1.prom" \
    'cprof_leaks_undelivered_alerts{service="api",target="api-1",receiver="slack"} 0'
watch --slack-file "$dir/slack" "$leak"
same "it is told once" $((before + 1)) "$(count /slack)"

# The end of a leak is told as well when its receiver is down at that moment.
rm -f "$dir"/api.db*
watch --slack-file "$dir/slack" "$leak"
echo http://127.0.0.1:1/xyzzy42s3cret >"$dir/failing"
for _ in 1 2 3 4; do
    watch --slack-file "$dir/failing" "$well"
done
before=$(count /slack)
watch --slack-file "$dir/slack" "$well"
same "the end of a leak is told later" $((before + 1)) "$(count /slack)"
last /slack >"$dir/body"
says "the end of a leak" "$dir/body" '"text": "RESOLVED api: '

rm -f "$dir"/api.db*
printf '%s/flaky/xyzzy42s3cret\n' "$hook" >"$dir/failing"
watch --teams-file "$dir/failing" "$leak"
same "busy for a second" "2  2" "$status $(cat "$dir/err") $(count /flaky)"

# --- Secrets ---

# The list of processes, while a receiver lets wait for its answer.
rm -f "$dir"/api.db*
printf '%s/slow/xyzzy42s3cret\n' "$hook" >"$dir/failing"
CPROF_LEAKS_WEBHOOK=$hook/webhook/xyzzy42s3cret "$CPROF_LEAKS" check \
    --history "$dir/api.db" --slack-file "$dir/failing" "$leak" \
    >>"$dir/all" 2>&1 &
slow=$!
within 30 grep -q /slow "$dir/got/messages"
tr '\0' ' ' <"/proc/$slow/cmdline" >"$dir/processes"
says "a run that waits" "$dir/processes" "--slack-file $dir/failing"
cat "$dir/processes" >>"$dir/all"
kill -9 "$slow" 2>/dev/null
wait "$slow" 2>/dev/null
same "a receiver from the environment" 1 \
    "$(grep -c '/webhook/xyzzy42s3cret' "$dir/got/messages")"
same "no secret was printed" "" \
    "$(grep -nE 's3cret|hunter2|t0ken-of|k3y-of|0123456789abcdef0123' "$dir/all")"
same "nor is one in the history or the metrics" "" \
    "$(grep -rlaE 's3cret|hunter2|t0ken-of|k3y-of' "$dir"/api.db* \
        "$dir/metrics")"

# --- Usage ---

# refused NAME WORDS ARGUMENT... - UNKNOWN before anything is done.
refused() {
    name=$1
    words=$2
    shift 2
    watch "$@" "$leak"
    same "$name: status" 3 "$status"
    cat "$dir/out" "$dir/err" >"$dir/both"
    says "$name: the message" "$dir/both" "$words"
}

refused "credentials in the arguments" "belongs into a file" \
    --alertmanager http://ann:hunter2@127.0.0.1:1
echo s3cret >"$dir/failing"
refused "no address" "expected an address" --slack-file "$dir/failing"
: >"$dir/none"
refused "no folder" "ends in .prom" --textfile "$dir/none"
rm "$dir/none"

# What is gone is no mistake of usage: what fires is said, and standard error
# says who was not told.
gone() {
    name=$1
    words=$2
    shift 2
    watch "$@" "$leak"
    same "$name: status" 2 "$status"
    says "$name: the message" "$dir/err" "$words"
}

gone "a file that is gone" "No such file" --slack-file "$dir/none"
gone "a folder that is gone" "cannot write metrics" --textfile "$dir/none"
rm -f "$dir"/api.db*
watch --textfile "$dir/metrics/mine.prom" "$leak"
same "a file of one's own" "2 yes" \
    "$status $([ -s "$dir/metrics/mine.prom" ] && echo yes)"
rm -f "$dir/metrics/mine.prom"
# A target stands in one file, whether it is checked alone or with others.
mkdir "$dir/files"
both="--service web --history $dir/web.db --textfile $dir/files --retries 0"
# shellcheck disable=SC2086  # the words of both
"$CPROF_LEAKS" check $both 127.0.0.1:1 >>"$dir/all" 2>&1
same "one target" cprof_leaks_web_127.0.0.1_1.prom "$(ls -A "$dir/files")"
# shellcheck disable=SC2086
"$CPROF_LEAKS" check $both 127.0.0.1:1 127.0.0.1:2 >>"$dir/all" 2>&1
same "several targets" cprof_leaks_web.prom "$(ls -A "$dir/files")"
says "several targets: all are there" "$dir/files/cprof_leaks_web.prom" \
    'cprof_leaks_success{service="web",target="127.0.0.1:1"} 0' \
    'cprof_leaks_success{service="web",target="127.0.0.1:2"} 0'

if [ "$(id -u)" -eq 0 ]; then
    mkdir "$dir/full"
    if mount -t tmpfs -o size=4k none "$dir/full" 2>/dev/null; then
        head -c 4096 /dev/zero >"$dir/full/zero" 2>/dev/null
        watch --textfile "$dir/full" "$leak"
        same "a full disk: the status is that of the leak" 2 "$status"
        says "a full disk: the message" "$dir/err" "No space left"
        same "a full disk: no part of a file" zero "$(ls -A "$dir/full")"
        umount "$dir/full"
    fi
fi

# --- libcurl ---

mkdir "$dir/lib"
echo "no library" >"$dir/lib/libcurl.so.4"
cp "$dir/lib/libcurl.so.4" "$dir/lib/libcurl-gnutls.so.4"
export LD_LIBRARY_PATH="$dir/lib"
rm -f "$dir"/api.db*
watch --textfile "$dir/metrics" --slack-file "$dir/slack" "$leak"
same "without libcurl: the status is that of the leak" "2 1" \
    "$status $(grep -c . "$dir/err")"
says "without libcurl: the message" "$dir/err" "package libcurl4"
watch --textfile "$dir/metrics" "$leak"
same "without libcurl: metrics need none" "2 " "$status $(cat "$dir/err")"
unset LD_LIBRARY_PATH
before=$(count /slack)
watch --slack-file "$dir/slack" "$leak"
same "with it again: it is told" $((before + 1)) "$(count /slack)"

finish
