#!/bin/sh
# style.sh FOLDER... - measures every C file below the folders, prints a table,
# and names each breach of a bound by its file and line:
#     a line        at most 80 columns, no tab, no blank at its end
#     a file        at most 600 lines
#     a function    at most 60 lines, from its first word to its last brace
#     a prototype   in a header: a comment directly above it, or above the run
#                   of prototypes in which it stands
#     an open mark  none (the words that say that work is left)
# and, over the files below src/ together,
#     functions     half of them at most 12 lines, 95 of 100 at most 40
#     files         half of them at most 200 lines
#
# It leans on clang-format: a declaration begins at the beginning of a line. The
# last line is "N passed, N failed"; a file is one test, and so are the three
# bounds over src/.
set -u
# Bytes, so that every awk counts the same; columns are counted from them.
export LC_ALL=C

if [ $# -eq 0 ]; then
    echo "usage: style.sh FOLDER..." >&2
    exit 2
fi
here=$(dirname "$0")
find "$@" -name '*.[ch]' -type f | sort |
    awk -f "$here/awk/c_code.awk" -f "$here/awk/style.awk"
