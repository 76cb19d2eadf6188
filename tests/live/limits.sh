#!/bin/sh
# Every limit of what is read says so when it is reached, and what is on this
# side of it is counted (docs/security.md has the list).
. "$(dirname "$0")/support/lib.sh"

python3 "$here/support/limits.py" "$dir"
cd "$dir" || exit 2
export CPROF_LEAKS_NOSYSTEM=1 XDG_CONFIG_HOME=/nonexistent

# limit FILE GOROUTINES CODE WORDS [OPTION]... - one input that reaches one.
limit() {
    file=$1
    goroutines=$2
    code=$3
    words=$4
    shift 4
    "$CPROF_LEAKS" -o json "$@" "$file" >out 2>err
    says "$file: is said" out "\"code\": \"$code\"" "$words"
    same "$file: the rest is counted" "$goroutines" \
        "$(sed -n 's/^ *"goroutines": \([0-9]*\),*$/\1/p' out | head -n 1)"
}

limit frames 2 deep-stack "more than 1024 frames"
limit labels 2 many-labels "64 labels"
limit line 2 long-lines "longer than 1048576 bytes"
limit name 2 long-lines "longer than 1048576 bytes"
limit names 2 long-names "longer than 4096 bytes"
limit names0 2 long-names "longer than 4096 bytes"
limit dumps 1 many-dumps "more than 256 dumps"
limit processes 4096 many-processes "more than 4096 processes"
limit stacks 200000 memory-limit "the memory limit was reached" --max-memory 2M
same "stacks: none is said to be cut" 0 "$(grep -c cut-tail out)"
limit labels0 2 many-labels "64 labels"
limit labels1 2 many-labels "64 labels"
limit texts 2 damaged "larger than the memory limit" --max-memory 4M
limit functions 40000 memory-limit "parts of the profile were not kept" \
    --max-memory 1M
same "functions: no name is said to be missing" 0 "$(grep -c missing-names out)"
"$CPROF_LEAKS" -o json --max-memory 4M loki >out 2>err
says "loki: what was left out is said" out '"code": "memory-limit"' \
    "to put them in order" '"complete": false'
"$CPROF_LEAKS" -o json --max-memory 4M turned >out 2>err
says "turned: what was left out is said" out '"code": "memory-limit"' \
    "to read from its end" '"complete": false'
"$CPROF_LEAKS" packed >out 2>err
same "packed: status" 2 $?
says "packed: is said" err "compressed more than once"

# 5,000 goroutines wait for a lock each, and 7 more for one: who holds it is
# found among the few locks that are looked at, and the others are counted.
awk 'function waits(id, lock) {
        printf "goroutine %d [sync.Mutex.Lock, 2 minutes]:\n" \
            "internal/sync.(*Mutex).lockSlow(0xc%09x)\n" \
            "\t/usr/local/go/src/internal/sync/mutex.go:149 +0x15d\n" \
            "main.(*conn).write(0xc%09x)\n\t/src/conn.go:31 +0x2b\n" \
            "created by main.main in goroutine 1\n\t/src/main.go:9 +0x5c\n\n",
            id, lock + 8, lock
    }
    BEGIN {
        for (i = 1; i <= 5000; i++)
            waits(100 + i, i * 4096)
        for (i = 1; i <= 7; i++)
            waits(10 + i, 0)
        printf "goroutine 9 [IO wait, 2 minutes]:\n" \
            "main.(*conn).flush(0xc000000000)\n\t/src/conn.go:77 +0x2b\n"
    }' >locks
"$CPROF_LEAKS" -o json locks >out 2>err
says "locks: the one with the most waiters is shown" out \
    '"address": "0xc000000008"' '"waiters": 7, "locks": 5001,' \
    '"goroutine": 9'
same "locks: nobody waits for all of them" 0 \
    "$(grep -c '"waiters": [0-9][0-9]' out)"

# 100,000 inputs in one call, with few descriptors; and more than there is
# memory for.
printf 'goroutine profile: total 1\n1 @ 0x43e1ab 0x4b2001\n#\t0x4b2000\tmain.f+0x40\t/m.go:7\n' >one
many=$(yes one | head -n 100000)
# shellcheck disable=SC2086,SC3045 # words; the sh of Debian has ulimit -n
(ulimit -n 32 && "$CPROF_LEAKS" -o json $many) >out 2>err
same "many inputs: status" 0 $?
same "many inputs: errors" 0 "$(wc -l <err)"
same "many inputs: goroutines" 100000 \
    "$(sed -n 's/^ *"goroutines": \([0-9]*\),*$/\1/p' out | head -n 1)"
# shellcheck disable=SC2086
"$CPROF_LEAKS" --max-memory 8M $many >out 2>err
same "too many inputs: status" 2 $?
same "too many inputs: errors" 3 "$(wc -l <err)"
says "too many inputs: are said" err "more inputs were not read" --max-memory
finish
