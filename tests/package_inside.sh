#!/bin/sh
# package_inside.sh - the part of package.sh that runs in the new Debian, where
# /try has the packages and, in tree, what their own tests need. Prints "ok NAME"
# or "FAIL NAME" for each test, and behind that what it printed.

cd /try || exit 1
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
try() {
    name=$1
    shift
    if "$@" >/try/out 2>&1; then
        echo "ok $name"
    else
        echo "FAIL $name"
        tail -n 20 /try/out | sed 's/^/    | /'
    fi
}
install() {
    apt-get install -q -y --no-install-recommends "$@"
}
autopkgtest() {
    rm -rf /try/work && mkdir /try/work
    (cd /try/tree && AUTOPKGTEST_TMP=/try/work "debian/tests/$1")
}
files() {
    find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /try \
        -o -path /var/cache -o -path /var/lib/apt -o -path /var/lib/dpkg \
        -o -path /var/log -o -path /tmp \) -prune -o -print | sort
}
gone() {
    files | diff /try/before -
}
none_left() {
    ! find /usr /etc /var \( -name 'cprof*' -o -name '_cprof*' -o \
        -name 'libcprof*' \) | grep .
}
# What the program does without the library that it loads for addresses.
no_libcurl() {
    cprof-leaks http://127.0.0.1:1/ || [ $? -eq 2 ]
    cprof-leaks http://127.0.0.1:1/ 2>&1 | grep 'package libcurl4'
}

files >/try/before
try "the program alone is installed" install ./cprof-leaks_*.deb
try "it says what an address needs" no_libcurl
try "it runs for everybody" setpriv --reuid 65534 --regid 65534 \
    --clear-groups cprof-leaks --version
try "its copyright is there" test -s /usr/share/doc/cprof-leaks/copyright
try "its recipes name it" \
    grep -r 'ExecStart=/usr/bin/cprof-leaks' /usr/share/cprof-leaks/systemd
try "it is removed" apt-get purge -q -y --autoremove cprof-leaks
try "nothing is left of it" gone

try "all are installed" install ./cprof-leaks_*.deb ./libcprof0_*.deb \
    ./libcprof-dev_*.deb
# shellcheck disable=SC2046 # words
try "what the tests need is installed" install \
    $(sed -n 's/^Depends: //p' tree/debian/tests/control | tr -d ,)
# shellcheck disable=SC2013 # names are words
for test in $(sed -n 's/^Tests: //p' tree/debian/tests/control); do
    try "debian/tests: $test" autopkgtest "$test"
done
try "all are removed" apt-get purge -q -y cprof-leaks libcprof0 libcprof-dev
try "dpkg has nothing to say" test -z "$(dpkg --audit)"
try "nothing of it is left" none_left
