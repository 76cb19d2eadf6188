#!/bin/sh
# embed_page.sh CSS JS... - prints a C file that holds the style of the HTML
# report and its script, which is all JS files one behind the other, so that the
# program carries them inside. src/report/html_assets.h declares what is defined
# here.
#
# Each comes with its SHA-256 in base64: the page names both in its
# Content-Security-Policy, and a browser then runs these bytes and no others.
set -eu
export LC_ALL=C
# shellcheck source=scripts/c_array.sh
. "$(dirname "$0")/c_array.sh"
css=$1
shift

# Prints 64 hexadecimal digits as base64.
base64_of() {
    awk '{
        digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        hex = tolower(substr($1, 1, 64)) "00"
        for (at = 1; at <= 64; at += 3) {
            value = 0
            for (i = at; i < at + 3; i++)
                value = value * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
            out = out substr(digits, int(value / 64) + 1, 1) \
                substr(digits, value % 64 + 1, 1)
        }
        print substr(out, 1, 43) "="
    }'
}

js=$(mktemp)
trap 'rm -f "$js"' EXIT
trap 'exit 130' INT TERM
cat "$@" >"$js"
if grep -il '</\(style\|script\)' "$css" "$js" >&2; then
    echo "embed_page.sh: a file above would end its own element" >&2
    exit 1
fi

cat <<'END'
/* Made by scripts/embed_page.sh from the files in src/report/page/. */
#include "report/html_assets.h"
END
array css <"$css"
array js <"$js"
printf '\nconst struct html_asset html_style = {\n    css, sizeof css - 1, "%s"};\n' \
    "$(sha256sum <"$css" | base64_of)"
printf 'const struct html_asset html_script = {\n    js, sizeof js - 1, "%s"};\n' \
    "$(sha256sum <"$js" | base64_of)"
