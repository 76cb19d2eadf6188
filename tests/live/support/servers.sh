# servers.sh - servers that a live test starts: their process ids go into
# $servers, and all are ended with the test, whose folder goes as well. Read
# behind lib.sh with `.`. No proxy of the machine stands in between.
# shellcheck shell=sh
# shellcheck disable=SC2154  # lib.sh sets dir

servers=
stop() {
    for pid in $servers; do
        kill "$pid" 2>/dev/null
        wait "$pid" 2>/dev/null
    done
    rm -rf "$dir"
}
trap stop EXIT
trap 'exit 130' INT TERM
unset http_proxy https_proxy all_proxy no_proxy HTTPS_PROXY ALL_PROXY NO_PROXY
