#!/bin/sh
# embed_rules.sh PACK FILE... - prints a C file that holds the given rule files, so
# that the program carries its rules inside. src/rules/builtin.h declares what
# is defined here.
#
# Each file is there twice: as it is, and as the tree of what its rules say. What
# is loaded of all of them is one image. The program PACK makes tree and image
# (tools/pack_rules.c).
set -eu
export LC_ALL=C
# shellcheck source=scripts/c_array.sh
. "$(dirname "$0")/c_array.sh"
pack=$1
shift
made=$(mktemp)
trap 'rm -f "$made"' EXIT
trap 'exit 130' INT TERM

cat <<'END'
/* Made by scripts/embed_rules.sh from the files in rules/. */
#include "rules/builtin.h"
END

index=0
for file; do
    printf '\n/* %s */\n' "$file"
    array "text_$index" <"$file"
    "$pack" --prose "$file" >"$made"
    array "prose_$index" <"$made"
    index=$((index + 1))
done

printf '\nconst struct builtin_rules builtin_rules[] = {\n'
index=0
for file; do
    printf '    {"%s", text_%d, sizeof text_%d - 1,\n     prose_%d, sizeof prose_%d - 1},\n' \
        "$file" "$index" "$index" "$index" "$index"
    index=$((index + 1))
done
[ "$index" -gt 0 ] || printf '    {0},\n'
printf '};\n\nconst size_t builtin_rules_count = %d;\n\n' "$index"

"$pack" "$@" >"$made"
array image <"$made"
printf '\nconst char *const builtin_image = image;\n'
printf 'const size_t builtin_image_len = sizeof image - 1;\n'
