# c_array.sh - to be read by scripts that put files into the program: array NAME
# prints standard input as an array of C with that name.
#
# It is an array and no string literal: C17 promises only 4095 characters of a
# literal.
# shellcheck shell=sh
array() {
    printf 'static const char %s[] = {\n' "$1"
    od -An -v -tu1 | awk '{
        line = "   "
        for (i = 1; i <= NF; i++)
            line = line ($i < 128 ? " " $i : sprintf(" \047\\x%02x\047", $i)) ","
        print line
    }'
    printf '    0, /* the text ends in a NUL that its length does not count */\n};\n'
}
