#!/bin/sh
# Runs of check over days, told by a clock that is set: what becomes of alerts
# while nobody looks.
. "$(dirname "$0")/support/lib.sh"
. "$(dirname "$0")/support/servers.sh"

# A program that has a runtime of its own to load first, as that of a sanitizer,
# cannot be told another time.
cat >"$dir/clock.c" <<'END'
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *ret)
{
    const char *now = getenv("NOW");

    if (clock != CLOCK_REALTIME || !now)
        return (int)syscall(SYS_clock_gettime, clock, ret);
    *ret = (struct timespec){.tv_sec = atol(now)};
    return 0;
}
END
if ! "${CC:-cc}" -shared -fPIC -o "$dir/clock.so" "$dir/clock.c" 2>/dev/null ||
    ! NOW=0 LD_PRELOAD="$dir/clock.so" "$CPROF_LEAKS" --version \
        >/dev/null 2>&1; then
    echo "the clock of a program cannot be set here"
    exit 77
fi

mkdir "$dir/got"
python3 "$here/support/receiver.py" "$dir/got" >"$dir/port" &
servers="$servers $!"
await_text "$dir/port"
printf 'http://127.0.0.1:%s/hook\n' "$(cat "$dir/port")" >"$dir/hook"

# dump NAME STATE COUNT - writes a dump of so many goroutines.
dump() {
    awk -v n="$3" -v state="$2" 'BEGIN {
        print "goroutine 1 [select]:\nmain.main()\n\t/app/main.go:9 +0x1d\n"
        for (i = 1; i <= n; i++)
            print "goroutine " i + 20 " [" state "]:\nmain.work(0xc000010000)" \
                "\n\t/app/box.go:18 +0x44\ncreated by main.main\n\t/app/main.go:5 +0x1\n"
    }' >"$dir/$1"
}

# watch HOUR INSTANCE NAME ARGUMENT... - one run at an hour.
watch() {
    now=$((1795000000 + $1 * 3600))
    instance=$2
    name=$3
    shift 3
    NOW=$now LD_PRELOAD="$dir/clock.so" "$CPROF_LEAKS" check --service api \
        --history "$dir/api.db" --no-user-rules --instance "$instance" \
        --webhook-file "$dir/hook" "$@" - <"$dir/$name" >"$dir/out" 2>"$dir/err"
}

# messages - the events and instances of all messages, in order.
messages() {
    python3 - "$dir/got" <<'END'
import json, os, sys
folder = sys.argv[1]
names = [name for name in os.listdir(folder) if name.isdigit()]
for name in sorted(names, key=int):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        for alert in json.load(file)["alerts"]:
            print(alert["event"], alert["instance"], alert["resolved_as"],
                  end="; ")
END
}

# --- A pod is replaced by another ---

dump leak "chan send" 20000
dump well "select" 3
watch 0 pod-a leak
hour=1
while [ "$hour" -le 20 ]; do
    watch "$hour" pod-b well
    hour=$((hour + 1))
done
same "what nobody asks for fires for a day" "firing pod-a None; " "$(messages)"
while [ "$hour" -le 40 ]; do
    watch "$hour" pod-b well
    ! grep -q "no longer watched" "$dir/out" || cp "$dir/out" "$dir/end"
    hour=$((hour + 1))
done
same "and ends then, once" \
    "firing pod-a None; resolved pod-a unwatched; " "$(messages)"
says "which the run says" "$dir/end" "; resolved as no longer watched: " \
    "pod-a: no run asks for it any more"

finish
