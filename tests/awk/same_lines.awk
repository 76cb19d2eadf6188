# same_lines.awk - awk -f same_lines.awk WANT GOT: status 0 when the lines of
# GOT are those of WANT, where a line "..." of WANT stands for any lines. With
# -v inside=1, "..." in a line stands for any text.

FILENAME == ARGV[1] { want[++n_want] = $0; next }
{ got[++n_got] = $0 }

# Whether a line is the wanted one.
function fits(line, wanted,    n, parts, i, at) {
    if (line == wanted || !inside)
        return line == wanted
    n = split(wanted, parts, /\.\.\./)
    if (n < 2 || substr(line, 1, length(parts[1])) != parts[1])
        return 0
    for (i = 1; i < n; i++) {
        at = i == 1 ? 1 : index(line, parts[i])
        if (!at)
            return 0
        line = substr(line, at + length(parts[i]))
    }
    return length(line) >= length(parts[n]) &&
        substr(line, length(line) - length(parts[n]) + 1) == parts[n]
}

# Whether want[i..] and got[j..] are the same. Only the last "..." that was
# passed needs to take more lines when the rest does not fit.
function same(i, j,    dots_i, dots_j) {
    while (j <= n_got) {
        if (i <= n_want && want[i] == "...") {
            dots_i = ++i
            dots_j = j
        } else if (i <= n_want && fits(got[j], want[i])) {
            i++
            j++
        } else if (dots_i) {
            i = dots_i
            j = ++dots_j
        } else {
            return 0
        }
    }
    while (i <= n_want && want[i] == "...")
        i++
    return i > n_want
}

END { exit !same(1, 1) }
