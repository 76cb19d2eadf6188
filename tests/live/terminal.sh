#!/bin/sh
# What a person sees at a terminal: colour, width, the pager, progress, the hint.
# The terminals are Python's (pty); less is the pager that most people have.
# Waits: progress shows after half a second.
. "$(dirname "$0")/support/lib.sh"
rm -rf "$dir"

for program in python3 less; do
    if ! command -v "$program" >/dev/null; then
        echo "no $program"
        exit 77
    fi
done
export CPROF_LEAKS
exec python3 "$here/support/terminal.py" "${FIXTURES:-fixtures}"
