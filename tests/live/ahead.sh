#!/bin/sh
# Rules that are loaded while a large file is read are those that would be loaded
# behind it: with one thread, and with several, the same is answered, and what is
# wrong is said in the same words.
. "$(dirname "$0")/support/lib.sh"

cd "$dir" || exit 2
export CPROF_LEAKS_NOSYSTEM=1 XDG_CONFIG_HOME=/nonexistent

# dump GOROUTINES - a dump of about 110 bytes for each goroutine.
dump() {
    awk -v n="$1" 'BEGIN {
        for (i = 1; i <= n; i++)
            printf "goroutine %d [chan send, %d minutes]:\n" \
                "example.com/shop.(*Cart).wait%d(0xc%09x)\n" \
                "\t/src/shop/cart.go:%d +0x2b\n" \
                "created by main.main in goroutine 1\n" \
                "\t/src/main.go:12 +0x5c\n\n", i, i % 50, i % 3, i * 64, 20 + i % 3
    }'
}

cat >own.yaml <<'RULES'
version: 1
rules:
- id: shop-carts
  title: Carts of the shop wait
  class: suspect
  status: experimental
  match:
    any: ^example\.com/shop\.\(\*Cart\)
  when:
  - {severity: medium, count: ">=1000"}
RULES
sed 's/severity: medium/severity: terrible/' own.yaml >wrong.yaml
dump 30000 >large
dump 31000 >larger
head -c 3000000 /dev/zero | tr '\0' 'z' >other

# Both ways, with a command's status and all that it prints.
both() {
    name=$1
    shift
    for threads in 1 4; do
        "$CPROF_LEAKS" "$@" --threads "$threads" >"out$threads" 2>"err$threads"
        echo "status $?" >>"err$threads"
    done
    same "$name: answer" "$(cat out1)" "$(cat out4)"
    same "$name: words and status" "$(cat err1)" "$(cat err4)"
}

same "the dump is large" 1 "$(($(wc -c <large) > 1048576))"
both built-in -o json --all large
both "own rules" -o json --rules own.yaml large
says "own rules: are used" out4 shop-carts
both "no built-in rules" -o json --no-builtin-rules --rules own.yaml large
both "wrong rules" -o json --rules wrong.yaml large
says "wrong rules: are said" err4 "wrong.yaml:10:" terrible "status 2"
both "missing rules" -o json --rules nowhere.yaml large
says "missing rules: are said" err4 nowhere.yaml "status 2"
both "rule to disable" -o json --disable no-such-rule large
says "rule to disable: is said" err4 "no rule 'no-such-rule'" "status 2"
both "wrong rules and no dump" -o json --rules wrong.yaml other
says "no dump: is said" err4 other "status 2"
both "missing file" -o json large nowhere
both comparison diff -o json large larger
both "comparison with wrong rules" diff --rules wrong.yaml large larger
both quiet -q large
finish
