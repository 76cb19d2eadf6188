#!/bin/sh
# docs/quickstart.md is followed word for word: its program is built and started,
# asked with the real curl, compared, watched and ended by SIGQUIT, and each
# command prints what the document says.
# Waits: growth is measured over seconds.
. "$(dirname "$0")/support/lib.sh"
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

for program in go curl jq python3; do
    if ! command -v "$program" >/dev/null; then
        echo "no $program"
        exit 77
    fi
done
page=$here/../../docs/quickstart.md
port=$(python3 -c 'import socket
with socket.create_server(("127.0.0.1", 0)) as server:
    print(server.getsockname()[1])')

# The first block of Go is the program.
mkdir "$dir/files"
awk '/^```go$/ { n++; next } /^```/ { n += n == 1 } n == 1' "$page" |
    sed "s/localhost:6060/localhost:$port/" >"$dir/files/leak.go"
HOME=$dir GO111MODULE=off GOTOOLCHAIN=local GOPROXY=off \
    LIVE=localhost:$port FILES=$dir/files \
    "$here/../docs.sh" "$page" >"$dir/said" 2>&1
same "every command of the quick start" 0 "$?"
[ "$n_failed" -eq 0 ] || cat "$dir/said"
same "a number of commands" many \
    "$([ "$(sed -n '$ s/ passed.*//p' "$dir/said")" -ge 15 ] && echo many || echo few)"
finish
