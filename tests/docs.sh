#!/bin/sh
# docs.sh FILE... - runs the commands that the documents show, and compares what
# they print with what the documents say.
#
# Only blocks fenced as ```console are run. A line that begins with "$ " is a
# command, and goes on where it ends in a backslash; the lines below it are what
# it prints, standard error included. A line "..." stands for any lines that are
# left out. The commands of a block share one shell, so that `echo $?` shows the
# status of the one before. They run in a scratch folder that has fixtures/ and
# rules/, and find cprof-leaks in their PATH. What needs a network or another
# program belongs into a block fenced as ```sh, which is not run.
#
# Environment: CPROF_LEAKS, FIXTURES. The last line is "N passed, N failed"; a
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

# Cuts the documents into $dir/BLOCK.COMMAND.cmd, .want and .at, numbered so
# that their names sort in the order of the text.
awk -v dir="$dir" '
FNR == 1 { in_block = 0 }
/^```/ {
    in_block = !in_block && $0 == "```console"
    if (in_block) {
        block++
        command = 0
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
            text=$(cat "$cmd")
            (exit "$status")
            eval "$text" >"${cmd%.cmd}.got" 2>&1 </dev/null
            status=$?
        done
    )
done

passed=0
failed=0
for cmd in "$dir"/*.cmd; do
    [ -f "$cmd" ] || continue
    name=${cmd%.cmd}
    if awk -f "$here/awk/same_lines.awk" "$name.want" "$name.got"; then
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
