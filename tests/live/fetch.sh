#!/bin/sh
# Real servers, good and bad ones, are asked: what is read, and that each failure
# is status 2 and one line that names the address, what failed and what to check.
# Waits: servers let wait until a time is over.
. "$(dirname "$0")/support/lib.sh"

. "$(dirname "$0")/support/servers.sh"

# serve FILE COMMAND... - starts servers that print "NAME=PORT" lines, the last
# of them "ready=1", and reads these in.
serve() {
    file=$1
    shift
    ready=
    : >"$file"
    "$@" >"$file" 2>"$file.err" &
    servers="$servers $!"
    tries=0
    while ! grep -q ready "$file" && [ "$tries" -lt 300 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
    # shellcheck disable=SC1090  # made by our own servers
    . "$file"
    [ -n "$ready" ] || {
        cat "$file.err"
        echo "the servers did not start"
        exit 1
    }
}

# ask ARGUMENT... - runs the program; sets status, leaves files out and err.
# Everything that is ever printed is collected in all.
ask() {
    status=0
    "$CPROF_LEAKS" "$@" >"$dir/out" 2>"$dir/err" </dev/null || status=$?
    cat "$dir/out" "$dir/err" >>"$dir/all"
}

# works NAME ARGUMENT... - status 0, and the dump was read.
works() {
    name=$1
    shift
    ask "$@"
    same "$name: status, and nothing on standard error" "0 " \
        "$status $(cat "$dir/err")"
    says "$name: it was read" "$dir/out" "goroutines"
}

# refused NAME WORDS ARGUMENT... - status 2, no answer, and one line that holds
# the last argument's host and the words, which are separated by "|".
refused() {
    what=$1
    words=$2
    shift 2
    ask "$@"
    same "$what: status and answer" "2 " "$status $(cat "$dir/out")"
    same "$what: one line" 1 "$(grep -c . "$dir/err")"
    echo "$words" | tr '|' '\n' >"$dir/words"
    while read -r word; do
        says "$what: the message" "$dir/err" "$word"
    done <"$dir/words"
    unknown "$what" "$@"
}

# The same failure is an UNKNOWN of check, on standard output, and nothing else.
unknown() {
    what=$1
    shift
    # What breaks once only, and what is no failure of an address.
    case " $* " in
        *" --leak-profile "* | *" --targets "* | *"/flaky-body"*) return ;;
    esac
    status=0
    "$CPROF_LEAKS" check --history "$dir/api.db" --no-user-rules "$@" \
        >"$dir/out" 2>"$dir/err" </dev/null || status=$?
    cat "$dir/out" "$dir/err" >>"$dir/all"
    same "check of $what" "3 CPROF_LEAKS UNKNOWN -" \
        "$status $(cut -d ' ' -f 1-3 "$dir/out" | head -n 1)$(cat "$dir/err")"
}

build_go tls servers
good=0 other=0 expired=0 strict=0 plain=0 web=0 proxy=0 silent=0 ssh=0
serve "$dir/go" "$dir/servers" "$dir"
serve "$dir/python" python3 "$here/support/bad_servers.py" "$dir"
go=127.0.0.1:$plain
web=127.0.0.1:$web

# --- What is read ---

works "host and port" "$go"
says "the shortest pause: debug=0" "$dir/out" "debug=0" \
    "http://$go/debug/pprof/goroutine"
