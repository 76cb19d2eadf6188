#!/bin/sh
# run.sh [--most N] [--often N] [--only NAME] FAULTS KIND... - tries every case
# of cases.txt with every KIND of fault (faults.c), several at once (JOBS). A case
# that bears all faults of a kind, or those that the options leave of them, is a
# passed test; one that waits more than it works is tried in parts, all at once,
# and each is a test.
#
# Environment: CPROF_LEAKS, FIXTURES, FAULT_ALLOCATOR (failing_malloc.so), JOBS.
set -u
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "$0")" && pwd)

# Makes the files that cases name in the working folder.
prepare() {
    ln -s "$FIXTURES" fixtures
    cp -R "$here/files/." .
    echo http://127.0.0.1:1/hook >hook
    echo old >answer
    echo old >metrics.prom
    "$CPROF_LEAKS" --write-baseline known.yaml -q fixtures/seed.debug1.txt
    for i in 0 1 2 3 4 5; do
        "$CPROF_LEAKS" check -q --history api.db \
            "fixtures/corpus/series_leak/1.24/snap0$i.debug1.txt"
    done
    "$CPROF_LEAKS" check -q --history alert.db -c 100 --save saved \
        fixtures/seed.debug1.txt >alert
    mkdir many
    i=-1
    while [ "$((i += 1))" -lt 130 ]; do
        ln -s ../pool.debug2.txt "many/20261121T0$((i / 60))$((i / 10 % 6))$((
            i % 10))00.txt"
    done
    "$CPROF_LEAKS" history add -q many.db many/*
    "$CPROF_LEAKS" history add -q labels.db \
        fixtures/corpus/labels/1.27/labels.debug2.txt
    "$CPROF_LEAKS" export --to pprof -O crash.pb.gz \
        fixtures/corpus/crash/1.27/nested.panic.txt
    "$CPROF_LEAKS" export --to jsonl -O exported.jsonl pool.debug2.txt
    "$CPROF_LEAKS" export --to pprof -O exported.pb.gz \
        fixtures/corpus/labels/1.27/labels.debug2.txt
    ln -s "$dir/large" large.debug2.txt
}

# Prints a dump that two threads share, 42 MB.
large() {
    awk 'BEGIN {
        for (id = 1; id <= 120000; id++) {
            depth = id * 7 % 13
            printf "goroutine %d [chan receive, %d minutes]:\n", id, id % 90
            for (i = 0; i <= depth; i++)
                printf "main.step%d(0xc0000%05x)\n\t/srv/m.go:%d +0x1d\n",
                    i, id, i + id % 3
            printf "\n"
        }
    }'
}

# One trial: --one DIR FAULTS MOST OFTEN KIND:NAME:I/N leaves its output and
# status in DIR.
if [ "${1:-}" = --one ]; then
    IFS=: read -r kind name part <<END
$6
END
    trial=$2/$kind-$name-${part%/*}
    export FAULT_FOLDER="$trial" FAULT_ASIDE="$trial.aside"
    mkdir "$FAULT_FOLDER" "$FAULT_ASIDE"
    cp -R "$2/template/." "$FAULT_FOLDER"
    status=0
    "$3" "$kind" --most "$4" --often "$5" --part "$part" "$here/cases.txt" \
        "$name" >"$trial.out" 2>&1 || status=$?
    echo "$status" >"$trial.status"
    exit 0
fi

most=1000000000
often=0
only=
while :; do
    case ${1:-} in
    --most) most=$2 ;;
    --often) often=$2 ;;
    --only) only=$2 ;;
    *) break ;;
    esac
    shift 2
done
if [ $# -lt 2 ]; then
    echo "usage: run.sh [--most N] [--often N] [--only NAME] FAULTS KIND..."
    exit 2
fi
faults=$1
shift
FIXTURES=$(cd "${FIXTURES:-fixtures}" && pwd)
export FIXTURES
# What a run says depends on nothing but the command line. A sanitizer is not
# the first of the loaded libraries here, and must not stop at that.
export HOME=/nonexistent TZ=UTC COLUMNS=80 SOURCE_DATE_EPOCH=1795255200
export CPROF_LEAKS_NOSYSTEM=1 XDG_CONFIG_HOME=/nonexistent
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0"
unset http_proxy https_proxy all_proxy HTTPS_PROXY ALL_PROXY

# Every run writes its folder anew: in memory, where that has room.
room=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
if [ "${room:-0}" -ge 1048576 ] && [ -w /dev/shm ]; then
    dir=$(mktemp -d -p /dev/shm)
else
    dir=$(mktemp -d)
fi
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
mkdir "$dir/template"
large >"$dir/large"
(cd "$dir/template" && prepare) || exit 2

parts=8

# list_trials WAITS KIND... - "KIND:NAME:PART" a line, of the cases that wait
# (1) or of those that do not (0).
list_trials() {
    waits=$1
    shift
    for kind; do
        sed 's/#.*//' "$here/cases.txt" |
            awk -v kind="$kind" -v only="$only" -v waits="$waits" \
                -v parts="$parts" '
                NF && (only == "" || only == $1) && ($2 ~ /,waits/) == waits {
                    n = waits && kind ~ /memory|lasting/ ? parts : 1
                    for (i = 1; i <= n; i++)
                        print kind ":" $1 ":" i "/" n
                }'
    done
}

# run_trials N FILE - runs the trials in the file, N at once.
run_trials() {
    xargs -P "$1" -I '{}' "$0" --one "$dir" "$faults" "$most" "$often" '{}' <"$2"
}

list_trials 1 "$@" >"$dir/waiting"
list_trials 0 "$@" >"$dir/working"
run_trials "$parts" "$dir/waiting" &
run_trials "${JOBS:-1}" "$dir/working"
wait

passed=0
failed=0
while IFS=: read -r kind name part; do
    trial=$dir/$kind-$name-${part%/*}
    said="$kind:$name"
    [ "$part" = 1/1 ] || said="$said, part $part"
    read -r status <"$trial.status"
    if [ "$status" -eq 0 ]; then
        passed=$((passed + 1))
        echo "ok    $said: $(tail -n 1 "$trial.out")"
    else
        failed=$((failed + 1))
        echo "FAIL  $said: status $status"
        tail -n 100 "$trial.out" | sed 's/^/    | /'
    fi
done <<END
$(cat "$dir/waiting" "$dir/working")
END
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
