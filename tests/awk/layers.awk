# layers.awk - the work of layers.sh, which says what is checked. Its input is
# a list of paths; c_code.awk stands before it.

BEGIN {
    # ORDER ROOMS (docs/architecture.md): who may include whom.
    may["cli"] = "notify export report rules analysis store fetch read format" \
        " unwrap pprof http input model base"
    may["notify"] = "http report model base"
    may["export"] = "pprof model base"
    may["report"] = "rules analysis model base"
    may["rules"] = "analysis model base"
    may["analysis"] = "model base"
    may["store"] = "model base"
    may["fetch"] = "http input base"
    may["read"] = "format unwrap input model base"
    may["format"] = "pprof input model base"
    may["unwrap"] = "input base"
    may["pprof"] = "base"
    may["http"] = "base"
    may["input"] = "base"
    may["model"] = "base"
    may["base"] = ""

    # Which rooms know a library, by the beginning of its header's name.
    known["curl/"] = "http"
    known["sqlite3"] = "store"
    known["yaml.h"] = "rules fetch"
    known["pcre2"] = "rules"
    known["zlib.h"] = "input export"
    known["protobuf-c/"] = "pprof"
    known["jansson"] = "unwrap http cli"
    known["xxhash"] = "base model"

    # What only cli does. The stream of a terminal is as good as a function.
    outward = "stdout stderr stdin printf vprintf puts putchar perror exit" \
        " _exit _Exit quick_exit getenv secure_getenv setenv environ isatty" \
        " time gettimeofday clock_gettime clock localtime localtime_r" \
        " setlocale nl_langinfo signal sigaction"
    n = split(outward, words, " ")
    for (i = 1; i <= n; i++)
        is_outward[words[i]] = 1
}

function holds(list, word) {
    return index(" " list " ", " " word " ") > 0
}

function breach(words) {
    printf "%s:%d: %s\n", path, line, words
    n_breaches[path]++
}

# The room of a path: what stands between src/ and the file's name.
function room_of(path) {
    if (path ~ /(^|\/)include\/cprof\//)
        return "include/cprof"
    sub(/^(.*\/)?src\//, "", path)
    return sub(/\/[^\/]*$/, "", path) ? path : ""
}

# An #include of name; quote is the character before it, " or <.
function check_include(name, quote,    folder, prefix) {
    folder = name
    if (!sub(/\/.*/, "", folder))
        folder = ""
    if (folder == "cprof")
        return
    if (room == "include/cprof" && (quote == "\"" || folder in may))
        breach("include/cprof includes " name ", which is inside the house")
    else if (quote == "\"" && folder == "")
        breach(room " includes " name " without its folder")
    else if (quote == "\"" && !(folder in may))
        breach(room " includes " name ", but " folder " is no room")
    else if (folder in may && folder != room && !holds(may[room], folder))
        breach(room " includes " name ", but may not know " folder)
    if (quote == "<")
        for (prefix in known)
            if (index(name, prefix) == 1 && !holds(known[prefix], room))
                breach(room " includes <" name ">, which only " \
                       known[prefix] " may know")
}

# The words of a line of code. Those behind a dot or an arrow are members.
function check_words(code,    word, before) {
    while (match(code, /[A-Za-z_][A-Za-z_0-9]*/)) {
        before = substr(code, 1, RSTART - 1)
        word = substr(code, RSTART, RLENGTH)
        code = substr(code, RSTART + RLENGTH)
        if ((word in is_outward) && before !~ /(\.|->)$/ &&
            (word ~ /^(std(in|out|err)|environ)$/ || code ~ /^ *\(/))
            breach(room " uses " word ", which only cli may")
    }
}

function check_line(text,    code) {
    if (!in_comment && text ~ /^#[ \t]*include[ \t]*["<]/) {
        sub(/^#[ \t]*include[ \t]*/, "", text)
        match(text, /.[">]/)
        check_include(substr(text, 2, RSTART - 1), substr(text, 1, 1))
        return
    }
    code = code_of(text)
    if (room != "cli")
        check_words(code)
}

{
    path = $0
    line = 0
    in_comment = 0
    n_files++
    room = room_of(path)
    if (room != "include/cprof" && !(room in may))
        breach("'" room "' is no room of the house")
    while ((getline text < path) > 0) {
        line++
        check_line(text)
    }
    close(path)
}

END {
    for (path in n_breaches)
        n_failed++
    printf "%d passed, %d failed\n", n_files - n_failed, n_failed
    exit n_failed > 0 || n_files == 0
}
