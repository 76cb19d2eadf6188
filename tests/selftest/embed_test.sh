#!/bin/sh
# The rule files get into the program byte by byte, in the order given.
. "$(dirname "$0")/lib.sh"

plant rules/builtin.h <<'END'
#include <stddef.h>
struct builtin_rules {
    const char *name;
    const char *text;
    size_t len;
};
extern const struct builtin_rules builtin_rules[];
extern const size_t builtin_rules_count;
END
plant main.c <<'END'
#include <stdio.h>
#include <string.h>

#include "rules/builtin.h"

int main(void)
{
    for (size_t i = 0; i < builtin_rules_count; i++) {
        fwrite(builtin_rules[i].text, 1, builtin_rules[i].len, stdout);
        fprintf(stderr, "%s %d\n", builtin_rules[i].name,
                strlen(builtin_rules[i].text) == builtin_rules[i].len);
    }
    return 0;
}
END
printf 'a: "\\ü\\"\n\t?""/*%%s*/' | plant rules/a.yaml
yes 'b: a line of a file that is longer than any literal may be' |
    head -n 500 | plant rules/b.yaml
printf '' | plant rules/c.yaml

cd "$dir" || exit
"$top/scripts/embed_rules.sh" rules/a.yaml rules/b.yaml rules/c.yaml >all.c
run $cc -std=c17 -Wall -Wextra -Wpedantic -Wconversion -Werror -I. \
    main.c all.c -o show
expect "what is made compiles without a warning" 0
run ./show
expect "names and lengths" 0 "rules/a.yaml 1" "rules/b.yaml 1" "rules/c.yaml 1"
./show >got 2>/dev/null
cat rules/a.yaml rules/b.yaml rules/c.yaml >want
run cmp got want
expect "every byte" 0

"$top/scripts/embed_rules.sh" >none.c
run $cc -std=c17 -Wall -Wextra -Wpedantic -Werror -I. main.c none.c \
    -o show
expect "no file at all" 0

finish
