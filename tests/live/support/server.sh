# server.sh - the Go server of the live tests, that in the folder `program` if it
# is set; read with `.` behind lib.sh.
# shellcheck shell=sh
# shellcheck disable=SC2154,SC2034  # lib.sh sets dir; address is for the tests

server=
stop() {
    [ -z "$server" ] || kill "$server" 2>/dev/null
    [ -z "$server" ] || wait "$server" 2>/dev/null
    server=
}
trap 'stop; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

program=${program:-server}
source=$here/$program/main.go
line_of() {
    grep -n "mark: $1\$" "$source" | cut -d : -f 1
}

# Starts the server with the given options; sets its address.
start() {
    rm -f "$dir/address"
    "$dir/server" "$@" >"$dir/address" 2>"$dir/server.err" &
    server=$!
    await_text "$dir/address"
    read -r address <"$dir/address" || {
        cat "$dir/server.err"
        echo "the server did not start"
        exit 1
    }
}

build_go "$program" server
