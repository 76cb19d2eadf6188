#!/bin/sh
# -o html, markdown, junit, sarif and github carry the figures of -o json and text,
# are valid, and are read by real parsers as what they are: cmark-gfm (GitHub's
# own), xmllint, junitparser, jsonschema. What check says of a dump are the same. SARIF is held to a schema of this project;
# to the standard's own as well where npm has a package with it.
. "$(dirname "$0")/support/lib.sh"
trap 'rm -rf "$dir"' EXIT

for python in python3 /usr/bin/python3; do
    ! "$python" -c 'import jsonschema, junitparser' 2>"$dir/why" || break
    python=
done
if [ -z "$python" ]; then
    tail -n 1 "$dir/why"
    exit 77
fi
for program in cmark-gfm xmllint; do
    if ! command -v "$program" >/dev/null; then
        echo "no $program"
        exit 77
    fi
done

set -- "$here/support/sarif.schema.json"
if (cd "$dir" && timeout 30 npm pack --silent --prefer-offline \
    @microsoft/jest-sarif@1.0.0-beta.0) >"$dir/pack" 2>&1; then
    tar -xzf "$dir"/microsoft-jest-sarif-*.tgz -C "$dir" 2>/dev/null
    for schema in "$dir"/package/lib/schemas/sarif-2.1.0*.json; do
        [ ! -f "$schema" ] || set -- "$@" "$schema"
    done
fi

# Names with all that means something to some reader of them.
cat >"$dir/hostile.txt" <<'END'
goroutine 1 [chan send, 9 minutes]:
main.`</script><img src=x onerror=alert(1)>|@octocat(0x1)
	/src/](http://evil.example)"&#1]]>/main.go:7 +0x1
created by main.<b>|@org/team|::error::x in goroutine 2
	/src/**x**_y_.go:3 +0x1

END
for id in 2 3 4 5 6 7 8 9 10 11 12; do
    sed "1,5s/goroutine 1 /goroutine $id /" "$dir/hostile.txt"
done >"$dir/more"
cat "$dir/more" >>"$dir/hostile.txt"
printf 'goroutine 13 [running]:\n' >>"$dir/hostile.txt"

corpus=${FIXTURES:-fixtures}/corpus
known=$corpus/mutex_contention/1.27/mutex_contention.debug2.txt.gz
"$CPROF_LEAKS" -q --fail-on low --write-baseline "$dir/accepted.yaml" "$known"
{
    echo "${FIXTURES:-fixtures}/seed.debug1.txt"
    echo "$dir/hostile.txt"
    find "$corpus" -path '*/1.27/*' ! -path '*/series_*' \
        \( -name '*[a-z].debug2.txt*' -o -name '*[a-z].debug1.txt*' \) | sort
    for series in "$corpus"/series_*/1.27/; do
        echo "diff --interval 25s" "$series"snap0?.debug2.txt*
    done
    echo "--baseline $dir/accepted.yaml $known"
    echo "--baseline $dir/accepted.yaml ${FIXTURES:-fixtures}/seed.debug1.txt"
    for dump in "${FIXTURES:-fixtures}/seed.debug1.txt" \
        "$corpus"/everything/1.27/everything.debug2.txt \
        "$corpus"/sql_pool/1.27/sql_pool.debug1.txt \
        "$corpus"/worker_pipeline/1.27/worker_pipeline.debug1.txt \
        "$corpus"/mutex_contention/1.27/mutex_contention.debug2.txt.gz; do
        echo check "$dump"
    done
} >"$dir/commands"
export CPROF_LEAKS
"$python" "$here/support/forms.py" "$@" <"$dir/commands" >"$dir/said" 2>&1
same "all formats say the same, and are valid by $# schemas of SARIF" 0 "$?"
[ "$n_failed" -eq 0 ] || head -n 40 "$dir/said"
same "a number of commands" many \
    "$([ "$(wc -l <"$dir/commands")" -ge 50 ] && echo many || echo few)"

# What GitHub makes of the names: text, in code or not, and nothing else.
"$CPROF_LEAKS" -o markdown --all --fail-on none "$dir/hostile.txt" |
    cmark-gfm --unsafe -e table -e autolink -e strikethrough >"$dir/page"
grep -oE '<[a-z][a-z0-9]*( [^>]*)?>' "$dir/page" | sort -u | tr '\n' ' ' \
    >"$dir/tags"
for bad in '<img' '<script' '<em>' 'evil.example"' 'mailto:'; do
    grep -qF "$bad" "$dir/tags" && found=yes || found=no
    same "no $bad in the page" no "$found"
done
sed 's/<code[^>]*>[^<]*<\/code>//g' "$dir/page" |
    sed '/<pre>/,/<\/pre>/d' | grep -E '@[a-z]' >"$dir/mentions"
same "no mention outside of code" "" "$(cat "$dir/mentions")"
says "the name is there" "$dir/page" '&lt;img src=x onerror=alert(1)&gt;'
finish
