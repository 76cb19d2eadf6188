#!/bin/sh
# deps.sh MODE MODULE... - prints, as words on one line, the compiler and linker
# flags of some pkg-config modules.
#
# MODE says how a module's own library is linked. "yes" names the static archive
# and fails where there is none, "auto" names the archive where there is one,
# and "no" leaves the choice to the linker, which takes the shared library.
set -eu

mode=$1
shift
case $mode in
auto | yes | no) ;;
*)
    echo "deps.sh: STATIC_DEPS is '$mode', expected auto, yes or no" >&2
    exit 2
    ;;
esac
pkg_config=${PKG_CONFIG:-pkg-config}

if ! command -v "$pkg_config" >/dev/null; then
    echo "deps.sh: no $pkg_config here; 'make setup' installs what is missing" >&2
    exit 2
fi
if ! flags=$("$pkg_config" --cflags --libs "$@"); then
    echo "deps.sh: libraries are missing; 'make setup' installs them" >&2
    exit 2
fi

# The folders in which the modules keep their libraries, each once.
libdirs=
if [ "$mode" != no ]; then
    for module; do
        dir=$("$pkg_config" --variable=libdir "$module")
        case " $libdirs " in
        *" $dir "*) ;;
        *) libdirs="$libdirs $dir" ;;
        esac
    done
fi

# Prints the static archive of library $1, or nothing when there is none.
archive() {
    for dir in $libdirs; do
        if [ -f "$dir/lib$1.a" ]; then
            echo "$dir/lib$1.a"
            return
        fi
    done
}

words=
for flag in $flags; do
    if [ "$mode" != no ] && name=${flag#-l} && [ "$name" != "$flag" ]; then
        static=$(archive "$name")
        if [ -z "$static" ] && [ "$mode" = yes ]; then
            echo "deps.sh: STATIC_DEPS=yes, but there is no lib$name.a" >&2
            exit 2
        fi
        flag=${static:-$flag}
    fi
    words="$words $flag"
done
echo "${words# }"
