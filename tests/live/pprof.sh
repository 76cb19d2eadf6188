#!/bin/sh
# The real `go tool pprof` opens what `export --to pprof` writes, from every
# form of dump, and counts what the program counts.
. "$(dirname "$0")/support/lib.sh"
trap 'rm -rf "$dir"' EXIT

fixtures=${FIXTURES:-fixtures}
export HOME="$dir" PPROF_TMPDIR="$dir" GOTOOLCHAIN=local GOPROXY=off GOFLAGS=

# Exports $1 to a file named $2; the rest are options. Sets total, which is what
# the program itself says of the input.
export_to() {
    input=$1
    to=$dir/$2
    shift 2
    same "export of $input" 0 "$(
        "$CPROF_LEAKS" export -q --to pprof -O "$to" "$@" "$input" >&2
        echo $?
    )"
    total=$("$CPROF_LEAKS" -o json --fail-on none "$input" |
        sed -n '/"summary"/,$ s/^ *"goroutines": \([0-9]*\),*$/\1/p' | head -n 1)
}

# Runs pprof with the given arguments; leaves what it prints in file out.
pprof() {
    go tool pprof "$@" >"$dir/out" 2>"$dir/err"
    same "pprof $*: status" 0 "$?"
}

# The total in the head of -top.
top_total() {
    sed -n 's/^Showing nodes accounting for .* of \([0-9]*\) total$/\1/p' \
        "$dir/out"
}

# The sum of the samples that -traces prints.
traces_total() {
    awk '/^-----/ { fresh = 1; next }
        fresh && $1 ~ /^[0-9]+$/ { sum += $1; fresh = 0 }
        END { print sum + 0 }' "$dir/out"
}

# How many samples have a label, in all and with one value.
tag_total() {
    awk -v key="$1:" '$1 == key && $2 == "Total" { print $3 + 0 }' "$dir/out"
}
tag_count() {
    awk -v key="$1:" -v value="$2" '$2 == "Total" { inside = $1 == key; next }
        inside && index($0, ": " value) &&
            substr($0, index($0, ": ") + 2) == value { print $1 + 0 }' \
        "$dir/out"
}

# --- Totals, in every form ---

for input in seed.debug1.txt corpus/everything/1.27/everything.debug0.pb.gz \
    corpus/everything/1.27/everything.debug1.txt \
    corpus/everything/1.27/everything.debug2.txt \
    corpus/everything/1.15/everything.debug1.txt \
    corpus/labels/1.27/labels.debug2.txt \
    corpus/http_load/1.27/http_load.debug1.txt \
    corpus/chan_recv_leak/1.27/chan_recv_leak.goroutineleak.debug1.txt; do
    export_to "$fixtures/$input" one.pb.gz
    pprof -top -nodefraction=0 "$dir/one.pb.gz"
    same "$input: -top has our total" "$total" "$(top_total)"
    pprof -traces "$dir/one.pb.gz"
    same "$input: -traces has our total" "$total" "$(traces_total)"
    pprof -tags "$dir/one.pb.gz"
    same "$input: every goroutine has a state" "$total" "$(tag_total state)"
done

# --- What only we know ---

export_to "$fixtures/seed.debug1.txt" seed.pb.gz
pprof -top "$dir/seed.pb.gz"
says "the seed, which pprof itself shows as <unknown>" "$dir/out" \
    "97908 100% 100% 97908 100% github.com/gocolly/colly/v2.(*httpBackend).Do"
pprof -tags "$dir/seed.pb.gz"
same "the seed's senders" 97908 "$(tag_count state 'chan send')"
same "how that is known" 97908 "$(tag_count state_source addresses)"
pprof -list 'httpBackend..Do$' "$dir/seed.pb.gz"
says "file and line" "$dir/out" "97908 97908 (flat, cum)"
pprof -lines -top "$dir/seed.pb.gz"
says "lines" "$dir/out" "http_backend.go:172"

labels=$fixtures/corpus/labels/1.27/labels.debug2.txt
export_to "$labels" labels.pb.gz
pprof -tags "$dir/labels.pb.gz"
same "a label of the program" 40 "$(tag_count tenant acme)"
same "its other value" 25 "$(tag_count tenant globex)"
same "creators" "$(grep -c '^created by main.main.func1 ' "$labels")" \
    "$(tag_count created_by main.main.func1)"
pprof -top -tagfocus=tenant=acme "$dir/labels.pb.gz"
says "-tagfocus" "$dir/out" "40" "main.tenantWorker"

cat >"$dir/old.txt" <<'END'
goroutine 7 [chan receive, 12 minutes]:
main.wait(0x1)
	/m.go:1 +0x1
created by main.main
	/m.go:2 +0x1

goroutine 8 [chan receive, 90 minutes]:
main.wait(0x1)
	/m.go:1 +0x1
created by main.main
	/m.go:2 +0x1
END
export_to "$dir/old.txt" old.pb.gz
pprof -tags "$dir/old.pb.gz"
says "ages" "$dir/out" "age_min: Total 2" "age_max: Total 2" \
    "age: Total 2" ": 12" ": 90"
pprof -top -tagfocus=age_max=90minutes: "$dir/old.pb.gz"
says "goroutines of an age, as minutes" "$dir/out" "main.wait"
pprof -top -tagfocus=age_max=91minutes: "$dir/old.pb.gz"
same "none as old as that" "" "$(grep main.wait "$dir/out")"

leak=$fixtures/corpus/chan_recv_leak/1.27/chan_recv_leak
export_to "$leak.debug1.txt" leak.pb.gz \
    --leak-profile "$leak.goroutineleak.debug1.txt"
