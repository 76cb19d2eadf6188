#!/bin/sh
# Every block of commands in README.md and docs/ that asks a service or makes use
# of another program is run as it stands there, in a world of its own, and must
# print what documents/said.txt has. (`make docs` runs the others, which show what
# they print.) Blocks are those fenced as sh and ini, and the steps of GitHub that
# stand in yaml; each must be known, and each known one must be there.
#
# The world is this machine, in namespaces where nothing that is written lasts and
# no network is but a service on the addresses that the documents name;
# documents/world.sh makes it. Stand-ins in documents/bin take the place of a
# cluster and of a running systemd.
#
# With BLESS=1 what was printed is written, to be read and shortened: "..." stands
# for any lines, or for any text within a line.
. "$(dirname "$0")/support/lib.sh"
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

for program in go curl jq python3 unshare ip valgrind zsh systemd-analyze \
    prometheus-node-exporter cc pkg-config wget \
    /lib/systemd/systemd-journal-remote; do
    command -v "$program" >/dev/null || {
        echo "there is no $program"
        exit 77
    }
done
enter="unshare --mount --net --pid --fork --kill-child --mount-proc"
$enter sh -c 'mkdir "$1/u" "$1/w" && mount -t tmpfs tmpfs "$1" &&
    mkdir "$1/u" "$1/w" &&
    mount -t overlay -o "lowerdir=/etc,upperdir=$1/u,workdir=$1/w" o /etc' \
    - "$dir" 2>"$dir.err" || {
    echo "no namespaces with file systems in layers: $(head -n 1 "$dir.err")"
    rm -f "$dir.err"
    exit 77
}
rm -rf "$dir.err" "$dir/u" "$dir/w"

build_go documents/service service

# Each block is a file, "PAGE N KIND" with the page's "/" as "=".
top=$(cd "$here/../.." && pwd)
mkdir "$dir/blocks"
(cd "$top" && awk -v dir="$dir/blocks" '
FNR == 1 { n = 0; on = 0 }
/^ *```(sh|ini|yaml)$/ {
    indent = index($0, "`") - 1
    kind = substr($0, indent + 4)
    on = 1
    text = ""
    next
}
/^ *```/ && on {
    on = 0
    if (kind != "yaml" || text ~ /\n  run: \|\n/) {
        page = FILENAME
        gsub("/", "=", page)
        file = dir "/" page sprintf(" %02d ", ++n) kind
        printf "%s", text >file
        close(file)
    }
}
on { text = text substr($0, indent + 1) "\n" }
' README.md docs/*.md)

# The world prints a line "=== PAGE N KIND" before what each block prints.
# shellcheck disable=SC2086  # the words of a command
CPROF_LEAKS=$CPROF_LEAKS FIXTURES=$FIXTURES \
    timeout --kill-after=5 280 $enter "$here/documents/world.sh" "$dir" "$top" >"$dir/said" 2>"$dir/err" \
    </dev/null
same "the world came to its end" 0 "$?"
[ ! -s "$dir/err" ] || cat "$dir/err"

# cut FILE FOLDER - a file for each section; says how many.
cut() {
    mkdir "$2"
    awk -v folder="$2" '
        /^=== / { file = $0; sub(/^=== /, "", file); gsub("/", "=", file)
                  file = folder "/" file; n++; printf "" >file; next }
        file { print >file }
        END { print n + 0 }' "$1"
}
[ -z "${BLESS:-}" ] || cp "$dir/said" "$here/documents/said.txt"
n=$(find "$dir/blocks" -type f | wc -l)
same "every block was run" "$n" "$(cut "$dir/said" "$dir/got")"
same "every block is known" "$n" \
    "$(cut "$here/documents/said.txt" "$dir/want")"
for block in "$dir/blocks"/*; do
    name=${block##*/}
    touch "$dir/want/$name" "$dir/got/$name"
    verdict=same
    awk -v inside=1 -f "$here/../awk/same_lines.awk" "$dir/want/$name" \
        "$dir/got/$name" || verdict=different
    same "what $name prints" same "$verdict"
    [ "$verdict" = same ] || diff -u --label "known" --label "printed" \
        "$dir/want/$name" "$dir/got/$name" | sed 's/^/    | /'
done
finish
