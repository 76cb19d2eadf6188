#!/bin/sh
# What history list and show say as JSON is what docs/history.schema.json says,
# and the schema does not take anything.
. "$(dirname "$0")/support/lib.sh"
trap 'rm -rf "$dir"' EXIT

for python in python3 /usr/bin/python3; do
    ! "$python" -c 'import jsonschema' 2>"$dir/why" || break
    python=
done
if [ -z "$python" ]; then
    tail -n 1 "$dir/why"
    exit 77
fi

check() {
    "$python" "$here/support/against.py" docs/history.schema.json
}
history() {
    "$CPROF_LEAKS" history "$@"
}

series=${FIXTURES:-fixtures}/corpus/series_leak/1.24
db=$dir/api.db
history add -q "$db" "$series"/*.debug0.pb.gz
"$CPROF_LEAKS" check -q --history "$dir/seen.db" --instance api-0 \
    "$series/snap00.debug0.pb.gz" >"$dir/said"
"$CPROF_LEAKS" check -q --history "$dir/seen.db" --instance api-1 \
    http://127.0.0.1:1 >"$dir/said"
same "a target that cannot be read" 3 "$?"
for file in "$db" "$dir/seen.db"; do
    history list -o json "$file" >"$dir/list"
    same "list of $(basename "$file")" "" "$(check <"$dir/list")"
    history show -o json "$file" >"$dir/show"
    same "show of $(basename "$file")" "" "$(check <"$dir/show")"
done
same "why the last run could not is there" 1 \
    "$(history list -o json "$dir/seen.db" | grep -c '"last_error": "')"
XDG_STATE_HOME=$dir/none STATE_DIRECTORY=$dir/none \
    "$CPROF_LEAKS" history list -o json >"$dir/none.json"
same "list of a folder that is not there" "" "$(check <"$dir/none.json")"
history show -o json "$db#..2020-01-01" >"$dir/show" 2>"$dir/err" ||
    same "no snapshot is an error" "" "$(cat "$dir/show")"

history list -o json "$db" >"$dir/list"
for wrong in 's/"bytes"/"octets"/' 's/"last_error": null/"last_error": ""/' \
    's/T\([0-9:.]*\)Z/ \1/' 's/"snapshots": 8/"snapshots": -8/'; do
    sed "$wrong" "$dir/list" | check >"$dir/errors"
    same "the schema finds $wrong" found \
        "$([ -s "$dir/errors" ] && echo found || echo nothing)"
done
finish
