#!/bin/sh
# The style check fails on what it has to, and on nothing else.
. "$(dirname "$0")/lib.sh"

style() {
    run "$top/tests/style.sh" src
}

# Prints a function of $1 lines.
function_of() {
    printf 'int f(void)\n{\n'
    i=3
    while [ "$i" -lt "$1" ]; do
        echo '    g();'
        i=$((i + 1))
    done
    printf '}\n'
}

plant src/base/good.h <<'END'
/* good.h - a header with everything in it. */
#ifndef GOOD_H
#define GOOD_H
#define CALL(x) \
    call(x)

#ifdef __cplusplus
extern "C" {
#endif

struct good;
struct bad {
    int (*call)(int); /* f(x) */
};
extern const struct bad bads[3];
enum { A = (1), B };
_Static_assert(sizeof(int) == 4, "int");

/* What it does. */
int good_one(void);

/* A run of prototypes shares a comment. */
void good_two(struct good *good,
              int x); /* behind */
void good_three(struct good *good);

// A line comment.
__attribute__((format(printf, 1, 2))) int good_four(const char *, ...);

/* An inline one. */
static inline int good_five(void)
{
    return '{' + sizeof "}";
}

/* A callback, and who calls it. */
typedef int good_fn(int);
void good_each(good_fn *fn);

#ifdef __cplusplus
}
#endif
#endif
END
style
expect "a tidy header passes" 0 "4 passed, 0 failed"
# Prototypes and comments as the table counts them.
expect "the table counts" 0 "base" "      6  17 %"

{
    cat "$dir/src/base/good.h"
    printf '\nint bad_one(\n    void);\n'
} | plant src/base/bad.h
style
expect "a prototype needs a comment" 1 "4 passed, 1 failed" \
    "src/base/bad.h:45: no comment above this prototype" '!good.h:'

printf '/* Far above. */\n\nint bad(void);\n' | plant src/base/bad.h
style
expect "the comment stands directly above" 1 "bad.h:3: no comment above"

printf 'static inline int bad(void)\n{\n    return 0;\n}\n' |
    plant src/base/bad.h
style
expect "an inline function needs one too" 1 "bad.h:1: no comment above"
rm "$dir/src/base/bad.h"

{
    printf '/* %077d */\n' 0 | tr 0 x | cut -c 1-80
    printf '/* %s */\n' "$(printf '%074d' 0 | sed 's/0/ü/g')"
} | plant src/base/wide.c
style
expect "80 columns fit, whatever their bytes" 0
printf '/* %s */\n' "$(printf '%075d' 0 | sed 's/0/ü/g')" |
    plant src/base/wide.c
style
expect "81 columns do not" 1 "wide.c:1: 81 columns"

printf 'int x;\n\tint y;\n' | plant src/base/wide.c
style
expect "no tabs" 1 "wide.c:2: a tab"
printf 'int x; \n' | plant src/base/wide.c
style
expect "no blanks at the end" 1 "wide.c:1: a blank at the end"
printf 'int x;\r\n' | plant src/base/wide.c
style
expect "no carriage returns" 1 "wide.c:1: a blank at the end"
for word in TO-DO FIX-ME X-XX HA-CK; do
    printf '/* %s: later */\n' "$(echo "$word" | tr -d -)" |
        plant src/base/wide.c
    style
    expect "no open marks: $word" 1 "wide.c:1: an open mark"
done
rm "$dir/src/base/wide.c"

function_of 60 | plant src/base/long.c
function_of 5 | plant src/base/one.c
function_of 5 | plant src/base/two.c
style
expect "a function of 60 lines is one too many of its kind" 1 \
    "of 100 functions, 95 have at most 60 lines; the bound is 40" '!long.c:'
function_of 61 | plant src/base/long.c
style
expect "a function of 61 lines" 1 "long.c:1: a function of 61 lines"
function_of 40 | plant src/base/long.c
style
expect "a function of 40 lines" 0
function_of 13 | plant src/base/one.c
function_of 13 | plant src/base/two.c
style
expect "half of the functions are short" 1 \
    "of 100 functions, 50 have at most 13 lines; the bound is 12"
rm "$dir"/src/base/*.c

yes 'int x;' | head -n 600 | plant src/base/big.c
style
expect "a file of 600 lines" 0
yes 'int x;' | head -n 601 | plant src/base/big.c
style
expect "a file of 601 lines" 1 "big.c:601: a file of 601 lines"
yes 'int x;' | head -n 201 | tee "$dir/src/base/a.c" | plant src/base/big.c
style
expect "half of the files are short" 1 \
    "of 100 files, 50 have at most 201 lines; the bound is 200"

finish
