#!/bin/sh
# The HTML report in a real browser, Debian's Chromium: nothing on its console,
# no request, the numbers of JSON, names that stay text, and everything that can
# be clicked, typed or chosen. With SHOTS=FOLDER, screenshots for the eye are left
# there.
. "$(dirname "$0")/support/lib.sh"
trap 'rm -rf "$dir"' EXIT

# Debian's module belongs to Debian's Python, which need not be the first one.
for python in python3 /usr/bin/python3; do
    ! "$python" -c 'import selenium' 2>"$dir/why" || break
    python=
done
if [ -z "$python" ]; then
    tail -n 1 "$dir/why"
    exit 77
fi
for program in chromium chromedriver; do
    if ! command -v "$program" >"$dir/found"; then
        echo "no $program"
        exit 77
    fi
done

export CPROF_LEAKS
[ -z "${SHOTS:-}" ] || mkdir -p "$SHOTS"
HOME=$dir "$python" "$here/support/html_report.py" "${FIXTURES:-fixtures}" "$dir" \
    ${SHOTS:+"$SHOTS"}
