#!/bin/sh
# The runner of test scripts adds up, and hides no failure.
. "$(dirname "$0")/lib.sh"

# Plants the script $1 that prints $2 and ends with status $3.
script() {
    printf '#!/bin/sh\necho detail\necho "%s"\nexit %d\n' "$2" "$3" | plant "$1"
    chmod +x "$dir/$1"
}
script good "3 passed, 0 failed" 0
script plain "no counts" 0
script skipped "there is no browser" 77
script bad "3 passed, 2 failed" 1
script dies "4 passed, 0 failed" 139

run "$top/tests/each.sh" ./good ./plain ./skipped
expect "counts, no counts, skipped" 0 "ok    ./good" "there is no browser" \
    "4 passed, 0 failed, 1 skipped" "!detail"
run "$top/tests/each.sh" ./good ./bad
expect "a failure is shown" 1 "FAIL  ./bad" "| detail" "6 passed, 2 failed"
run "$top/tests/each.sh" ./dies
expect "a bad status is a failure" 1 "FAIL  ./dies" "4 passed, 1 failed"
printf '#!/bin/sh\nsleep 60\n' | plant hangs
chmod +x "$dir/hangs"
for name in first second; do
    printf '#!/bin/sh\n# Waits: of the clock\nmkdir turn && sleep 0.3 && %s\n' \
        '[ -e beside ] && rmdir turn' | plant "$name"
    chmod +x "$dir/$name"
done
printf '#!/bin/sh\n: >beside\n' | plant beside.sh
chmod +x "$dir/beside.sh"
JOBS=3 run "$top/tests/each.sh" ./first ./beside.sh ./second ./good
expect "several run at once, and what waits in turn" 0 \
    "ok    ./first" "ok    ./second" "6 passed, 0 failed"
EACH_LIMIT=1 run "$top/tests/each.sh" ./hangs ./good
expect "what hangs is ended, and the rest goes on" 1 "FAIL  ./hangs" \
    "was ended after 1 s" "ok    ./good" "3 passed, 1 failed"
run "$top/tests/each.sh"
expect "no script at all is no success" 2 "nothing to run"

finish