works "port alone" ":$plain"
works "an address" "http://$go"
works "debug=1" --debug 1 "http://$go/"
says "debug=1: its form" "$dir/out" "debug=1"
works "debug=2" --debug 2 "http://$go/admin/debug/pprof/"
says "debug=2: its form and path" "$dir/out" "debug=2" "/admin/debug/pprof/"
works "a whole path" "http://$go/debug/pprof/heap?debug=1"
ask "$go/debug/pprof/threadcreate"
says "another profile" "$dir/out" "threadcreate"
works "a unix socket" "unix:$dir/go.sock"
says "a unix socket: its name" "$dir/out" "unix:$dir/go.sock:/debug/pprof/"
works "a unix socket and its path" "unix:$dir/go.sock:/debug/pprof/allocs"
works "--unix-socket" --unix-socket "$dir/go.sock" http://api/
works "a redirect" "$web/redirect"
ask -o json --instance api "$web/ok"
says "--instance names a single address" "$dir/out" '"instance": "api"'
ask -o json "$web/ok"
says "a single address has no name otherwise" "$dir/out" '"instance": null'
works "over TLS" --cacert "$dir/ca.pem" "https://localhost:$good"
works "over TLS to whomever" --insecure "https://localhost:$expired"
works "a certificate of the client" --cacert "$dir/ca.pem" \
    --cert "$dir/client.pem" --key "$dir/client.key" "https://localhost:$strict"

ask -o json "$go" "$web/ok" "unix:$dir/go.sock" "$here/fetch.sh"
same "several and one that is wrong: status" 2 "$status"
same "several: those that answer are instances" \
    "$go $web $dir/go.sock" "$(python3 -c '
import json, sys
print(*[s["instance"] for s in json.load(sys.stdin)["snapshots"]])' \
        <"$dir/out")"
ask export --to folded "$web/ok"
same "export: what it printed" "0 main.work 3" \
    "$status $(cat "$dir/out")"

cat >"$dir/targets.json" <<END
[{"targets": ["$go"], "labels": {"instance": "canary", "zone": "b"}},
 {"targets": ["$web"], "labels": {"__profile_path__": "/admin/debug/pprof/"}}]
END
ask --targets "$dir/targets.json" -o json
same "targets: instances and labels" \
    "0 canary {'instance': 'canary', 'zone': 'b'} $web None" \
    "$status $(python3 -c '
import json, sys
for snapshot in json.load(sys.stdin)["snapshots"]:
    print(snapshot["instance"], snapshot["labels"], end=" ")' <"$dir/out" |
        sed 's/ $//')"

# --- The leak profile ---

ask --leak-profile auto -o json "http://$web"
same "leak profile: it proves" "0 True" "$status $(python3 -c '
import json, sys
print(any(s["proof"] for s in json.load(sys.stdin)["snapshots"]))' \
    <"$dir/out")"
works "no leak profile" --leak-profile auto "http://$web/admin/debug/pprof"
says "no leak profile: a warning" "$dir/out" "no goroutineleak profile" \
    "Go 1.27"
refused "a leak profile beside nothing" "$web/ok|ends in /goroutine" \
    -q --leak-profile auto "$web/ok"

# --- What fails for a moment ---

works "a proxy without a server, once" "$web/flaky-status"
works "a body that breaks off, once" "$web/flaky-body"
works "a connection that breaks, once" "$web/flaky-reset"
refused "no second attempt" "bytes of the answer" --retries 0 \
    "$web/flaky-body?seconds=1"

# --- What fails ---

refused "nobody there" \
    "http://127.0.0.1:1/debug/pprof/goroutine: |Connection refused|the port" \
    --retries 0 127.0.0.1:1
refused "no such host" "nobody.invalid|cannot be resolved" --retries 0 \
    nobody.invalid:6060
refused "no such socket" "unix:$dir/no.sock|cannot connect|socket" \
    "unix:$dir/no.sock"
refused "a server that is silent" "no whole answer within 1 s|0 bytes" \
    --timeout 1s "127.0.0.1:$silent"
refused "a server that is slow" "$web/slow|no whole answer|--timeout" \
    --timeout 1s "$web/slow"
refused "TLS that is silent" "no connection by TLS within 1 s" \
    --timeout 1s "https://127.0.0.1:$silent"
refused "a body without end" "$web/endless|larger than 8,388,608 bytes" \
    --max-download 8M "$web/endless"
refused "a body that ends early" "$web/truncated|broke after" "$web/truncated"
refused "chunks that end early" "broke after" "$web/truncated-chunks"
refused "a reset" "$web/reset|broke after" "$web/reset"
refused "no answer" "$web/nothing|without an answer|https://" "$web/nothing"
refused "another protocol" "does not speak HTTP|port" "127.0.0.1:$ssh"
refused "redirects without end" "$web/loop|redirects" "$web/loop"
refused "a redirect to a file" "redirects to a protocol" "$web/file"

