#!/bin/sh
# static_curl.sh flags|absent - what a program needs to have libcurl's archive
# and all that belongs to it inside.
#
# flags prints, as words on one line, the compiler and linker flags. absent
# prints C: functions of libraries that are not linked, because Debian has no
# archive of them or nothing here asks for them. libcurl.a names them all, but
# calls them only for protocols and credentials that http/transfer.c leaves out:
# Kerberos, LDAP, RTMP and SSH. Starting and stopping SSH is all that libcurl
# always does, and then nothing has to be done.
set -eu

pkg_config=${PKG_CONFIG:-pkg-config}
nm=${NM:-nm}

# What is not linked: libraries, and the beginnings of their functions' names.
no_libraries='rtmp ssh2 ssh gssapi_krb5 krb5 k5crypto com_err ldap lber'
no_functions='gss_|GSS_|ldap_|ber_|RTMP_|libssh2_'

if ! "$pkg_config" --exists libcurl; then
    echo "static_curl.sh: there is no libcurl to link; 'make static' installs" \
        "what is missing, unless SETUP=no" >&2
    exit 2
fi
libdir=$("$pkg_config" --variable=libdir libcurl)

flags() {
    # libcurl.pc names libraries, but not what these need in turn.
    modules=libcurl
    for module in libnghttp2 libidn2 libpsl openssl libzstd libbrotlidec zlib
    do
        ! "$pkg_config" --exists "$module" || modules="$modules $module"
    done
    words=
    # shellcheck disable=SC2086  # a word a module
    for word in $("$pkg_config" --static --cflags --libs $modules); do
        name=${word#-l}
        if [ "$name" != "$word" ]; then
            case " $no_libraries " in
            *" $name "*) continue ;;
            esac
            if [ -f "$libdir/lib$name.a" ]; then
                word=$libdir/lib$name.a
            elif ! ${CC:-cc} -print-file-name="lib$name.a" | grep -q /; then
                echo "static_curl.sh: libcurl needs lib$name, of which there" \
                    "is no archive (lib$name.a)" >&2
                exit 2
            fi
        fi
        case " $words " in
        *" $word "*) ;;
        *) words="$words $word" ;;
        esac
    done
    echo "$words"
}

absent() {
    echo '#include <stdlib.h>'
    "$nm" -u "$libdir/libcurl.a" 2>/dev/null |
        awk -v names="^($no_functions)" '
            $1 != "U" || $2 !~ names || seen[$2]++ { next }
            $2 ~ /^libssh2_(init|exit)$/ {
                print "int " $2 "(void);\nint " $2 "(void)\n{\n    return 0;\n}"
                next
            }
            {
                print "void " $2 "(void);\nvoid " $2 "(void)"
                print "{\n    abort();\n}"
            }'
}

case ${1-} in
flags) flags ;;
absent) absent ;;
*)
    echo "usage: static_curl.sh flags|absent" >&2
    exit 2
    ;;
esac
