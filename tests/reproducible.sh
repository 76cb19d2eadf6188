#!/bin/sh
# reproducible.sh - builds the sources twice, in folders of different names, one
# after the other, in another time zone, umask, language and environment, and
# compares byte by byte all that `make install` writes, the static program and
# the Debian packages. What cannot be built here is skipped. Environment: MAKE,
# JOBS. The last line is "N passed, N failed, N skipped".
set -u

make=${MAKE:-make}
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
one=$dir/one
another=$dir/another/and/longer
passed=0
failed=0
skipped=0

# What a make above has set is not for these. Packages are compared, not tested.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES BUILD SAN WERROR DESTDIR PREFIX
export SETUP=no DEB_BUILD_OPTIONS=nocheck

# The same sources, with rights and times of their own.
mkdir -p "$one" "$another"
tar -C "$here/.." -c --exclude=./build --exclude=./.git . >"$dir/tar"
(umask 022 && tar -C "$one" --no-same-permissions -xf "$dir/tar")
(umask 077 && tar -C "$another" --no-same-permissions -m -xf "$dir/tar")

# Runs make with the arguments in both copies. False when one has failed.
both() {
    (umask 022 && cd "$one" && LC_ALL=C TZ=UTC HOME=/nonexistent USER=one \
        "$make" --no-print-directory -j"${JOBS:-1}" "$@") >"$dir/log" 2>&1 &&
        (umask 077 && cd "$another" && LC_ALL=C.UTF-8 LANGUAGE=fr \
            TZ=Pacific/Kiritimati HOME="$dir" USER=another SOMETHING=else \
            CCACHE_DISABLE=1 "$make" --no-print-directory -j"${JOBS:-1}" \
            "$@") >"$dir/log" 2>&1
}

# list FOLDER - every file below it: name, kind, rights, target, sum.
list() {
    (
        cd "$1" || exit
        find . -printf '%p %y %m %l\n' | sort
        find . -type f -exec sha256sum {} + | sort -k 2
    )
}

# has_same WHAT FILES - the files and folders of this pattern are the same in
# both copies; the rights of a file alone are whoever's who built it. What
# differs is listed, and explained by diffoscope where it is there.
has_same() {
    for copy in "$one" "$another"; do
        rm -rf "$copy/compared"
        mkdir -m 755 "$copy/compared"
        # shellcheck disable=SC2086 # a pattern
        (cd "$copy" && cp -a $2 compared)
        [ -d "$copy/$2" ] || chmod 644 "$copy"/compared/*
        list "$copy/compared" >"$copy.list"
    done
    if diff "$one.list" "$another.list" >"$dir/diff" &&
        [ "$(wc -l <"$one.list")" -gt 1 ]; then
        passed=$((passed + 1))
        return
    fi
    failed=$((failed + 1))
    echo "FAIL  $1"
    sed 's/^/    | /' "$dir/diff"
    ! command -v diffoscope >/dev/null || diffoscope --max-report-size 8000 \
        "$one/compared" "$another/compared" | sed 's/^/    | /'
}

# same_of WHAT NEEDS FILES ARGUMENT... - makes what the arguments name, and
# compares the files. NEEDS is a command that fails where it cannot be built.
same_of() {
    what=$1
    needs=$2
    files=$3
    shift 3
    if ! eval "$needs" >/dev/null 2>&1; then
        skipped=$((skipped + 1))
        echo "skip  $what: '$needs' fails here"
    elif both "$@"; then
        has_same "$what" "$files"
    else
        failed=$((failed + 1))
        echo "FAIL  $what: it cannot be built"
        tail -n 40 "$dir/log" | sed 's/^/    | /'
    fi
}

same_of "what is installed" : stage/. install DESTDIR=stage
same_of "the static program" "scripts/static_curl.sh flags" \
    build/static/cprof-leaks-static static
same_of "the packages" "command -v dpkg-buildpackage && command -v dh" \
    'build/deb/*.deb' deb

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
