#!/bin/sh
# package.sh - judges the packages in the folder PACKAGES by lintian, installs
# them in a new Debian that has nothing but apt, runs their own tests there
# (debian/tests), and removes them again. The last line is "N passed, N failed";
# status 77 says why a new Debian cannot be made here.
#
# It is made from the sources that apt has here, of the distribution itself.
. "$(dirname "$0")/live/support/lib.sh"
. "$(dirname "$0")/debian.sh"

folder=${PACKAGES:-build/deb}
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

# What failed before the reason was found is not skipped.
skip() {
    echo "$*"
    [ "$n_failed" -eq 0 ] || finish || exit 1
    exit 77
}

for tool in mmdebstrap apt-get dpkg-source lintian; do
    command -v "$tool" >/dev/null || skip "there is no $tool here"
done
sources >"$dir/sources"
[ -s "$dir/sources" ] || skip "apt knows no packages of this distribution"

# --- Lintian ---

set -- "$folder"/cprof-leaks_*.changes
same "there are packages" "1 yes" "$# $([ ! -f "$1" ] || echo yes)"
# The sources as a package, too.
mkdir "$dir/cprof-leaks"
tar -c --exclude=./build --exclude=./.git . | tar -C "$dir/cprof-leaks" -x
(cd "$dir" && dpkg-source -b cprof-leaks) >"$dir/log" 2>&1 || cat "$dir/log"
rm -r "$dir/cprof-leaks"
# It should not run as root, and says so on standard error. Which machine code
# reads as a word changes with the compiler, so an override may have no use.
lintian --display-info --pedantic --allow-root "$1" "$dir"/*.dsc \
    >"$dir/tags" 2>"$dir/err" || cat "$dir/err"
same "lintian has nothing to say" "" \
    "$(grep -v -e ': unused-override ' -e '^N: ' "$dir/tags")"

# --- In a new Debian ---

mkdir -p "$dir/try/tree"
cp -R --parents debian fixtures/seed.debug1.txt \
    fixtures/corpus/idle_http/1.27/idle_http.debug1.txt "$dir/try/tree"
cp "$folder"/*.deb "$here/package_inside.sh" "$dir/try"
tar -C "$dir/try" -cf "$dir/try.tar" .
# shellcheck disable=SC2016 # $1 is for mmdebstrap's own shell
mmdebstrap --quiet --variant=apt \
    --customize-hook='mkdir "$1/try"' \
    --customize-hook="tar-in $dir/try.tar /try" \
    --customize-hook='chroot "$1" sh /try/package_inside.sh >"$1/try/result" 2>&1' \
    --customize-hook="copy-out /try/result $dir" \
    "" /dev/null "$dir/sources" >"$dir/log" 2>&1 ||
    skip "no new Debian can be made here: $(tail -n 1 "$dir/log")"

same "it ran to its end" 1 "$(grep -c '^[a-zA-Z]* nothing of it is left$' \
    "$dir/result")"
while read -r verdict name; do
    case $verdict in
    ok) same "$name" ok ok ;;
    FAIL) same "$name" ok FAIL ;;
    *) echo "    $verdict $name" ;;
    esac
done <"$dir/result"

finish
