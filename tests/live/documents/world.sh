#!/bin/sh
# world.sh DIR TOP - in namespaces of its own: lays a file system over every place
# that the documents write to, installs cprof-leaks from the sources in TOP as a
# user would, gives names to the addresses of the service DIR/service, and runs the
# blocks in DIR/blocks one after the other, each in a new folder and with a new
# service. Prints "=== NAME" and what the block prints, errors included, and its
# status.
set -u
block=
if [ "$1" = --block ]; then
    block=$2
    shift 2
fi
export LC_ALL=C.UTF-8 TZ=UTC COLUMNS=80

dir=$1
top=$2
here=$top/tests/live/documents
program=$CPROF_LEAKS

prepared=$dir/prepared
export POD=127.0.0.5:6060 CRASHED="$prepared/crashed.log"
export PATH="$here/bin:/usr/local/bin:$PATH"
# Of a make that runs this, what was set on its command line, and not its jobs.
case ${MAKEFLAGS:-} in
*' -- '*) export MAKEFLAGS="-- ${MAKEFLAGS#* -- }" ;;
*) unset MAKEFLAGS ;;
esac

# Lays a file system over a place. What is written there goes to /mnt, where no
# document looks.
layer() {
    layers=/mnt/$(echo "$1" | tr / '=')
    mkdir -p "$1" "$layers/upper" "$layers/work" &&
        mount -t overlay -o \
            "lowerdir=$1,upperdir=$layers/upper,workdir=$layers/work" \
            overlay "$1"
}

# --- A block ---

# What a crontab has for cron: variables, and lines of five fields, a user in
# /etc/cron.d, and a command, which cron gives to sh with hardly any environment.
run_crontab() {
    variables=$(grep -E '^[A-Z]+=' "$1")
    sed -n 's/^\*\/5 \* \* \* \*  *\(root  *\)\{0,1\}//p' "$1" >"$dir/line"
    # shellcheck disable=SC2086  # several variables
    env -i HOME="$HOME" LOGNAME=root PATH=/usr/bin:/bin $variables \
        /bin/sh -c "$(cat "$dir/line")"
}

# What systemd would do with a drop-in for cprof-leaks@api, and NRPE with the
# command of its configuration.
run_settings() {
    if grep -q '^command\[' "$1"; then
        sed -n 's/^command\[.*\]=//p' "$1" >"$dir/line"
        mkdir -p /var/lib/cprof-leaks
        sh "$dir/line"
        return
    fi
    unit=/etc/systemd/system/cprof-leaks@api.service
    rm -rf "$unit.d"
    mkdir -p "$unit.d"
    cp /usr/local/share/cprof-leaks/systemd/cprof-leaks@.service "$unit"
    cp "$1" "$unit.d/override.conf"
    systemd-analyze verify --man=no "$unit" || return
    sed -n 's/^ExecStart=\(.\)/\1/p' "$1" | sed 's/%i/api/g' >"$dir/line"
    CREDENTIALS_DIRECTORY=/etc/cprof-leaks TARGETS=http://127.0.0.1:6060 \
        OPTIONS='--for 3' HOME=$prepared sh "$dir/line"
}

# The commands of a step of GitHub, run by bash as GitHub runs them.
run_step() {
    sed -n '/^  run: |$/,/^[^ ]/s/^    //p' "$1" >"$dir/step"
    GITHUB_STEP_SUMMARY=$PWD/summary.md bash -e "$dir/step"
    status=$?
    head -n 1 summary.md leaks.sarif
    return "$status"
}

# What newcomers paste is run by the shell that takes least of it as it is: zsh
# refuses a "?" without quotes.
shell_for() {
    case $1 in
    */README.md* | */docs=quickstart.md*) echo zsh -f ;;
    *) echo sh ;;
    esac
}

# What the guides have had their reader do before the block FILE.
follow_guide() {
    case $1 in
    *adding-a-rule.md*) cp docs/examples/mail.yaml . ;;
    *adding-a-writer.md*)
        awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' \
            docs/adding-a-writer.md >src/report/csv.c
        line=$(sed -n '/^2\. /,/^3\. /s/^   \({.*},\)$/\1/p' \
            docs/adding-a-writer.md)
        sed -i "s/^    {\"text\", /    $line\n&/" src/report/writers.c
        sed -i 's/^int json_write(/int csv_write(const struct cprof_report *, \
            struct output *, struct cprof_error *);\n&/' src/report/writers.h
        ;;
    esac
}

# Runs the block FILE in a new folder, or in the sources when it says make.
run_block() {
    rm -rf "$dir/scratch"
    cp -a "$prepared" "$dir/scratch"
    cd "$dir/scratch" || exit
    if grep -q '^make' "$1"; then
        # Two layers are the most that there can be; without a second one, what
        # this block makes of the sources is there for the next.
        mount -t tmpfs tmpfs /mnt && layer "$top" 2>/dev/null
        cd "$top" || exit
        follow_guide "$1"
    fi
    # Beside a C source, Go would build nothing here.
    ! grep -q verdict.c "$1" || cp "$top/docs/examples/verdict.c" .
    ! grep -q port-forward "$1" || export AWAITED=localhost:6060
    case $1 in
    *ini) run_settings "$1" ;;
    *yaml) run_step "$1" ;;
    *) if grep -q '^\*/5 ' "$1"; then
        run_crontab "$1"
    else
        $(shell_for "$1") "$1"
    fi ;;
    esac
    status=$?
    case $1 in
    *adding-a-writer.md*) cat tests/cli/forms/seed-csv/stdout ;;
    esac
    find "$dir/scratch" -newer "$dir/prepared/.made" -type f -printf 'made %P\n' |
        sort
    return "$status"
}

