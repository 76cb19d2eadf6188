# bare_rules.awk - prints a file of rules without the tests of its rules. Their
# lines become empty, so that every other line keeps its number.
#
# It leans on the form of the files in rules/: a rule begins with "- id:" at
# the beginning of a line, its keys are indented by two blanks, and what
# belongs to a key is indented deeper, or begins with "  - ".

/^  tests:/ { in_tests = 1 }
in_tests && (/^[^ #]/ || /^  [a-z_]/) && !/^  tests:/ { in_tests = 0 }
{ print in_tests ? "" : $0 }
