#!/bin/sh
# layers.sh FOLDER... - holds the rooms of the house to their order. FOLDERs are
# src and include; a breach is named by its file, line and folder.
#
# 1. A room, which is a folder of src/, includes itself and the rooms that the
#    table in awk/layers.awk names for it. include/cprof is open to all, and
#    includes nothing from inside the house.
# 2. A library is known to the rooms that the table names, and to no other.
# 3. Only cli prints to the terminal, ends the program, and reads the
#    environment or the clock, so that an answer depends on nothing but the
#    input and the options.
#
# The last line is "N passed, N failed"; a source file is one test.
set -u
export LC_ALL=C

if [ $# -eq 0 ]; then
    echo "usage: layers.sh FOLDER..." >&2
    exit 2
fi
here=$(dirname "$0")
find "$@" -name '*.[ch]' -type f | sort |
    awk -f "$here/awk/c_code.awk" -f "$here/awk/layers.awk"