# --- What comes instead ---

refused "404" "status 404|404 page not found|net/http/pprof" "$go/nothing"
refused "no such profile" "Unknown profile" "$go/debug/pprof/nothing"
refused "TLS is asked for" "status 400|https://" "http://localhost:$good/"
refused "a login page" "web page|login" "$web/html"
refused "a redirect to it" "redirected to http://$web/html?...: |web page" \
    "$web/login"
refused "JSON" "this is JSON" "$web/json"
refused "nothing" "status 200 and no body" "$web/empty"
refused "a proxy's error" "status 502, '<html>'|proxy" --retries 0 \
    "$web/gateway"
refused "escapes" "\\x1b[31mred" "$web/escapes"

# --- On a terminal ---

script -qec "'$CPROF_LEAKS' --timeout 2s '$web/slow'" /dev/null \
    >"$dir/terminal" 2>&1 </dev/null
says "a long download" "$dir/terminal" "fetching: 0 of 1 done, " "bytes so far"
script -qec "'$CPROF_LEAKS' -q --timeout 1s '$web/slow'" /dev/null \
    >"$dir/terminal" 2>&1 </dev/null
same "a long download with -q" 0 "$(grep -c fetching: "$dir/terminal")"

# --- Certificates ---

refused "plain HTTP" "does not speak TLS|http://" "https://$go"
refused "an unknown authority" "not known here|--cacert" \
    "https://localhost:$good"
refused "a name that is another's" "for another name" --cacert "$dir/ca.pem" \
    "https://localhost:$other"
refused "an expired certificate" "has expired" --cacert "$dir/ca.pem" \
    "https://localhost:$expired"
refused "no certificate of the client" "--cert" --cacert "$dir/ca.pem" \
    "https://localhost:$strict"
refused "a file without certificates" "--cacert" --cacert "$dir/go" \
    "https://localhost:$good"
refused "a certificate that is not there" "--cert" --cacert "$dir/ca.pem" \
    --cert "$dir/none.pem" "https://localhost:$strict"

# --- Certificates of receivers, which have options of their own ---

# tells ADDRESS ARGUMENT... - a run that has something to tell a receiver, which
# takes no POST: status 404 is what comes over a connection that was made.
tells() {
    echo "$1" >"$dir/hook"
    shift
    rm -f "$dir"/tell.db*
    ask check --history "$dir/tell.db" --webhook-file "$dir/hook" "$@" \
        "$FIXTURES/seed.debug1.txt"
    same "a receiver: the status is that of the leak" 2 "$status"
}
tells "https://localhost:$good/hook" --cacert "$dir/ca.pem" --insecure
says "a receiver of an unknown authority" "$dir/err" \
    "webhook (localhost:$good): not delivered" "--notify-cacert"
tells "https://localhost:$good/hook" --notify-cacert "$dir/ca.pem"
says "a receiver of a known authority" "$dir/err" "status 404"
tells "https://localhost:$expired/hook" --notify-cacert "$dir/ca.pem"
says "a receiver whose certificate has expired" "$dir/err" "has expired"
tells "https://localhost:$strict/hook" --notify-cacert "$dir/ca.pem"
says "a receiver that wants a certificate" "$dir/err" "--notify-cert"
tells "https://localhost:$strict/hook" --notify-cacert "$dir/ca.pem" \
    --notify-cert "$dir/client.pem" --notify-key "$dir/client.key"
says "a receiver that gets it" "$dir/err" "status 404"

# --- Credentials ---

echo ann:hunter2 >"$dir/user"
echo t0ken-of-nobody >"$dir/bearer"
works "basic, from a file" -v --user-file "$dir/user" "$web/basic"
works "bearer, from a file" -v --bearer-file "$dir/bearer" "$web/bearer"
export CPROF_LEAKS_USER=ann:hunter2
works "basic, from the environment" "$web/basic"
works "a redirect to another server" "$web/away"
same "credentials stay where they were sent" \
    "second GET /ok -" "$(grep '^second' "$dir/requests")"
