#!/bin/sh
# The examples of share/ are read by the programs that they are for.
. "$(dirname "$0")/support/lib.sh"
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
top=$(cd "$here/../.." && pwd)
share=$top/share

# missing WHAT PROGRAM... - true, with a line, when a program is not there.
n_skipped=0
missing() {
    what=$1
    shift
    for program; do
        if ! command -v "$program" >/dev/null; then
            echo "skip  $what: there is no $program"
            n_skipped=$((n_skipped + 1))
            return 0
        fi
    done
    return 1
}

# passes NAME COMMAND... - one test: the command succeeds; else what it printed.
passes() {
    name=$1
    shift
    if "$@" >"$dir/passes" 2>&1 </dev/null; then
        same "$name" 0 0
    else
        same "$name" 0 "$?"
        sed 's/^/    | /' "$dir/passes"
    fi
}

# --- Prometheus ---

if ! missing "the rules of Prometheus" promtool; then
    cp "$share/prometheus/cprof-leaks.rules.yml" \
        "$here/prometheus/rules_test.yml" "$dir"
    passes "promtool check rules" \
        promtool check rules "$dir/cprof-leaks.rules.yml"
    says "all rules were found" "$dir/passes" "SUCCESS: 6 rules found"
    passes "promtool test rules" promtool test rules "$dir/rules_test.yml"
fi

# --- systemd ---

if ! missing "the units of systemd" systemd-analyze; then
    cp "$share"/systemd/* "$dir"
    sed -i "s|/usr/local/bin/cprof-leaks|$(realpath "$CPROF_LEAKS")|" \
        "$dir/cprof-leaks@.service"
    passes "systemd-analyze verify" systemd-analyze verify --man=no \
        "$dir/cprof-leaks@api.service" "$dir/cprof-leaks@api.timer"
    same "and nothing is said" "" "$(cat "$dir/passes")"
    # From 0 (nothing can happen) to 10, in tenths.
    passes "systemd-analyze security" systemd-analyze security --offline=yes \
        --threshold=20 "$dir/cprof-leaks@.service"
fi

# --- cron ---

# What cron does with a line: five fields of time, a user, a command, which sh
# runs in an environment of the crontab's own variables and hardly more. A "%" that
# is not escaped would end the line.
crontab=$share/cron/cprof-leaks
line=$(grep '^\*/5 ' "$crontab")
same "a line of /etc/cron.d" "*/5 * * * * root cprof-leaks" \
    "$(echo "$line" | cut -d ' ' -f 1-7)"
same "without a percent sign" "" "$(echo "$line" | tr -cd %)"
same "it ends in a line end" "" "$(tail -c 1 "$crontab" | tr -d '\n')"
mkdir "$dir/bin" "$dir/home"
ln -s "$(realpath "$CPROF_LEAKS")" "$dir/bin/cprof-leaks"
as_cron() {
    status=0
    # shellcheck disable=SC2046  # the variables of the crontab
    (cd "$dir/home" && env -i HOME="$dir/home" LOGNAME=root \
        $(grep -E '^(SHELL|MAILTO)=' "$crontab") PATH="$dir/bin:/usr/bin:/bin" \
        /bin/sh -c "$1") >"$dir/out" 2>"$dir/err" </dev/null || status=$?
}
command=$(echo "$line" | cut -d ' ' -f 7- |
    sed "s| --service | --history $dir/home/api.db --service |")
dump=$(realpath "${FIXTURES:-fixtures}/corpus/idle_http/1.27/idle_http.debug1.txt")
as_cron "$(echo "$command" | sed "s|http://[^ ]*|$dump|")"
same "all is well: nothing to mail" "0  " \
    "$status $(cat "$dir/out") $(cat "$dir/err")"
dump=$(realpath "${FIXTURES:-fixtures}/seed.debug1.txt")
as_cron "$(echo "$command" | sed "s|http://[^ ]*|$dump|")"
same "a leak: the status" 2 "$status"
says "a leak is mailed" "$dir/out" "CRITICAL" "colly"
as_cron "$(echo "$command" | sed "s|http://[^ ]*|http://127.0.0.1:1|")"
same "nobody there: the status" 3 "$status"
says "nobody there is mailed" "$dir/out" "UNKNOWN" "Connection refused"

# --- Kubernetes ---

for python in python3 /usr/bin/python3; do
    ! "$python" -c 'import yaml' 2>/dev/null || break
    python=
done
if [ -z "$python" ]; then
    echo "skip  the manifests of Kubernetes: there is no yaml for python3"
    n_skipped=$((n_skipped + 1))
else
    "$python" - "$share"/kubernetes/*.yaml >"$dir/manifests" 2>&1 <<'END'
import sys
import yaml


def containers(value):
    """All containers below a value."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from item if key == "containers" else containers(item)
    elif isinstance(value, list):
        for item in value:
            yield from containers(item)


for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        for document in yaml.safe_load_all(file):
            kind, name = document["kind"], document["metadata"]["name"]
            print(kind, name, document["apiVersion"])
            for container in containers(document):
                words = container.get("command", []) + container.get("args", [])
                if "cprof-leaks" in " ".join(words):
                    print("RUN", " ".join(words).removeprefix("/bin/sh -c "))
END
    says "the manifests are read" "$dir/manifests" "CronJob cprof-leaks batch/v1" \
        "PersistentVolumeClaim cprof-leaks v1" "Deployment api apps/v1"
    # Their commands, with places of this machine.
    for run in 1 2; do
        text=$(grep '^RUN' "$dir/manifests" | sed -n "${run}p" | sed \
            -e 's|^RUN ||' -e "s|/history/|$dir/home/$run|" \
            -e "s|/config/|$dir/|" -e 's/sleep 300/test ! -e stop/' \
            -e 's/|| :;/|| :; touch stop;/' -e 's|http://alert[^ ]*|http://127.0.0.1:1|' \
            -e 's|http://127.0.0.1:6060|http://127.0.0.1:1|')
        echo "- targets: ['127.0.0.1:1']" >"$dir/targets.yml"
        rm -f "$dir/home/stop"
        as_cron "POD_NAME=api-0; $text"
        says "command $run runs" "$dir/out" "UNKNOWN" "Connection refused"
    done
fi

# --- Nagios and Icinga ---

# The command of Nagios, with its arguments filled in as it would.
text=$(sed -n 's/^ *command_line *//p' "$share/nagios/cprof-leaks.cfg" | sed \
    -e "s|/usr/local/bin/cprof-leaks|cprof-leaks|" \
    -e "s|/var/lib/cprof-leaks/|$dir/home/nagios-|")
rest=$(sed -n 's/^ *check_command *check_cprof_leaks!//p' \
    "$share/nagios/cprof-leaks.cfg")
for n in 1 2 3 4; do
    value=$(echo "$rest" | cut -d ! -f "$n" | sed 's|http://.*|http://127.0.0.1:1|')
    text=$(echo "$text" | sed "s|[$]ARG${n}[$]|$value|")
done
as_cron "$text"
same "the command of Nagios: its status" 3 "$status"
says "the command of Nagios" "$dir/out" "UNKNOWN" "Connection refused"

echo "$n_passed passed, $n_failed failed, $n_skipped skipped"
[ "$n_failed" -eq 0 ] && [ "$n_passed" -gt 0 ]
