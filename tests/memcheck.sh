#!/bin/sh
# memcheck.sh [OPTION]... PROGRAM [ARGUMENT]... - runs a program under valgrind.
# OPTIONs are valgrind's. The status is the program's, and 99 when something was
# found: a wrong access, a value that was never set, or memory that is lost.
# It does not know the system calls by which the program confines itself.
CPROF_LEAKS_NOCONFINE=1 exec valgrind -q --error-exitcode=99 --leak-check=full \
    --errors-for-leak-kinds=definite \
    --suppressions="$(dirname "$0")/valgrind.supp" "$@"
