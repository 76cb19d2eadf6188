# style.awk - the work of style.sh, which says what is checked. Its input is a
# list of paths; c_code.awk stands before it.

BEGIN {
    MAX_COLUMNS = 80
    MAX_FILE = 600
    MAX_FUNCTION = 60
    # Written so that this file holds none of the words itself.
    OPEN_MARK = "(^|[^A-Za-z_0-9])(T[O]DO|F[I]XME|X[X]X|H[A]CK)" \
        "($|[^A-Za-z_0-9])"
}

function breach(at, words) {
    printf "%s:%d: %s\n", path, at, words
    n_breaches[path]++
}

# --- The distribution --------------------------------------------------------
# Numbers are counted as [row, kind, value], for the row of the file's folder
# and for the row of all. A kind is "file" or "function", its value the lines.

function note(row, kind, value) {
    n_values[row, kind]++
    histogram[row, kind, value]++
    if (value > largest[row, kind])
        largest[row, kind] = value
}

# The value that a share of a row's numbers does not exceed.
function quantile(row, kind, share,    value, seen) {
    for (value = 0; value < largest[row, kind]; value++) {
        seen += histogram[row, kind, value]
        if (seen > 0 && seen >= n_values[row, kind] * share)
            break
    }
    return value
}

function print_row(row) {
    printf "%-22s %5d %6d %6d %5d %6d %6d %4d %4d %6d %3d %%\n", row, \
        n_values[row, "file"], sum[row, "line"], \
        quantile(row, "file", 0.5), largest[row, "file"], \
        n_values[row, "function"], quantile(row, "function", 0.5), \
        quantile(row, "function", 0.95), largest[row, "function"], \
        sum[row, "prototype"], \
        100 * sum[row, "comment"] / \
            (sum[row, "comment"] + sum[row, "code"] + (sum[row, "line"] == 0))
}

function print_table(    i) {
    printf "\n%-22s %5s %6s %6s %5s %6s %6s %4s %4s %6s %5s\n", "", "files", \
        "lines", "median", "max", "funcs", "median", "p95", "max", "protos", \
        "comm."
    for (i = 1; i <= n_rows; i++)
        print_row(rows[i])
    print_row("all of src")
    print ""
}

# One of the bounds over all of src; true when it is kept.
function check_whole(kind, share, most,    value) {
    n_bounds++
    value = quantile("all of src", kind, share)
    if (value <= most)
        return
    printf "src: of 100 %ss, %d have at most %d lines; the bound is %d\n", \
        kind, 100 * share, value, most
    n_bounds_broken++
}

# --- A line by itself --------------------------------------------------------

# How many columns a line takes: its bytes without those that go on a UTF-8
# character. Wide characters have no place in code.
function columns(text) {
    gsub(/[\200-\277]/, "", text)
    return length(text)
}

function check_line(text) {
    if (columns(text) > MAX_COLUMNS)
        breach(line, columns(text) " columns, at most " MAX_COLUMNS)
    if (text ~ /\t/)
        breach(line, "a tab")
    if (text ~ /[ \t\r]$/)
        breach(line, "a blank at the end of the line")
    if (text ~ OPEN_MARK)
        breach(line, "an open mark: what is left to do is an issue")
}

# --- Declarations at file level ----------------------------------------------
# declaration holds the words of the one that is being read, begun at line
# declared_at; depth counts the braces that are open.

