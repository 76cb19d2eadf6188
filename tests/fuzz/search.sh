#!/bin/sh
# search.sh SECONDS TARGET... - lets libFuzzer look for new inputs, SECONDS for
# each target. Searches start from the stored inputs of tests/fuzz/corpus and
# keep what they find in a folder beside the target; what makes a target fail is
# kept there as crash-* or the like, and is worth a place in the stored inputs.
set -u

here=$(dirname "$0")
seconds=$1
shift
if [ $# -eq 0 ]; then
    echo "search.sh: there is no fuzz target"
    exit 2
fi
passed=0
failed=0
for target; do
    name=$(basename "$target" _fuzz)
    found=$target.found
    mkdir -p "$found"
    echo "$name: $seconds s"
    if "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -print_final_stats=1 -verbosity=0 -artifact_prefix="$found/" \
        "$found" "$here/corpus/$name"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
