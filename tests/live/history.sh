#!/bin/sh
# A history on a disk that becomes full: nothing that was stored is lost, the
# error says what is wrong, and with some room it goes on.
. "$(dirname "$0")/support/lib.sh"

disk=$dir/disk
history=$disk/api.db
mkdir "$disk"
trap 'umount "$disk" 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

if ! mount -t tmpfs -o size=800k none "$disk" 2>/dev/null; then
    echo "nothing can be mounted here: a full disk needs root"
    exit 77
fi

# A dump with stacks that no other has.
dump() {
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
        printf 'goroutine %d [chan send]:\nmain.f%dx%d(0xc000010000)\n' \
            "$i" "$1" "$i"
        printf '\t/src/a/rather/long/path/to/the/file%d.go:%d +0x1d\n\n' \
            "$1" "$i"
    done
}

head -c 400000 /dev/zero >"$disk/ballast"
n=0
while
    new=$dir/api-20261121-$((100000 + n)).txt
    dump $((n + 1)) >"$new"
    "$CPROF_LEAKS" history add -q "$history" "$new" 2>"$dir/said"
do
    n=$((n + 1))
    [ "$n" -lt 500 ] || break
done
says "what is wrong, and where" "$dir/said" "$history: " "the disk is full"

count() {
    "$CPROF_LEAKS" history show -o json "$history" | grep -c '"id"'
}
same "nothing is lost" "$n" "$(count)"
"$CPROF_LEAKS" history list --verify "$history" >"$dir/list"
same "all of it is whole" 0 "$?"

rm "$disk/ballast"
"$CPROF_LEAKS" history add -q "$history" "$new"
same "with some room it goes on" $((n + 1)) "$(count)"
"$CPROF_LEAKS" history prune -q --keep 2 "$history"
same "old ones can be dropped" 2 "$(count)"

finish
