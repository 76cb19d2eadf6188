# bare_rules.awk - prints a file of rules without the tests of its rules and
# without what they say to people. The lines of these become empty, so that
# every other line keeps its number.
#
# It leans on the form of the files in rules/: a rule begins with "- id:" at
# the beginning of a line, its keys are indented by two blanks, and what
# belongs to a key is indented deeper, or begins with "  - ".

/^[^ #]/ { is_left_out = 0 }
/^  [a-z_]/ {
    is_left_out = /^  (tests|explain|cause|decide|advice|false_positives|references):/
}
{ print is_left_out ? "" : $0 }