pprof -tags "$dir/leak.pb.gz"
same "what is proven leaked" 300 "$(tag_count leaked true)"

# --- Differences ---

export_to "$fixtures/corpus/everything/1.27/everything.debug1.txt" a.pb.gz
export_to "$fixtures/corpus/everything/1.27/everything.debug1.txt" b.pb.gz
same "the same export twice is the same file" "" \
    "$(cmp "$dir/a.pb.gz" "$dir/b.pb.gz" 2>&1)"
pprof -top -diff_base "$dir/a.pb.gz" "$dir/b.pb.gz"
same "no difference to itself" "" "$(awk 'seen && $1 != 0; /flat%/ { seen = 1 }' \
    "$dir/out")"
snap() {
    echo "$fixtures/corpus/series_leak/1.24/snap0$1.debug1.txt"
}
export_to "$(snap 0)" old.pb.gz
before=$total
export_to "$(snap 5)" new.pb.gz
pprof -top -nodefraction=0 -diff_base "$dir/old.pb.gz" "$dir/new.pb.gz"
same "what grew, over two dumps" "$((total - before))" \
    "$(awk 'seen { sum += $1 } /flat%/ { seen = 1 } END { print sum }' \
        "$dir/out")"

# --- Other profiles, and several ---

export_to "$fixtures/seed.debug1.txt" sum.pb.gz \
    "$fixtures/corpus/chan_send_leak/1.24/chan_send_leak.debug1.txt"
pprof -top -nodefraction=0 "$dir/sum.pb.gz"
same "instances are added up" $((97911 + 243)) "$(top_total)"
printf 'goroutineleak profile: total 0\n' >"$dir/none.txt"
export_to "$dir/none.txt" none.pb.gz
pprof -top "$dir/none.pb.gz"
"$CPROF_LEAKS" export -q --to pprof -O "$dir/heap.pb.gz" \
    "$fixtures/corpus/everything/1.27/everything.heap.debug1.txt.gz"
pprof -sample_index=alloc_objects -top "$dir/heap.pb.gz"
says "the values of a heap profile" "$dir/out" "Type: alloc_objects"

# --- What measures: -top of the export is -top of the original ---

# The table of -top, of all functions and without its head. Names are brought
# into the form of reports; what was inlined is not told apart there.
table() {
    pprof -top -nodefraction=0 -nodecount=100000 "$@"
    sed -n 's/%2e/./; s/\[go\.shape.*\]/[...]/; s/ (inline)$//
        s/ (partial-inline)$//; /^Showing/p; /flat%/,$p' "$dir/out"
}

# Since Go 1.23 stacks of threadcreate are padded, and pprof shows the padding as
# a function without a name; we do not.
tables=0
for original in "$fixtures"/corpus/everything/1.*/*.heap.debug0.pb.gz \
    "$fixtures"/corpus/everything/1.*/*.block.debug0.pb.gz \
    "$fixtures"/corpus/everything/1.*/*.mutex.debug0.pb.gz \
    "$fixtures"/corpus/everything/1.1[59]/*.threadcreate.debug0.pb.gz \
    "$fixtures"/corpus/http_load/1.*/*.allocs.debug0.pb.gz; do
    [ -e "$original" ] || continue
    "$CPROF_LEAKS" export -q --to pprof -O "$dir/x.pb.gz" "$original"
    case $original in
    *.heap.* | *.allocs.*)
        types="alloc_objects alloc_space inuse_objects inuse_space"
        ;;
    *.threadcreate.*) types=threadcreate ;;
    *) types="contentions delay" ;;
    esac
    for type in $types; do
        table -sample_index="$type" "$original" >"$dir/theirs"
        table -sample_index="$type" "$dir/x.pb.gz" >"$dir/ours"
        sort -o "$dir/theirs" "$dir/theirs"
        sort -o "$dir/ours" "$dir/ours"
        same "$original: -top by $type" "" \
            "$(diff "$dir/theirs" "$dir/ours" | head -n 6)"
        tables=$((tables + 1))
    done
    pprof -raw "$original"
    sed -n 's/^Period/Period/p' "$dir/out" >"$dir/theirs"
    pprof -raw "$dir/x.pb.gz"
    same "$original: the period" "$(cat "$dir/theirs")" \
        "$(sed -n 's/^Period/Period/p' "$dir/out")"
done
same "tables were compared" yes "$([ "$tables" -gt 60 ] && echo yes)"

# Of a text pprof has no names, but scales its values itself.
for original in "$fixtures"/corpus/everything/1.1[59]/*.heap.debug1.txt \
    "$fixtures"/corpus/everything/1.*/*.block.debug1.txt \
    "$fixtures"/corpus/everything/1.*/*.mutex.debug1.txt; do
    # Before its second collection a program has nothing to show, and pprof
    # fails.
    if [ ! -e "$original" ] || grep -q '^heap profile: 0: 0 ' "$original"; then
        continue
    fi
    "$CPROF_LEAKS" export -q --to pprof -O "$dir/x.pb.gz" "$original"
    case $original in
    *.heap.*) types="alloc_objects alloc_space inuse_objects inuse_space" ;;
    *) types="contentions delay" ;;
    esac
    for type in $types; do
        unit=b
        [ "$type" != delay ] || unit=ns
        pprof -top -unit="$unit" -sample_index="$type" "$original"
        theirs=$(sed -n 's/^Showing .* of //p' "$dir/out")
        pprof -top -unit="$unit" -sample_index="$type" "$dir/x.pb.gz"
        same "$original: total of $type" "$theirs" \
            "$(sed -n 's/^Showing .* of //p' "$dir/out")"
    done
done
finish
