#!/bin/sh
# What is written when somebody else has been there first, or the system takes
# no more: links, folders that are not ours, devices, files that may not grow,
# readers that go away. A file is old or new, and nothing lies beside it.
. "$(dirname "$0")/support/lib.sh"

dump=$FIXTURES/seed.debug1.txt
leak=$FIXTURES/corpus/chan_send_leak/1.27/chan_send_leak.debug1.txt
cd "$dir" || exit 2
export CPROF_LEAKS_NOSYSTEM=1 XDG_CONFIG_HOME=/nonexistent
umask 022

# run ARGUMENT... - the status; leaves what was said in out and err.
run() {
    "$CPROF_LEAKS" "$@" >"$dir/out" 2>"$dir/err" </dev/null
    echo $?
}

# --- Links ---

mkdir links && echo precious >precious
ln -s ../precious links/answer
same "-O over a link: status" 1 "$(run -o json -O links/answer "$dump")"
same "-O over a link does not follow it" precious "$(cat precious)"
same "-O over a link replaces it" "regular file" "$(stat -c %F links/answer)"
ln -sf ../elsewhere links/known.yaml
run -q --write-baseline links/known.yaml "$dump" >/dev/null
same "nor does a baseline" "regular file" "$(stat -c %F links/known.yaml)"
same "and makes nothing elsewhere" missing \
    "$([ -e elsewhere ] || echo missing)"
ln -sf ../precious links/m.prom
run check --history links/api.db --textfile links/m.prom "$dump" >/dev/null
same "nor do metrics" "precious regular file" \
    "$(cat precious) $(stat -c %F links/m.prom)"
ln -sf ../precious links/b.db.lock
same "a lock that is a link is refused" 3 \
    "$(run check --history links/b.db "$leak")"
same "and was not touched" precious "$(cat precious)"
ln -sf ../precious links/c.db
same "a link to something else is no history" 3 \
    "$(run check --history links/c.db "$leak")"
says "and called so" out "not an SQLite file"
same "and was not touched either" precious "$(cat precious)"

# --- Who may read ---

same "an answer has the mode of the umask" 644 "$(stat -c %a links/answer)"
(umask 077 && run -O private "$leak" >/dev/null)
same "whatever it is" 600 "$(stat -c %a private)"
same "a history is its owner's" 600 "$(stat -c %a links/api.db)"
run check --save kept --history links/s.db "$dump" >/dev/null
same "the folder of dumps as well" 700 "$(stat -c %a kept)"

# --- What cannot be written ---

for bad in nowhere/answer precious/answer .; do
    same "-O $bad: status" 2 "$(run -O "$bad" "$dump")"
    same "-O $bad: is said" 1 "$(grep -c "^cprof-leaks: $bad: cannot " err)"
done
for words in "-O /dev/full" "-o json -O /dev/full" "-o html -O /dev/full" \
    "export --to pprof -O /dev/full" "export --to folded -O /dev/full"; do
    # shellcheck disable=SC2086  # words and options
    same "$words: status" 2 "$(run $words "$dump")"
    says "$words: is said" err "No space left on device"
done
for words in "$dump" "-o json $dump" "export --to pprof $dump" "rules list" \
    "rules explain --all" "--version" "--help" "help analyze" \
    "completion bash" "help --man"; do
    # shellcheck disable=SC2086  # words and options
    "$CPROF_LEAKS" $words >/dev/full 2>err
    same "$words >/dev/full: status" 2 $?
    says "$words >/dev/full: is said" err "No space left on device"
done
"$CPROF_LEAKS" check --history links/d.db "$leak" >/dev/full 2>err
same "check >/dev/full: status" 3 $?
says "check >/dev/full: is said" err "No space left on device"

# A reader that goes away is no trouble: the verdict stays.
for words in "$dump" "-o html $dump" "export --to jsonl $leak" \
    "rules explain --all" "help --man"; do
    # shellcheck disable=SC2086  # words and options
    said=$( (
        "$CPROF_LEAKS" $words 2>err
        echo $? >status
    ) | true)
    case $words in
    "$dump" | "-o html"*) expected="1 " ;;
    *) expected="0 " ;;
    esac
    same "$words | true" "$expected" "$(cat status) $said$(cat err)"
done

# --- Descriptors ---

{
    echo before
    "$CPROF_LEAKS" -O /dev/stdout "$leak"
    "$CPROF_LEAKS" -O /dev/fd/1 "$leak"
    "$CPROF_LEAKS" -O /proc/self/fd/1 "$leak"
    echo behind
} >>both
same "/dev/stdout is written where it stands" "before 3 behind" \
    "$(head -n 1 both) $(grep -c '^Read$' both) $(tail -n 1 both)"
mkfifo pipe
timeout 60 head -n 1 pipe >first &
same "a pipe is written" 1 "$(run -O pipe "$dump")"
wait
same "and read" 1 "$(grep -c CRITICAL first)"

same "nothing lies beside what was written" "" \
    "$(find . -name '*.??????' ! -name '*.*.*' ! -name 'known.yaml' |
        grep -v -e '\.prom$' -e '\.db$')"
rm -rf "$dir"
finish
