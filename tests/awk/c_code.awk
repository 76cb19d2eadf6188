# c_code.awk - what the checks of C sources share. Linked with -f before them.

# The line without comments, and with strings and character constants empty.
# in_comment says whether the line begins inside a comment, and is set to
# whether the next one does; set it to 0 at the beginning of a file.
function code_of(text,    out, start) {
    out = ""
    while (text != "") {
        if (in_comment) {
            start = index(text, "*/")
            if (!start)
                return out
            text = substr(text, start + 2)
            in_comment = 0
        } else if (match(text, /["\047]|\/\*|\/\//)) {
            out = out substr(text, 1, RSTART - 1)
            start = substr(text, RSTART, RLENGTH)
            text = substr(text, RSTART + RLENGTH)
            if (start == "//")
                return out
            if (start == "/*") {
                in_comment = 1
            } else {
                text = after_quote(text, start)
                out = out start start
            }
        } else {
            return out text
        }
    }
    return out
}

# What stands behind the quote that ends a string or constant.
function after_quote(text, quote,    c) {
    while (text != "") {
        c = substr(text, 1, 1)
        text = substr(text, 2)
        if (c == "\\")
            text = substr(text, 2)
        else if (c == quote)
            return text
    }
    return ""
}
