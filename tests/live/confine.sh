#!/bin/sh
# The program can write only where its command line says (Landlock), and
# everything that it does still works: a shared object (tests/faults/trespass.c)
# tries to write a file and to connect from inside of the process.
. "$(dirname "$0")/support/lib.sh"

unset CPROF_LEAKS_NOCONFINE
dump=$FIXTURES/seed.debug1.txt
export TRESPASS_TOLD="$dir/told" TRESPASS_PORT=1 TRESPASS_FILE="$dir/forbidden"
mkdir "$dir/own" "$dir/save" "$dir/tmp"
export TMPDIR="$dir/tmp" # may be written where addresses are asked

# tried ARGUMENT... - how writing and connecting ended after a command line.
tried() {
    : >"$dir/told"
    LD_PRELOAD=$TRESPASS "$CPROF_LEAKS" "$@" >"$dir/out" 2>"$dir/err" \
        </dev/null
    tr '\n' ';' <"$dir/told"
}

refused="write: Permission denied;connect: Permission denied;"
no_file="write: Permission denied;connect: Connection refused;"
case $(CPROF_LEAKS_NOCONFINE=1 tried --version) in
"write: done;connect: Connection refused;") ;;
*)
    echo "this build loads no shared object first, as a sanitizer does"
    exit 77
    ;;
esac
rm "$dir/forbidden"
case $(tried -q "$dump") in
"$refused") ;;
"$no_file") refused=$no_file ;; # Landlock knows no TCP before Linux 6.7
*)
    echo "this kernel has no Landlock"
    exit 77
    ;;
esac

same "it can be switched off" "write: done;connect: Connection refused;" \
    "$(CPROF_LEAKS_NOCONFINE=1 tried -q "$dump")"
same "what is there cannot be written either" "$refused" \
    "$(tried -q "$dump")"
rm "$dir/forbidden"
same "-O lets its folder be written" "$refused" \
    "$(tried -o json -O "$dir/own/answer" "$dump")"
same "which it does" '{' "$(head -c 1 "$dir/own/answer")"
same "with an address there is TCP" "$no_file" \
    "$(tried http://127.0.0.1:1)"
same "a link leads nowhere else" "$refused" "$(
    ln -s "$dir/forbidden" "$dir/own/link"
    TRESPASS_FILE=$dir/own/link tried -O "$dir/own/answer" "$dump"
)"
same "export is confined" "$refused" \
    "$(tried export --to pprof -O "$dir/own/pb" "$dump")"
same "rules are" "$refused" "$(tried rules list)"

# Everything that is written by check, at once.
same "check is confined" "$refused" "$(tried check --history "$dir/own/api.db" \
    --textfile "$dir/own" --save "$dir/save/new" "$dump")"
same "and writes history, locks, metrics and dumps" 4 "$(
    find "$dir/own/api.db" "$dir/own/api.db.lock" "$dir/own/"*.prom \
        "$dir/save/new/"* | wc -l
)"
for words in "list" "show" "prune --keep 1" "add"; do
    # shellcheck disable=SC2086  # words and options
    set -- history $words "$dir/own/api.db"
    [ "$words" != add ] || set -- "$@" "$dump"
    same "history $words works" "$refused" "$(tried "$@")"
    same "history $words says nothing wrong" "" "$(cat "$dir/err")"
done
same "a history as input" "$refused" "$(tried -q "history:$dir/own/api.db")"
same "a baseline is written" "$refused" \
    "$(tried -q --write-baseline "$dir/own/known.yaml" "$dump")"
same "in its folder" 1 "$(grep -c colly-limit-rule "$dir/own/known.yaml")"
same "the default folder of histories is made" "$refused" "$(
    HOME=$dir/own XDG_STATE_HOME=$dir/own/state STATE_DIRECTORY=$dir/own/s \
        tried check -q "$dump"
)"
same "and used" default.db "$(cd "$dir/own/s" && echo ./*.db | sed 's|./||')"
same "/dev/null is written" 0 "$(
    "$CPROF_LEAKS" --fail-on none -O /dev/null "$dump" >/dev/null
    echo $?
)"
same "/dev/stdout is written" 1 \
    "$("$CPROF_LEAKS" -O /dev/stdout "$dump" | grep -c CRITICAL)"
rm -rf "$dir"
finish
