#!/bin/sh
# The header check fails on headers that lean on others.
. "$(dirname "$0")/lib.sh"

plant src/base/good.h <<'END'
#ifndef GOOD_H
#define GOOD_H
#include <stddef.h>

struct good {
    size_t n;
};
#endif
END
run "$top/tests/headers.sh" src
expect "a header that stands alone" 0 "1 passed, 0 failed"

echo 'size_t bad(void);' | plant src/base/bad.h
run "$top/tests/headers.sh" src
expect "a header that needs another before it" 1 "src/base/bad.h" "size_t" \
    "1 passed, 1 failed"

printf '#include <stddef.h>\nstruct bad { int x; };\n' | plant src/base/bad.h
run "$top/tests/headers.sh" src
expect "a header without a guard" 1 "src/base/bad.h" "1 passed, 1 failed"

if command -v g++ >/dev/null || command -v clang++ >/dev/null; then
    rm "$dir/src/base/bad.h"
    echo 'int f(int class);' | plant include/cprof/cprof.h
    run "$top/tests/headers.sh" src include
    expect "a public header that is no C++" 1 "include/cprof/cprof.h" \
        "2 passed, 1 failed"
fi

finish
