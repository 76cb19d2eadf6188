#!/bin/sh
# docs.sh FILE... - runs the commands that the documents show, and compares what
# they print with what the documents say.
#
# Only blocks fenced as ```console are run. A line that begins with "$ " is a
# command, and goes on where it ends in a backslash; the lines below it are what
# it prints, standard error included. A line "..." stands for any lines that are
# left out. The commands of a block share one shell, so that `echo $?` shows the
# status of the one before. They run in a scratch folder that has fixtures/,
# rules/ and docs/examples/, as the sources have, and find cprof-leaks in their
# PATH. What needs a service or another program belongs into a block fenced as
# ```sh, which is run by tests/live/documents.sh.
#
# With LIVE=HOST:PORT, blocks fenced as ```console live are run instead, in one
# shell for all, with that address in place of localhost:6060; a "..." inside of
# a line then stands for anything. FILES is a folder, the files of which lie in
# the scratch folder. tests/live/quickstart.sh makes use of both.
#
# Environment: CPROF_LEAKS, FIXTURES, LIVE, FILES. The last line is "N passed, N failed"; a
# command is one test.
set -u
export LC_ALL=C.UTF-8 TZ=UTC COLUMNS=80

program=$(realpath "${CPROF_LEAKS:-build/release/cprof-leaks}")
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
mkdir "$dir/bin" "$dir/scratch"
ln -s "$program" "$dir/bin/cprof-leaks"
ln -s "$(realpath "${FIXTURES:-fixtures}")" "$dir/scratch/fixtures"
ln -s "$(realpath rules)" "$dir/scratch/rules"
if [ -d docs/examples ]; then
    mkdir "$dir/scratch/docs"
    ln -s "$(realpath docs/examples)" "$dir/scratch/docs/examples"
fi
[ -z "${FILES:-}" ] || cp "$FILES"/* "$dir/scratch"
live=${LIVE:-}

# Cuts the documents into $dir/BLOCK.COMMAND.cmd, .want and .at, numbered so
# that their names sort in the order of the text.
awk -v dir="$dir" -v live="$live" '
FNR == 1 { in_block = 0 }
/^```/ {
    in_block = !in_block && $0 == "```console" (live ? " live" : "")
    if (in_block) {
        if (!live || !block) {
            block++
            command = 0
        }
        going_on = 0
    }
    next
}
!in_block { next }
going_on || /^\$ / {
    if (!going_on) {
        name = sprintf("%s/%04d.%04d", dir, block, ++command)
        print FILENAME ":" FNR >(name ".at")
        printf "" >(name ".want")
        sub(/^\$ /, "")
    }
    print >(name ".cmd")
    going_on = /\\$/
    next
}
command { print >(name ".want") }
' "$@"

# Runs each block in a shell of its own.
for first in "$dir"/*.0001.cmd; do
    [ -f "$first" ] || continue
    (
        cd "$dir/scratch" || exit
        PATH=$dir/bin:$PATH
        status=0
        for cmd in "${first%.0001.cmd}".*.cmd; do
            text=$(sed "s/localhost:6060/${live:-&}/g" "$cmd")
            (exit "$status")
            eval "$text" >"${cmd%.cmd}.got" 2>&1 </dev/null
            status=$?
        done
        jobs -p >"$dir/jobs"
        while read -r job; do
            kill "$job" 2>/dev/null
        done <"$dir/jobs"
    )
done

passed=0
failed=0
for cmd in "$dir"/*.cmd; do
    [ -f "$cmd" ] || continue
    name=${cmd%.cmd}
    [ -z "$live" ] || sed -i "s/$live/localhost:6060/g" "$name.got"
    if awk -v inside="$live" -f "$here/awk/same_lines.awk" \
        "$name.want" "$name.got"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$(cat "$name.at"): $(cat "$cmd")"
        diff -u --label "the document says" --label "it prints" \
            "$name.want" "$name.got" | sed 's/^/    | /'
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
