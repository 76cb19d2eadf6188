#!/bin/sh
# valgrind_cases.sh - prints the cases that `make check` runs under valgrind:
# those named in valgrind.list beside this file, else the first fifty of all.
set -eu
cd "$(dirname "$0")"
if [ -f valgrind.list ]; then
    sed -e 's/#.*//' -e '/^[[:space:]]*$/d' valgrind.list
else
    find . -name cmd -type f | sed -e 's,^\./,,' -e 's,/cmd$,,' |
        LC_ALL=C sort | head -n 50
fi
