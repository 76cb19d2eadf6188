#!/bin/sh
# Every answer as JSON is what docs/report.schema.json says: for each fourth file of
# the fixtures, or each SCHEMA_EVERY-th one, and for comparisons.
. "$(dirname "$0")/support/lib.sh"
trap 'rm -rf "$dir"' EXIT

# Debian's module belongs to Debian's Python, which need not be the first one.
for python in python3 /usr/bin/python3; do
    ! "$python" -c 'import jsonschema' 2>"$dir/why" || break
    python=
done
if [ -z "$python" ]; then
    tail -n 1 "$dir/why"
    exit 77
fi

export CPROF_LEAKS
find "${FIXTURES:-fixtures}" -type f ! -path '*/programs/*' ! -name '*.md' \
    ! -name truth.json | sort |
    awk -v every="${SCHEMA_EVERY:-4}" 'NR % every == 0' >"$dir/files"
corpus=${FIXTURES:-fixtures}/corpus
heap=$corpus/backend_semaphore/1.27/backend_semaphore.heap
leak=$corpus/series_leak/1.27/snap00.goroutineleak
set --
for series in "$corpus"/series_*/*/; do
    for format in debug0.pb debug1.txt debug2.txt; do
        moments=$(echo "$series"snap0?."$format"*)
        set -- "$@" "diff --interval 25s $moments"
    done
done
# shellcheck disable=SC2046  # no fixture has a blank in its name
"$python" "$here/support/schema.py" docs/report.schema.json $(cat "$dir/files") \
    "diff $heap.debug0.pb.gz $heap.debug1.txt" \
    "diff $leak.debug1.txt $leak.debug0.pb.gz" \
    "diff --sort time --all $heap.debug1.txt $leak.debug1.txt" "$@"
