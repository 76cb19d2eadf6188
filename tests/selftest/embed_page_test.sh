#!/bin/sh
# The style and the script of the HTML report get into the program byte by byte,
# with the hashes that browsers ask for.
. "$(dirname "$0")/lib.sh"

plant report/html_assets.h <<'END'
#include <stddef.h>
struct html_asset {
    const char *text;
    size_t len;
    const char *sha256;
};
extern const struct html_asset html_style;
extern const struct html_asset html_script;
END
plant main.c <<'END'
#include <stdio.h>
#include <string.h>

#include "report/html_assets.h"

int main(void)
{
    printf("%s\n%s\n", html_style.sha256, html_script.sha256);
    fwrite(html_style.text, 1, html_style.len, stdout);
    fwrite(html_script.text, 1, html_script.len, stdout);
    return strlen(html_script.text) != html_script.len;
}
END
printf 'abc' | plant a.css
printf '"\\" + `\n` // \303\274\n' | plant a.js
printf 'b()' | plant b.js
printf 'x = "</Script >"' | plant wrong.js

cd "$dir" || exit
"$top/scripts/embed_page.sh" a.css a.js b.js >all.c
run $cc -std=c17 -Wall -Wextra -Wpedantic -Wconversion -Werror -I. \
    main.c all.c -o show
expect "what is made compiles without a warning" 0
run ./show
# The hash of "abc" is that of FIPS 180-2, appendix B.1.
expect "the hash of the style" 0 "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
./show | sed 1,2d >got
cat a.css a.js b.js >want
run cmp got want
expect "every byte" 0

run "$top/scripts/embed_page.sh" a.css wrong.js
expect "a script that would end its element" 1 "would end its own element"

finish
