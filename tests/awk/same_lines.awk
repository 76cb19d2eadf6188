# same_lines.awk - awk -f same_lines.awk WANT GOT: status 0 when the lines of
# GOT are those of WANT, where a line "..." of WANT stands for any lines.

FILENAME == ARGV[1] { want[++n_want] = $0; next }
{ got[++n_got] = $0 }

# Whether want[i..] and got[j..] are the same. Only the last "..." that was
# passed needs to take more lines when the rest does not fit.
function same(i, j,    dots_i, dots_j) {
    while (j <= n_got) {
        if (i <= n_want && want[i] == "...") {
            dots_i = ++i
            dots_j = j
        } else if (i <= n_want && want[i] == got[j]) {
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
