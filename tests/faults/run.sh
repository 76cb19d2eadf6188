#!/bin/sh
# run.sh [--most N] [--only NAME] FAULTS KIND... - tries every case of cases.txt
# with every KIND of fault (faults.c), several at once (JOBS). A case that bears
# all faults of a kind, or N of them, is a passed test.
#
# Environment: CPROF_LEAKS, FIXTURES, FAULT_ALLOCATOR (failing_malloc.so), JOBS.
set -u
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "$0")" && pwd)

# Makes the files that cases name in the working folder.
prepare() {
    ln -s "$FIXTURES" fixtures
    cat >own.yaml <<END
version: 1
rules:
- id: crawler-queue
  title: The crawler has more pages than it may fetch
  match: {site: "colly.*httpBackend"}
  when: [{severity: medium, count: ">=1000"}]
  explain: '{count} wait.'
  tests:
  - name: too many pages
    stacks:
    - count: 1200
      state: chan send
      frames:
      - 'github.com/gocolly/colly/v2.(*httpBackend).Do http_backend.go:172'
      - main.crawl
    expect: [{severity: medium, count: 1200}]
  - name: a few pages
    stacks:
    - {count: 12, state: chan send, frames: ['github.com/gocolly/colly/v2.(*httpBackend).Do']}
    expect: []
- id: record
  title: Records are not taken
  match: {site: "auditor.*record"}
  when: [{severity: high, growth: high}, {severity: low, count: ">=10"}]
END
    cat >wrong.yaml <<END
version: 1
rules:
- id: Wrong
  titel: none
  match: {site: "("}
END
    echo http://127.0.0.1:1/hook >hook
    echo old >answer
    echo old >metrics.prom
    "$CPROF_LEAKS" --write-baseline known.yaml -q fixtures/seed.debug1.txt
    for i in 0 1 2 3 4 5; do
        "$CPROF_LEAKS" check -q --history api.db \
            "fixtures/corpus/series_leak/1.24/snap0$i.debug1.txt"
    done
}

# One case: --one DIR FAULTS MOST KIND:NAME leaves its output and status in DIR.
if [ "${1:-}" = --one ]; then
    kind=${5%%:*}
    name=${5#*:}
    export FAULT_FOLDER="$2/$kind-$name" FAULT_ASIDE="$2/$kind-$name.aside"
    mkdir "$FAULT_FOLDER" "$FAULT_ASIDE"
    cp -R "$2/template/." "$FAULT_FOLDER"
    status=0
    "$3" "$kind" --most "$4" "$here/cases.txt" "$name" \
        >"$2/$5.out" 2>&1 || status=$?
    echo "$status" >"$2/$5.status"
    exit 0
fi

most=1000000000
only=
while :; do
    case ${1:-} in
    --most) most=$2 ;;
    --only) only=$2 ;;
    *) break ;;
    esac
    shift 2
done
if [ $# -lt 2 ]; then
    echo "usage: run.sh [--most N] [--only NAME] FAULTS KIND..."
    exit 2
fi
faults=$1
shift
FIXTURES=$(cd "${FIXTURES:-fixtures}" && pwd)
export FIXTURES
# What a run says depends on nothing but the command line. A sanitizer is not
# the first of the loaded libraries here, and must not stop at that.
export HOME=/nonexistent TZ=UTC COLUMNS=80 SOURCE_DATE_EPOCH=1795255200
export CPROF_LEAKS_NOSYSTEM=1 XDG_CONFIG_HOME=/nonexistent
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0"
unset http_proxy https_proxy all_proxy HTTPS_PROXY ALL_PROXY

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
mkdir "$dir/template"
(cd "$dir/template" && prepare) || exit 2

names=${only:-$(sed 's/#.*//' "$here/cases.txt" | awk 'NF { print $1 }')}
for kind; do
    for name in $names; do
        echo "$kind:$name"
    done
done >"$dir/trials"
xargs -P "${JOBS:-1}" -I '{}' "$0" --one "$dir" "$faults" "$most" '{}' \
    <"$dir/trials"

passed=0
failed=0
while read -r trial; do
    read -r status <"$dir/$trial.status"
    if [ "$status" -eq 0 ]; then
        passed=$((passed + 1))
        echo "ok    $trial: $(tail -n 1 "$dir/$trial.out")"
    else
        failed=$((failed + 1))
        echo "FAIL  $trial: status $status"
        tail -n 100 "$dir/$trial.out" | sed 's/^/    | /'
    fi
done <"$dir/trials"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
