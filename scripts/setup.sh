#!/bin/sh
# setup.sh LIST... - installs the Debian packages named in packages/LIST.txt that
# are missing, and says what it adds. Lists are named build, core and full.
#
# A list holds one package a line, comments after '#', and alternatives as
# a|b: one that is installed is enough, else the first that apt knows is taken.
# Where it cannot install (no root, no apt) it prints one line to copy and
# fails. SETUP=no in the environment makes it do nothing.
set -eu
export LC_ALL=C DEBIAN_FRONTEND=noninteractive

[ "${SETUP:-yes}" != no ] || exit 0
root=$(cd "$(dirname "$0")/.." && pwd)

# The entries of all lists, a line each, without comments and blanks.
entries=$(for list; do
    sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' \
        "$root/packages/$list.txt"
done)
[ -n "$entries" ] || exit 0

# Prints the entries of which no alternative is installed. dpkg-query is asked
# once for all names, because that keeps a run with nothing to do under 0.1 s.
missing_entries() {
    {
        # shellcheck disable=SC2046  # one word a package name
        dpkg-query -W -f='=${db:Status-Status} ${binary:Package}\n' \
            $(echo "$entries" | tr '|' '\n') 2>/dev/null || :
        echo "$entries"
    } | awk '
        /^=/ {
            sub(/:.*/, "", $2) # libc6-dev:amd64
            if ($1 == "=installed")
                installed[$2] = 1
            next
        }
        {
            found = 0
            n = split($0, names, "|")
            for (i = 1; i <= n; i++)
                if (names[i] in installed)
                    found = 1
            if (!found)
                print
        }'
}

# Prints one package name for each entry in $1: the first alternative that apt
# knows, or simply the first when it knows none or is not there.
chosen() {
    for entry in $1; do
        pick=
        for name in $(echo "$entry" | tr '|' ' '); do
            if apt-cache show "$name" >/dev/null 2>&1; then
                pick=$name
                break
            fi
        done
        echo "${pick:-${entry%%|*}}"
    done
}

# Prints the one line that somebody with root can copy, and fails.
cannot_install() {
    # shellcheck disable=SC2046  # newlines become blanks
    echo "sudo apt-get install -y --no-install-recommends" $(chosen "$1")
    exit 1
}

# Runs a command and shows what it printed only when it fails.
quietly() {
    log=$(mktemp)
    status=0
    "$@" >"$log" 2>&1 || status=$?
    [ "$status" -eq 0 ] || cat "$log" >&2
    rm -f "$log"
    return "$status"
}

# Some packages bring services, and are wanted for their programs, which the
# tests start themselves. Services are not started while packages are added
# (invoke-rc.d asks the file), nor at the next boot.
policy=/usr/sbin/policy-rc.d
held=no
hold_services() {
    if [ ! -e "$policy" ] && [ -w "${policy%/*}" ]; then
        trap release_services EXIT
        held=yes
        printf '#!/bin/sh\nexit 101\n' >"$policy"
        chmod 755 "$policy"
    fi
}

release_services() {
    [ "$held" != yes ] || rm -f "$policy"
    held=no
}

# Switches the services of the packages $1 off.
disable_services() {
    command -v systemctl >/dev/null || return 0
    # shellcheck disable=SC2086  # one word a package name
    for unit in $(dpkg-query -L $1 2>/dev/null |
        sed -nE 's#.*/systemd/system/([^/]+\.(service|timer))$#\1#p'); do
        quietly systemctl --quiet disable "$unit" || :
    done
}

missing=$(missing_entries)
[ -n "$missing" ] || exit 0
if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
    cannot_install "$missing"
fi

# Two set-ups at once would fail on apt's locks. The second waits here, and
# then finds everything installed.
if [ "${CPROF_SETUP_LOCKED:-}" != yes ] && command -v flock >/dev/null; then
    CPROF_SETUP_LOCKED=yes exec flock /var/lib/dpkg "$0" "$@"
fi

quietly apt-get -q update || echo "setup: apt-get update failed, going on" >&2
packages=$(chosen "$missing")
echo "setup: adding $(echo "$packages" | tr '\n' ' ')"
hold_services
# shellcheck disable=SC2086  # one word a package name
quietly apt-get -q -y --no-install-recommends \
    -o DPkg::Lock::Timeout=300 install $packages || cannot_install "$missing"
release_services
disable_services "$packages"

missing=$(missing_entries)
[ -z "$missing" ] || {
    echo "setup: still missing after installing:" "$missing" >&2
    exit 1
}
