#!/bin/sh
# Texts of a dump that mean something to a terminal, a browser, a chat, a CI
# server or a monitoring system go through every writer, and come out as texts.
. "$(dirname "$0")/support/lib.sh"

hostile=$here/support/hostile.py
cd "$dir" || exit 2
python3 "$hostile" make .

# harmless NAME FILE WHAT - one test: nothing of FILE means anything.
harmless() {
    same "$3" "" "$(python3 "$hostile" check "$1" "$2")"
}

for dump in stacks counts panic; do
    for form in text json html markdown junit sarif github; do
        "$CPROF_LEAKS" --no-user-rules -o $form --all $dump >out 2>err
        harmless $form out "$dump as $form"
        harmless stderr err "$dump as $form: stderr"
    done
    for key in stack site function creator package state "label:=cmd|x"; do
        "$CPROF_LEAKS" --no-user-rules --group-by "$key" $dump >out 2>&1
        harmless text out "$dump by $key"
    done
    "$CPROF_LEAKS" --no-user-rules --tree -v $dump >out 2>&1
    harmless text out "$dump as a tree"
    for form in folded speedscope jsonl; do
        "$CPROF_LEAKS" export --to $form $dump >out 2>err
        harmless $form out "$dump to $form"
        harmless stderr err "$dump to $form: stderr"
    done
done
grep -q evil out
same "and the texts are there" 0 $?

# Twice, so that history and growth speak as well.
for n in 1 2; do
    "$CPROF_LEAKS" check --no-user-rules --history api.db --textfile m.prom \
        --instance "$(printf 'a\033[1m|b\nc')" --warning-at low stacks \
        >out 2>err
    harmless plugin out "check, run $n"
    harmless stderr err "check, run $n: stderr"
    harmless metrics m.prom "metrics, run $n"
done

# The alerts that it sends, as their receivers get them.
mkdir got
python3 "$here/support/receiver.py" got >port &
receiver=$!
trap 'kill "$receiver" 2>/dev/null; rm -rf "$dir"' EXIT
tries=0
while [ ! -s port ] && [ "$tries" -lt 100 ]; do
    tries=$((tries + 1))
    sleep 0.1
done
hook=http://127.0.0.1:$(cat port)
for to in slack teams webhook; do
    echo "$hook/$to" >$to.address
done
echo 0123456789abcdef0123456789abcdef >key
"$CPROF_LEAKS" check --no-user-rules --history sent.db --warning-at low \
    --instance "$(printf 'a\033[1m<!channel>\nc')" --slack-file slack.address \
    --teams-file teams.address --webhook-file webhook.address \
    --pagerduty-file key --pagerduty-url "$hook/pagerduty" \
    --alertmanager "$hook/alertmanager" stacks >out 2>err
harmless stderr err "alerts: stderr"
same "alerts: all are delivered" "" "$(cat err)"
for to in slack teams webhook pagerduty alertmanager; do
    number=$(sed -n "s,^\([0-9]*\)|200|/${to}[|/].*,\1,p" got/messages | head -n 1)
    harmless "$to" "got/${number:-none}" "an alert to $to"
    same "an alert to $to has the text" 1 \
        "$(grep -q evil "got/${number:-none}" && echo 1)"
done

for words in "list" "show" "list -o json" "show -o json"; do
    # shellcheck disable=SC2086  # words and options
    "$CPROF_LEAKS" history $words api.db >out 2>&1
    harmless text out "history $words"
done

# What is wrong is said in words of the input, too.
evil=$(printf 'a\033]0;x\007\302\233b\342\200\256c\nd')
cp stacks "$evil"
for words in "none" "$evil.missing" "http://127.0.0.1:1/$evil" \
    "--focus=($evil" "--label=$evil" "--output=$evil" "--$evil" \
    "--rules=$evil" "--baseline=$evil" "history:$evil.db" "help $evil"; do
    "$CPROF_LEAKS" "$words" >out 2>err
    harmless stderr err "an error about $(printf %s "$words" | head -c 9)"
    same "and it is one" 1 "$(head -c 12 err | grep -c 'cprof-leaks')"
done
"$CPROF_LEAKS" help "$evil" >out 2>err
harmless stderr err "a command that is none"
"$CPROF_LEAKS" --no-user-rules "$evil" >out 2>err
harmless text out "the name of a file"
"$CPROF_LEAKS" export --to folded "$evil" >out 2>err
harmless stderr err "the name of a file in a warning"
rm -rf "$dir"
finish
