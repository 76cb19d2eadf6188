# md2man.awk - makes a manual page (man(7)) of a document in the Markdown that
# docs/ is written in: headings, paragraphs, lists, fenced blocks, tables whose
# first column is a term, code and emphasis inside a line, links.
# Variables: name, section, version, date, about. The first heading is left out.

function escape(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text
}

# Emphasis, code and links inside a paragraph.
function inline(text) {
    text = escape(text)
    while (match(text, /\[[^]]*\]\([^)]*\)/)) {
        link = substr(text, RSTART, RLENGTH)
        sub(/\]\(.*/, "", link)
        text = substr(text, 1, RSTART - 1) substr(link, 2) \
            substr(text, RSTART + RLENGTH)
    }
    while (match(text, /\*\*[^*]+\*\*/))
        text = substr(text, 1, RSTART - 1) "\\fB" \
            substr(text, RSTART + 2, RLENGTH - 4) "\\fR" \
            substr(text, RSTART + RLENGTH)
    while (match(text, /`[^`]+`/))
        text = substr(text, 1, RSTART - 1) "\\fB" \
            substr(text, RSTART + 1, RLENGTH - 2) "\\fR" \
            substr(text, RSTART + RLENGTH)
    return text
}

# A line of text must not begin as a request does.
function say(text) {
    if (text ~ /^[.']/)
        text = "\\&" text
    print text
}

# Ends a paragraph, whose lines were gathered so that marks may span them. One
# that stands alone begins by a request; behind a heading or the mark of a list
# nothing must.
function flush() {
    if (paragraph == "")
        return
    if (!is_item && !after_heading)
        print ".PP"
    say(inline(paragraph))
    paragraph = ""
    is_item = after_heading = 0
}

BEGIN {
    printf ".TH %s %s \"%s\" \"cprof\\-leaks %s\" \"File Formats\"\n",
        toupper(escape(name)), section, date, version
    printf ".SH NAME\n%s \\- %s\n", escape(name), escape(about)
    print ".SH DESCRIPTION"
    after_heading = 1
}

/^```/ {
    flush()
    in_block = !in_block
    if (in_block && !after_heading)
        print ".PP"
    print in_block ? ".RS 4\n.nf" : ".fi\n.RE"
    after_heading = 0
    next
}
in_block { say(escape($0)); next }
/^# / { next }
/^## / {
    flush()
    print ".SH " toupper(inline(substr($0, 4)))
    after_heading = 1
    next
}
/^###+ / {
    flush()
    sub(/^#+ /, "")
    print ".SS " inline($0)
    after_heading = 1
    next
}
/^ *$/ { flush(); next }

# The line below the head of a table says nothing, and the head says what the
# columns are.
/^\|[-|: ]+\|$/ { next }
/^\|/ {
    flush()
    line = $0
    gsub(/\\\|/, "\001", line)
    n = split(line, cells, /\|/)
    print ".TP"
    after_heading = 0
    for (i = 2; i < n; i++) {
        gsub(/^ +| +$/, "", cells[i])
        gsub("\001", "|", cells[i])
        if (i == 2)
            say(cells[i] == "" ? "\\&" : inline(cells[i]))
        else if (cells[i] != "")
            say(inline(cells[i]))
    }
    next
}
/^ *[-*] / || /^ *[0-9]+\. / {
    flush()
    mark = $1
    sub(/^ *[^ ]+ /, "")
    print ".IP " (mark ~ /[0-9]/ ? mark : "\\(bu") " 4"
    paragraph = $0
    is_item = 1
    next
}
{
    sub(/^ +/, "")
    paragraph = paragraph == "" ? $0 : paragraph " " $0
}
END { flush() }
