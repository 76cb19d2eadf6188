#!/bin/sh
# demo.sh PROGRAM DUMP - shows the answer to a dump that holds a finding.
#
# The program ends with status 1 then, which means "at least one finding at or
# above --fail-on", and this script with 0. Any other status, or an answer
# without a word, is a failure of the demonstration.
set -eu

program=$1
dump=$2
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT INT TERM

printf '\n$ cprof-leaks %s\n' "$dump"
status=0
"$program" "$dump" >"$answer" || status=$?
cat "$answer"
printf '\nexit status %d' "$status"
if [ "$status" -eq 1 ] && [ -s "$answer" ]; then
    printf ': the program answered and found something of high severity\n'
    printf '(0 would be: nothing so severe)\n'
    exit 0
fi
printf ', but 1 and an answer were expected: the demonstration failed\n'
exit 1
