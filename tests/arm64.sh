#!/bin/sh
# arm64.sh - compiles the program and its unit tests for 64-bit ARM, with the
# libraries of a Debian of that machine, and runs them in an emulator: all unit
# tests, all golden command lines, and the dumps whose truth is known. char has
# no sign there, and nothing is compared by AVX2.
#
# Environment: MAKE, JOBS, BUILD (a folder), NATIVE (the folder of a build for
# this machine), FIXTURES. The last line is "N passed, N failed"; status 77 says
# why this cannot be done here.
set -u
export LC_ALL=C.UTF-8
here=$(dirname "$0")
# shellcheck source=tests/debian.sh
. "$here/debian.sh"

make=${MAKE:-make}
build=${BUILD:-build/arm64}
native=${NATIVE:-build/release}
triplet=aarch64-linux-gnu
emulator=qemu-aarch64
packages=libc6-dev,libpcre2-dev,zlib1g-dev,libprotobuf-c-dev,libcmocka-dev
packages=$packages,libyaml-dev,libjansson-dev,libxxhash-dev,libsqlite3-dev
packages=$packages,libcurl4-openssl-dev
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
# What a make above has set is for this machine.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES BUILD SAN

skip() {
    echo "$*"
    exit 77
}

for tool in mmdebstrap $triplet-gcc $emulator; do
    command -v "$tool" >/dev/null || skip "there is no $tool here"
done
sources >"$dir/sources"
[ -s "$dir/sources" ] || skip "apt knows no packages of this distribution"

# --- The libraries ---

root=$(realpath -m "$build")/root
rm -rf "$root"
mkdir -p "$root"
mmdebstrap --quiet --variant=extract --arch=arm64 --include="$packages" \
    "" - "$dir/sources" 2>"$dir/log" >"$dir/root.tar" ||
    skip "no Debian of that machine can be had: $(tail -n 1 "$dir/log")"
tar -C "$root" --exclude=./dev --no-same-owner -xf "$dir/root.tar"
rm "$dir/root.tar"

# --- The program ---

host_flags=$(pkg-config --cflags yaml-0.1 libpcre2-8 libxxhash)
host_libs=$(pkg-config --libs yaml-0.1 libpcre2-8 libxxhash)

# make for that machine.
for_arm64() {
    PKG_CONFIG_LIBDIR=$root/usr/lib/$triplet/pkgconfig:$root/usr/share/pkgconfig \
        PKG_CONFIG_SYSROOT_DIR=$root "$make" --no-print-directory \
        BUILD="$build" OBJCOPY=$triplet-objcopy WERROR=1 SETUP=no \
        CC="$triplet-gcc --sysroot=$root -B$root/usr/lib/$triplet" \
        HOST_CC=cc HOST_CFLAGS="-O2 $host_flags" HOST_LDFLAGS= \
        HOST_LIBS="$host_libs" "$@"
}

if ! for_arm64 -j"${JOBS:-1}" all tests >"$dir/log" 2>&1; then
    tail -n 30 "$dir/log"
    echo "it does not compile for $triplet"
    exit 1
fi

# Which others can start as if it were theirs.
program=$build/run-cprof-leaks
printf '#!/bin/sh\nexec %s -L "%s" "%s" "$@"\n' "$(command -v $emulator)" \
    "$root" "$(realpath "$build/cprof-leaks")" >"$program"
chmod +x "$program"

# --- Its tests ---

# run NAME COMMAND... - adds the counts of the command's last line to counts.
# One that ends early, or counts nothing, is one failed test.
run() {
    name=$1
    status=0
    shift
    "$@" >"$dir/log" 2>&1 || status=$?
    counts=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$dir/log" | tail -n 1)
    case $status:$counts in
    0:?*", 0 failed"*) ;;
    *:*", 0 failed"* | *:) counts="0 passed, 1 failed" ;;
    esac
    echo "$name: $counts"
    echo "$counts" >>"$dir/counts"
    [ "$status" -eq 0 ] ||
        grep -v '^ok ' "$dir/log" | tail -n 200 | sed 's/^/    | /'
}

run unit for_arm64 unit RUNNER="$emulator -L $root"
run cli for_arm64 cli TESTED="$program"
run conformance "$make" --no-print-directory BUILD="$native" SETUP=no \
    conformance TESTED="$program" NAMES=corpus,crash,growth,locks,streams
awk '{ passed += $1; failed += $3; skipped += $5 }
    END {
        printf "%d passed, %d failed", passed, failed
        if (skipped)
            printf ", %d skipped", skipped
        print ""
        exit failed > 0
    }' "$dir/counts"
