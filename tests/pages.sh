#!/bin/sh
# pages.sh FILE... - whether the documents hold together: each link to a file
# leads to one, each link to a heading of a document to a heading of that name,
# as GitHub makes it, and docs/reading-dumps.md tells of every state that a group
# can have. Is run at the top of the sources. The last line is "N passed, N
# failed"; a link is one test, and so is a state.
set -u
export LC_ALL=C

states=$(sed -n 's/^    STR_INIT("\(.*\)"),$/\1/p' src/model/state.c)
awk -v states="$states" '
function result(is_good, message) {
    n[is_good ? "passed" : "failed"]++
    if (!is_good)
        print message
}

# The words by which a link names a heading.
function anchor(file, text) {
    gsub(/\\/, "", text)
    text = tolower(text)
    gsub(/[^a-z0-9_ -]/, "", text)
    gsub(/ /, "-", text)
    return file "#" text (seen[file, text]++ ? "-" seen[file, text] - 1 : "")
}

# "a/b/../c" as "a/c".
function plain(path) {
    while (sub(/[^\/]+\/\.\.\//, "", path))
        continue
    return path
}

function is_there(file) {
    return file ~ /^[A-Za-z0-9_.\/-]+$/ && system("test -e " file) == 0
}

function follow(link,    place, target, file) {
    place = link
    sub(/ .*/, "", place)
    target = substr(link, length(place) + 2)
    file = place
    sub(/:.*/, "", file)
    if (target !~ /^#/) {
        if (!sub(/[^\/]*$/, "", file))
            file = ""
        file = plain(file target)
    } else {
        file = file target
    }
    if (file ~ /#/)
        result(file in headings, place ": there is no heading " file)
    else
        result(is_there(file), place ": there is no " file)
}

FNR == 1 { in_block = 0 }
/^```/ { in_block = !in_block; next }
FILENAME == "docs/reading-dumps.md" { all = all $0 "\n" }
in_block { next }
/^#+ / { headings[anchor(FILENAME, substr($0, index($0, " ") + 1))] }
{
    gsub(/`[^`]*`/, "")
    while (match($0, /\]\([^) ]+\)/)) {
        target = substr($0, RSTART + 2, RLENGTH - 3)
        $0 = substr($0, RSTART + RLENGTH)
        if (target !~ /^(https?|mailto):/)
            links[++n_links] = FILENAME ":" FNR " " target
    }
}
END {
    for (i = 1; i <= n_links; i++)
        follow(links[i])
    n_states = split(states, words, "\n")
    for (i = 1; i <= n_states; i++)
        result(index(all, "`" words[i] "`"),
            "docs/reading-dumps.md says nothing of the state " words[i])
    print n["passed"] + 0 " passed, " n["failed"] + 0 " failed"
    exit n["failed"] || !n_states
}' "$@"