if [ -n "$block" ]; then
    run_block "$block"
    exit
fi

# --- The machine ---

mount --make-rprivate /
mount -t tmpfs tmpfs /mnt || exit
for place in /etc /var /run /usr/local /tmp "$HOME" "$top"; do
    case $place in
    /etc/* | /var/* | /run/* | /usr/local/* | /tmp/*) continue ;;
    esac
    layer "$place" || exit
done
cd "$top" || exit

ip link set lo up
cat >/etc/hosts <<'END'
127.0.0.1 localhost
127.0.0.2 api.example.com
127.0.0.3 api-1
127.0.0.4 api-2
127.0.0.5 api
END
echo "hosts: files" >/etc/nsswitch.conf
unset http_proxy https_proxy all_proxy no_proxy HTTPS_PROXY ALL_PROXY NO_PROXY
mkdir -p /etc/cprof-leaks /var/lib/prometheus/node-exporter
echo http://api:6060/hook >/etc/cprof-leaks/slack
rm -rf /var/log/journal
install_all() {
    make --no-print-directory SETUP=no install >"$dir/install" 2>&1 || {
        cat "$dir/install" >&2
        exit 1
    }
    ldconfig
    # What is tested, however it was built.
    ln -sf "$program" /usr/local/bin/cprof-leaks
}
install_all

# --- What the blocks find ---

corpus=$FIXTURES/corpus
mkdir "$prepared"
cd "$prepared" || exit
cp "$FIXTURES/seed.debug1.txt" seed.txt
ln -s "$dir/service" api
ln -s "$here/bin/load-test" load-test
gunzip -c "$corpus/chan_send_leak/1.27/chan_send_leak.debug2.txt.gz" >dump.txt
cp dump.txt hurts.txt
cp "$corpus/series_leak/1.27/snap00.debug0.pb.gz" monday.pb.gz
cp "$corpus/series_leak/1.27/snap07.debug0.pb.gz" tuesday.pb.gz
cat >leaks.yaml <<'END'
version: 1
accept:
  - site: main.deliver
    ceiling: 200
    reason: known since spring, see SHOP-12
END
cp "$top/docs/examples/mail.yaml" my-rules.yaml
cat >go.mod <<'END'
module example.com/shop

go 1.19
END
cat >shop_test.go <<'END'
package shop

import (
	"testing"
	"time"
)

func deliver(results chan<- int) { results <- 1 }

func TestOrders(t *testing.T) {
	for n := 0; n < 120; n++ {
		go deliver(make(chan int))
	}
	time.Sleep(100 * time.Millisecond)
	panic("no order came")
}
END

cp "$corpus/crash/1.27/deadlock.panic.txt" "$CRASHED"
"$here/journal.sh" search.service search <"$CRASHED"

# For docs/install.md; tests/static.sh makes a real one, and tries it.
mkdir -p "$top/build/static"
ln -sf "$program" "$top/build/static/cprof-leaks-static"
cp dump.txt "$top"

# --- All blocks ---

# Starts the service at the addresses that the block FILE does not take itself.
authorities=/etc/ssl/certs/ca-certificates.crt
cp "$authorities" "$dir/authorities"
start_service() {
    set -- "$1" 127.0.0.3:6060 127.0.0.4:6060 127.0.0.5:6060 \
        https:api.example.com:6060 unix:/run/api.sock
    grep -q -e port-forward -e '^\./api' "$1" || set -- "$@" localhost:6060
    shift
    rm -f /run/api.sock "$dir/ready"
    CERTIFICATE=$dir/certificate "$dir/service" "$@" >"$dir/ready" &
    service=$!
    tries=0
    while [ ! -s "$dir/ready" ] && [ "$tries" -lt 300 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
    cat "$dir/authorities" "$dir/certificate" >"$authorities"
}

for block in "$dir/blocks"/*; do
    printf '=== %s\n' "$(echo "${block##*/}" | tr '=' /)"
    rm -rf /var/lib/cprof-leaks /root/.local
    start_service "$block"
    touch "$prepared/.made"
    # The steady load that growth is looked for under.
    load=
    if grep -q '^for n in' "$block"; then
        while :; do
            curl -fsS localhost:6060/work 2>/dev/null
            /bin/sleep 0.5
        done &
        load=$!
    fi
    # Processes of its own, so that none of them stays.
    timeout --kill-after=5 150 unshare --pid --fork --kill-child --mount-proc \
        "$0" --block "$block" "$dir" "$top" 2>&1
    echo "status $?"
    # An example of uninstalling.
    [ -e /usr/local/bin/cprof-leaks ] || (cd "$top" && install_all)
    # shellcheck disable=SC2086  # none, or one
    kill $load "$service"
    wait "$service" 2>/dev/null
done
exit 0
