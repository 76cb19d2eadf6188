#!/bin/sh
# Tests that leak, run by `go test` with the goleak of Debian: each goroutine of
# its report is one of the answer, and fails the gate of a build.
. "$(dirname "$0")/support/lib.sh"
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

library=/usr/share/gocode/src/go.uber.org/goleak
if ! command -v go >/dev/null || [ ! -e "$library" ]; then
    echo "no go, or no golang-uber-goleak-dev"
    exit 77
fi
mkdir -p "$dir/src/shop" "$dir/src/go.uber.org"
cp "$FIXTURES/programs/goleak/shop_test.go" "$dir/src/shop"
# Without its tests, which want more.
cp -R "$library" "$dir/src/go.uber.org"
find "$dir/src/go.uber.org" -name '*_test.go' -exec rm {} +
export HOME="$dir" GOPATH="$dir" GO111MODULE=off GOTOOLCHAIN=local GOPROXY=off
cd "$dir/src/shop" || exit 2

# A test, as text and as JSON, and the process that ends without a failure.
go test . >"$dir/text" 2>&1
go test -json . >"$dir/json" 2>&1
go test -run TestClient . >"$dir/client" 2>&1
for form in text json; do
    "$CPROF_LEAKS" --fail-on medium -o json "$dir/$form" >"$dir/out" 2>&1
    same "$form: status" 1 $?
    same "$form: as many as the report has" \
        "$(grep -c 'Goroutine [0-9]* in state ' "$dir/$form")" \
        "$(jq .summary.goroutines "$dir/out")"
    same "$form: findings" "outlives-test 1 shop.watch
outlives-test 3 shop.deliver" \
        "$(jq -r '.findings[] | "\(.rule) \(.count) \(.site.function)"' \
            "$dir/out" | sort)"
done
"$CPROF_LEAKS" -o json "$dir/client" >"$dir/out" 2>&1
same "a client: as many as the report has" \
    "$(grep -c 'Goroutine [0-9]* in state ' "$dir/client")" \
    "$(jq .summary.goroutines "$dir/out")"
same "a client: no goroutine is normal here" outlives-test \
    "$(jq -r '.findings[].rule' "$dir/out" | sort -u)"
go test -run none . >"$dir/none" 2>&1
"$CPROF_LEAKS" "$dir/none" >"$dir/out" 2>"$dir/err"
same "no leak: status" 2 $?
finish
