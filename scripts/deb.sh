#!/bin/sh
# deb.sh FOLDER - builds the Debian packages of these sources into the folder,
# and their tests run on the way (DEB_BUILD_OPTIONS=nocheck leaves them out).
#
# dpkg-buildpackage writes beside the tree that it builds. So the sources are
# copied, and the packages stand beside the copy.
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
copy=$folder/cprof-leaks

rm -rf "$copy" "$folder"/*.deb "$folder"/*.changes "$folder"/*.buildinfo
mkdir "$copy"
tar -C "$top" -c --exclude=./build --exclude=./.git . | tar -C "$copy" -x
cd "$copy"
# A make that calls this script has flags of its own for another one.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
status=0
echo "building and testing the packages; $1/log says how far it is"
dpkg-buildpackage -us -uc -b >"$folder/log" 2>&1 || status=$?
if [ "$status" -ne 0 ]; then
    tail -n 100 "$folder/log"
    exit "$status"
fi
rm -rf "$copy"
ls -1 "$folder"/*.deb
