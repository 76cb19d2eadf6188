#!/bin/sh
# valgrind_cases.sh - prints the cases that `make check` runs under valgrind:
# every fortieth, of most groups one. `make check-full` runs all.
set -eu
cd "$(dirname "$0")"
find . -name cmd -type f | sed -e 's,^\./,,' -e 's,/cmd$,,' | LC_ALL=C sort |
    awk 'NR % 40 == 3'
