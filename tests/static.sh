#!/bin/sh
# static.sh - holds the static program to its name: it needs no library, and
# answers in a folder where there is nothing else, as in a container made FROM
# scratch, whoever runs it. Environment: CPROF_LEAKS, FIXTURES. The last line is
# "N passed, N failed"; status 77 says why such a folder cannot be made here.
. "$(dirname "$0")/live/support/lib.sh"

program=$CPROF_LEAKS
fixtures=${FIXTURES:-fixtures}
seed=$fixtures/seed.debug1.txt
servers=
stop() {
    for pid in $servers; do
        kill "$pid" 2>/dev/null
    done
    rm -rf "$dir"
}
trap stop EXIT
trap 'exit 130' INT TERM

# A folder is made the root of the file system: by root, or in a name space of
# one's own.
root=$dir/root
mkdir "$root"
cp "$program" "$root/cprof-leaks"
if [ "$(id -u)" -eq 0 ]; then
    alone() { chroot "$root" /cprof-leaks "$@"; }
else
    alone() { unshare -r chroot "$root" /cprof-leaks "$@"; }
fi
if ! alone --version >"$dir/out" 2>&1; then
    # Outside it runs: then it is the folder that cannot be made.
    if "$program" --version >/dev/null; then
        echo "no new root here: $(head -n 1 "$dir/out")"
        exit 77
    fi
    exit 1
fi

# ask ARGUMENT... - runs the program alone; sets status, leaves out and err.
ask() {
    status=0
    alone "$@" >"$dir/out" 2>"$dir/err" || status=$?
}

# --- What it needs ---

readelf -lW "$program" >"$dir/headers"
readelf -dW "$program" >"$dir/dynamic"
same "it asks for no loader" 0 "$(grep -c INTERP "$dir/headers")"
same "it needs no library" 0 "$(grep -c NEEDED "$dir/dynamic")"
same "it may lie anywhere" 1 "$(readelf -hW "$program" | grep -c 'DYN (')"

# --- What it says, alone ---

ask <"$seed"
same "a pipe: status" 1 "$status"
says "a pipe" "$dir/out" "CRITICAL: Requests queued on the semaphore of colly"
cp "$seed" "$root/dump.txt"
gzip -c "$seed" >"$root/dump.gz"
for file in dump.txt dump.gz; do
    ask -o json "/$file"
    same "$file: status" 1 "$status"
    says "$file" "$dir/out" '"verdict": "critical"'
done
ask rules list
same "rules list: status" 0 "$status"
says "the rules are inside" "$dir/out" colly-limit-rule chan-send-blocked
mkdir -m 777 "$root/history"
ask check --history /history/a.db --service a /dump.txt
same "check: status" 2 "$status"
ask history list /history/a.db
says "a history" "$dir/out" "default 1 20"
if [ "$(id -u)" -eq 0 ]; then
    # A number that is nobody's name, and a root that cannot be written.
    status=0
    chroot --userspec=65532:65532 "$root" /cprof-leaks /dump.txt \
        >"$dir/out" 2>"$dir/err" || status=$?
    same "a user without a name" "1 " "$status $(cat "$dir/err")"
fi

# --- Addresses ---

# serve [KEY] - starts a server of the files in this folder, by TLS with the
# key and certificate of that file; its port is in $port.
serve() {
    : >"$dir/server" # or the port of the server before is read
    python3 -u "$here/live/support/files.py" "$root" "$@" >"$dir/server" 2>&1 &
    servers="$servers $!"
    tries=0
    while ! grep -q . "$dir/server" && [ "$tries" -lt 100 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
    port=$(cat "$dir/server")
}
unset http_proxy https_proxy all_proxy no_proxy HTTPS_PROXY ALL_PROXY NO_PROXY
serve
ask "http://127.0.0.1:$port/dump.txt"
same "an address: status" "1 " "$status $(cat "$dir/err")"
ask "http://localhost:$port/dump.txt"
same "localhost: status" "1 " "$status $(cat "$dir/err")"
mkdir -m 755 "$root/etc"
echo "127.0.0.1 api.internal" >"$root/etc/hosts"
# The plug-ins that it names are not there, and not asked.
echo "hosts: nowhere [!UNAVAIL=return] files" >"$root/etc/nsswitch.conf"
ask "http://api.internal:$port/dump.txt"
same "a name of /etc/hosts: status" "1 " "$status $(cat "$dir/err")"
ask "https://localhost:$port/dump.txt"
same "TLS without authorities: status" 2 "$status"
says "TLS without authorities" "$dir/err" \
    "no authorities to trust: install the package ca-certificates" "--cacert"
openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost -days 2 -keyout "$dir/key" \
    -out "$dir/certificate" 2>"$dir/err" || cat "$dir/err"
cat "$dir/certificate" >>"$dir/key"
serve "$dir/key"
ask --cacert /dump.txt "https://localhost:$port/dump.txt"
says "a file without authorities" "$dir/err" "the file of --cacert"
mkdir -p "$root/etc/pki/tls/certs"
cp "$dir/certificate" "$root/etc/pki/tls/certs/ca-bundle.crt"
ask "https://localhost:$port/dump.txt"
same "authorities where Fedora has them" "1 " "$status $(cat "$dir/err")"

finish
