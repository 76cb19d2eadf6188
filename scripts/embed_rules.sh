#!/bin/sh
# embed_rules.sh PACK FILE... - prints a C file that holds the given rule files, so
# that the program carries its rules inside. src/rules/builtin.h declares what
# is defined here.
#
# Each file is there three times: as it is, and as the trees that the program
# PACK makes of it (tools/pack_rules.c): of what is loaded, without the tests of
# its rules and what they say, and of the latter.
set -eu
export LC_ALL=C
# shellcheck source=scripts/c_array.sh
. "$(dirname "$0")/c_array.sh"
pack=$1
shift
tree=$(mktemp)
trap 'rm -f "$tree"' EXIT
trap 'exit 130' INT TERM

cat <<'END'
/* Made by scripts/embed_rules.sh from the files in rules/. */
#include "rules/builtin.h"
END

index=0
for file; do
    printf '\n/* %s */\n' "$file"
    array "text_$index" <"$file"
    "$pack" "$file" >"$tree"
    array "tree_$index" <"$tree"
    "$pack" --prose "$file" >"$tree"
    array "prose_$index" <"$tree"
    index=$((index + 1))
done

printf '\nconst struct builtin_rules builtin_rules[] = {\n'
index=0
for file; do
    printf '    {"%s", text_%d, sizeof text_%d - 1,\n     tree_%d, sizeof tree_%d - 1,\n     prose_%d, sizeof prose_%d - 1},\n' \
        "$file" "$index" "$index" "$index" "$index" "$index" "$index"
    index=$((index + 1))
done
[ "$index" -gt 0 ] || printf '    {0},\n'
printf '};\n\nconst size_t builtin_rules_count = %d;\n' "$index"