# The declaration without attributes, which may hold parentheses.
function plain_declaration(    text) {
    text = declaration
    while (match(text, /__attribute__ *\(\(/))
        text = substr(text, 1, RSTART - 1) \
            after_parenthesis(substr(text, RSTART + RLENGTH), 2)
    return text
}

# What stands behind the parenthesis that closes the open ones.
function after_parenthesis(text, n_open) {
    while (n_open > 0 && match(text, /[()]/)) {
        n_open += substr(text, RSTART, 1) == "(" ? 1 : -1
        text = substr(text, RSTART + 1)
    }
    return text
}

function is_function(    text) {
    text = plain_declaration()
    return text ~ /\(/ && text !~ /=/ && text !~ /^ *(typedef|_Static_assert) /
}

# A prototype, or the head of a function in a header.
function check_prototype() {
    if (path !~ /\.h$/)
        return
    add("prototype")
    if (documented)
        documented_at = line
    else
        breach(declared_at, "no comment above this prototype")
}

# The comment stands directly above, or above the prototypes and types of
# callbacks that stand directly above: it speaks of all of them then.
function begin_declaration() {
    declared_at = line
    documented = comment_at == line - 1 || documented_at == line - 1
}

function open_brace() {
    if (depth++ > 0)
        return
    in_function = is_function()
    if (in_function)
        check_prototype()
    declaration = "="   # whatever follows the braces, no prototype begins so
}

function close_brace(    lines) {
    if (depth == 0) {
        declaration = "" # the end of an extern "C"
        return
    }
    if (--depth > 0 || !in_function)
        return
    in_function = 0
    declaration = ""
    lines = line - declared_at + 1
    note(row, "function", lines)
    if (path ~ /(^|\/)src\//)
        note("all of src", "function", lines)
    if (lines > MAX_FUNCTION)
        breach(declared_at, "a function of " lines " lines, at most " \
               MAX_FUNCTION)
}

function end_statement() {
    if (depth > 0)
        return
    if (is_function())
        check_prototype()
    else if (documented && declaration ~ /^typedef /)
        documented_at = line
    declaration = ""
}

# Follows one line of code through the declarations.
function follow(code,    mark, words) {
    if (depth == 0 && code ~ /^extern "" *\{?$/)
        return
    while (code ~ /[^ ]/) {
        words = code
        mark = ""
        if (match(code, /[{};]/)) {
            words = substr(code, 1, RSTART - 1)
            mark = substr(code, RSTART, 1)
        }
        code = mark == "" ? "" : substr(code, RSTART + 1)
        if (depth == 0 && declaration == "" && words ~ /[^ ]/)
            begin_declaration()
        if (depth == 0)
            declaration = declaration words " "
        if (mark == "{")
            open_brace()
        else if (mark == "}")
            close_brace()
        else if (mark == ";")
            end_statement()
    }
}

# --- Files -------------------------------------------------------------------

# Counts a line or prototype for the rows that the file belongs to.
function add(kind) {
    sum[row, kind]++
    if (path ~ /(^|\/)src\//)
        sum["all of src", kind]++
}

# The row of a file: its folder.
function open_file() {
    row = path
    sub(/\/[^\/]*$/, "", row)
    if (!(row in is_row)) {
        is_row[row] = 1
        rows[++n_rows] = row
    }
    line = depth = in_comment = in_function = in_macro = 0
    comment_at = documented_at = -1
    declaration = ""
    n_files++
}

function check_text(text,    code) {
    check_line(text)
    add("line")
    code = code_of(text)
    if (code ~ /[^ ]/) {
        add("code")
    } else if (text ~ /[^ ]/) {
        add("comment")
        comment_at = line
    }
    # A macro is no declaration, and goes on where its line ends in a "\".
    if (in_macro || code ~ /^ *#/)
        in_macro = code ~ /\\$/
    else
        follow(code)
}

function close_file() {
    note(row, "file", line)
    if (path ~ /(^|\/)src\//)
        note("all of src", "file", line)
    if (line > MAX_FILE)
        breach(line, "a file of " line " lines, at most " MAX_FILE)
    if (depth != 0)
        breach(line, "braces that do not match, as far as this check reads C")
}

{
    path = $0
    open_file()
    while ((getline text < path) > 0) {
        line++
        check_text(text)
    }
    close(path)
    close_file()
}

END {
    print_table()
    check_whole("function", 0.5, 12)
    check_whole("function", 0.95, 40)
    check_whole("file", 0.5, 200)
    for (path in n_breaches)
        n_failed++
    printf "%d passed, %d failed\n", \
        n_files - n_failed + n_bounds - n_bounds_broken, \
        n_failed + n_bounds_broken
    exit n_failed + n_bounds_broken > 0 || n_files == 0
}
