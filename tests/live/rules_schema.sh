#!/bin/sh
# The rules as JSON are what docs/rules.schema.json says, and the schema does
# not take anything.
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
    "$python" "$here/support/against.py" docs/rules.schema.json
}

cat >"$dir/all.yaml" <<'END'
version: 1
lists: {queues: ['acme\.com/queue\.', 'acme\.com/jobs\.']}
rules:
- id: acme-queue
  title: Every key that a rule may have
  class: bad
  status: experimental
  go: ">=1.19"
  needs: debug2
  match:
    state: [chan send, select]
    state_required: true
    leaf: a
    site: b
    any: '${queues}'
    all: [a, b]
    chain: [a, '...', b]
    bottom: c
    created_by: d
    labels: {tenant: '^acme$'}
    file: e
    locked: true
    leaked: true
    crash: '^panic: '
    not: {any: f}
  exceptions:
  - {name: migrations, any: 'cmd/migrate\.'}
  with: {any_of: [chan-nil], all_of: [chan-nil], none_of: [chan-nil]}
  group_by: label:tenant
  when:
  - {severity: critical, growth: medium, slope: ">10", survivors: ">=0.9"}
  - {severity: high, ids_old: ">=0.8", ratio_to: {rule: chan-nil, value: ">=2"}}
  - {severity: low, count: "<=9", share: ">=50%", rank: "<=3", age: ">=1h", age_p50: ">=1m"}
  cause: Cause.
END

"$CPROF_LEAKS" rules list -o json >"$dir/list"
same "rules list" "" "$(check <"$dir/list")"
"$CPROF_LEAKS" rules explain -o json --rules "$dir/all.yaml" acme-queue \
    >"$dir/explain"
same "rules explain of every key" "" "$(check <"$dir/explain")"
same "rules explain has one rule" 1 "$(grep -c '"id":' "$dir/explain")"
same "the schema refuses" "yes" \
    "$(sed 's/"class": "bad"/"class": "worse"/' "$dir/explain" | check |
        grep -q worse && echo yes)"

finish
