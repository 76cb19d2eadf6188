#!/bin/sh
# reproducible.sh - builds the sources in two folders of different names and
# compares the programs byte by byte. Environment: MAKE, JOBS. The last line is
# "N passed, N failed".
set -u

make=${MAKE:-make}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

for copy in "$dir/one" "$dir/another/and/longer"; do
    mkdir -p "$copy"
    cp -R Makefile include rules scripts src tools "$copy"
    "$make" --no-print-directory -C "$copy" -j"${JOBS:-1}" \
        BUILD=build/release >"$dir/log" 2>&1 || {
        cat "$dir/log"
        echo "0 passed, 1 failed"
        exit 1
    }
done

if cmp "$dir/one/build/release/cprof-leaks" \
    "$dir/another/and/longer/build/release/cprof-leaks"; then
    echo "1 passed, 0 failed"
else
    echo "0 passed, 1 failed"
    exit 1
fi
