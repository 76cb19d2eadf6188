#!/bin/sh
# What `export --to speedscope` writes is valid by speedscope's own schema, from
# every form of dump. The schema comes with speedscope's npm package; where that
# cannot be had, what the schema asks for is looked at one by one.
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

schema=
if (cd "$dir" && timeout 30 npm pack --silent --prefer-offline \
    speedscope@1.25.0) >"$dir/pack" 2>&1; then
    tar -xzf "$dir"/speedscope-*.tgz -C "$dir" 2>/dev/null
    schema=$(find "$dir/package" -name file-format-schema.json 2>/dev/null |
        head -n 1)
fi

fixtures=${FIXTURES:-fixtures}
n=0
for input in "$fixtures"/seed.debug1.txt "$fixtures"/corpus/*/1.2[17]/*.txt \
    "$fixtures"/corpus/*/1.2[17]/*.pb.gz; do
    case $input in
    *.raw.txt | *.top.txt) continue ;;
    # Not all of these hold goroutines.
    */crash/* | */race/* | *.out.txt) continue ;;
    esac
    if "$CPROF_LEAKS" export -q --to speedscope -O "$dir/$n.json" "$input" \
        2>"$dir/err"; then
        n=$((n + 1))
    else
        same "export of $input" "" "$(cat "$dir/err")"
    fi
done
same "a number of exports" "many" "$([ "$n" -ge 30 ] && echo many || echo "$n")"
"$python" "$here/support/speedscope.py" "$dir" "$schema" >"$dir/said" 2>&1
same "all $n exports are valid${schema:+, by the schema}" 0 "$?"
[ "$n_failed" -eq 0 ] || cat "$dir/said"
finish