refused "another server wants them" "status 401|to the same host only" \
    "$web/away-basic"
refused "they do not fit" "status 401|does not take these" "$web/bearer"
refused "they are quoted" "status 403|Basic ***" "$web/echo"
refused "they are quoted by what is no dump" "Basic ***" "$web/echo_ok"
refused "they are nobody's business" "cannot connect" --retries 0 127.0.0.1:1

# The list of processes, while a request hangs.
"$CPROF_LEAKS" --timeout 5s "$web/slow" >>"$dir/all" 2>&1 &
hanging=$!
sleep 0.5
tr '\0' ' ' <"/proc/$hanging/cmdline" >"$dir/processes"
says "a request that hangs" "$dir/processes" "$web/slow"
cat "$dir/processes" >>"$dir/all"
kill "$hanging" 2>/dev/null
wait "$hanging" 2>/dev/null
unset CPROF_LEAKS_USER
export CPROF_LEAKS_BEARER=t0ken-of-nobody
works "bearer, from the environment" -o json "$web/bearer"
refused "a token is quoted" "status 403|Bearer ***" "$web/echo"
works "and to another server" "$web/away"
same "tokens stay where they were sent" 2 \
    "$(grep -c '^second GET /ok -$' "$dir/requests")"
unset CPROF_LEAKS_BEARER
refused "nobody asks" "status 401|--user-file" "$web/basic"
refused "a password in the address" "--user-file" "http://ann:hunter2@$web/"
works "a token in a query" -o json "$web/ok?token=s3cret"
refused "a query is quoted" "status 500|GET /repeat?*** HTTP" \
    "$web/repeat?token=s3cret"
same "no secret was ever printed" "" \
    "$(grep -nE 'hunter2|t0ken-of|s3cret|YW5uOmh1bnRlcjI' "$dir/all")"

# --- Proxies ---

export http_proxy="http://127.0.0.1:$proxy" https_proxy="http://127.0.0.1:$proxy"
works "by a proxy" "http://$web/ok"
same "the proxy was asked" "proxy GET http://$web/ok -" \
    "$(grep '^proxy' "$dir/requests")"
refused "a proxy that refuses" "proxy|https_proxy" "https://localhost:$good"
no_proxy=127.0.0.1 works "not by a proxy" "http://$web/ok"
http_proxy=http://127.0.0.1:1
refused "a proxy that does not run" "to port 1, where a proxy|http_proxy" \
    --retries 0 "http://$web/ok"
http_proxy=http://nobody.invalid:3128
refused "a proxy that is not there" "name of the proxy" "http://$web/ok"
unset http_proxy https_proxy

# --- libcurl ---

loads() {
    LD_DEBUG=libs "$CPROF_LEAKS" "$@" 2>&1 >/dev/null </dev/null |
        grep -c 'init: .*libcurl'
}

# The static program has it inside.
if [ -z "${STATIC:-}" ]; then
    same "--version does not load libcurl" 0 "$(loads --version)"
    same "a file does not load libcurl" 0 "$(loads "$FIXTURES/seed.debug1.txt")"
    same "an address does" 1 "$(loads "$web/ok")"
    mkdir "$dir/lib"
    echo "no library" >"$dir/lib/libcurl.so.4"
    cp "$dir/lib/libcurl.so.4" "$dir/lib/libcurl-gnutls.so.4"
    export LD_LIBRARY_PATH="$dir/lib"
    refused "without libcurl" "libcurl|package libcurl4" "$web/ok"
    ask "$FIXTURES/seed.debug1.txt"
    same "without libcurl: a file" 1 "$status"
    ask "$FIXTURES/seed.debug1.txt" "$web/ok"
    same "without libcurl: a file beside an address" "2 1" \
        "$status $(grep -c . "$dir/err")"
    says "without libcurl: the file was read" "$dir/out" "CRITICAL"
fi

finish
