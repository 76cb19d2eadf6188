#!/bin/sh
# The rule files and what is packed of them get into the program byte by byte,
# in the order given.
. "$(dirname "$0")/lib.sh"

plant rules/builtin.h <<'END'
#include <stddef.h>
struct builtin_rules {
    const char *name;
    const char *text;
    size_t len;
    const char *prose;
    size_t prose_len;
};
extern const struct builtin_rules builtin_rules[];
extern const size_t builtin_rules_count;
extern const char *const builtin_image;
extern const size_t builtin_image_len;
END
plant main.c <<'END'
#include <stdio.h>
#include <string.h>

#include "rules/builtin.h"

int main(void)
{
    for (size_t i = 0; i < builtin_rules_count; i++) {
        fwrite(builtin_rules[i].text, 1, builtin_rules[i].len, stdout);
        fwrite(builtin_rules[i].prose, 1, builtin_rules[i].prose_len, stdout);
        fprintf(stderr, "%s %d\n", builtin_rules[i].name,
                strlen(builtin_rules[i].text) == builtin_rules[i].len);
    }
    fwrite(builtin_image, 1, builtin_image_len, stdout);
    return 0;
}
END
printf 'a: "\\ü\\"\n\t?""/*%%s*/' | plant rules/a.yaml
yes 'b: a line of a file that is longer than any literal may be' |
    head -n 500 | plant rules/b.yaml
printf '' | plant rules/c.yaml
plant pack <<'END'
#!/bin/sh
[ "$1" = --prose ] || echo "image of $# files"
[ "$1" != --prose ] || { shift; echo prose; }
for file; do
    [ "$file" != rules/wrong.yaml ] || exit 1
    wc -c <"$file"
done
END
chmod +x "$dir/pack"

cd "$dir" || exit
"$top/scripts/embed_rules.sh" ./pack rules/a.yaml rules/b.yaml rules/c.yaml >all.c
run $cc -std=c17 -Wall -Wextra -Wpedantic -Wconversion -Werror -I. \
    main.c all.c -o show
expect "what is made compiles without a warning" 0
run ./show
expect "names and lengths" 0 "rules/a.yaml 1" "rules/b.yaml 1" "rules/c.yaml 1"
./show >got 2>/dev/null
for file in rules/a.yaml rules/b.yaml rules/c.yaml; do
    cat "$file"
    ./pack --prose "$file"
done >want
./pack rules/a.yaml rules/b.yaml rules/c.yaml >>want
run cmp got want
expect "every byte" 0

"$top/scripts/embed_rules.sh" ./pack >none.c
run $cc -std=c17 -Wall -Wextra -Wpedantic -Werror -I. main.c none.c \
    -o show
expect "no file at all" 0

plant rules/wrong.yaml <rules/a.yaml
run "$top/scripts/embed_rules.sh" ./pack rules/wrong.yaml
expect "a file that cannot be packed" 1

finish
