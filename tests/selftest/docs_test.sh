#!/bin/sh
# The check of the documents runs what they show, and nothing else.
. "$(dirname "$0")/lib.sh"

printf '#!/bin/sh\necho "leaks: $*"\nexit 1\n' | plant program
chmod +x "$dir/program"
mkdir "$dir/dumps" "$dir/rules"
export CPROF_LEAKS="$dir/program" FIXTURES="$dir/dumps"

plant good.md <<'END'
Text, and `$ code`.

```console
$ cprof-leaks a \
    b
leaks: a b
$ echo $?
1
$ seq 1 9
1
...
8
9
$ ls
fixtures
rules
```

```sh
$ touch nothing-else-is-run
```
END
run "$top/tests/docs.sh" good.md
expect "commands that print what is written" 0 "4 passed, 0 failed"

plant bad.md <<'END'
```console
$ cprof-leaks a
leaks: b
$ seq 1 9
1
...
10
$ true
never
```
END
run "$top/tests/docs.sh" good.md bad.md
expect "commands that print something else" 1 "bad.md:2: cprof-leaks a" \
    "-leaks: b" "+leaks: a" "bad.md:4: seq 1 9" "bad.md:8: true" \
    "4 passed, 3 failed"

plant live.md <<'END'
```console live
$ sleep 9 & a=localhost:6060
$ echo "$a"; cat given
localhost:6060
file
```
```console live
$ echo "the same shell: $a"
... shell: localhost...
```
```console
$ false
is not run
```
END
mkdir "$dir/given"
echo file >"$dir/given/given"
LIVE=127.0.0.1:9 FILES=$dir/given run "$top/tests/docs.sh" live.md
expect "what is shown with an address" 0 "3 passed, 0 failed"
sed -i 's/shell: localhost\.\.\./shell: elsewhere.../' "$dir/live.md"
LIVE=127.0.0.1:9 FILES=$dir/given run "$top/tests/docs.sh" live.md
expect "a line that only begins as it should" 1 "2 passed, 1 failed"

echo nothing | plant empty.md
run "$top/tests/docs.sh" empty.md
expect "documents without a command are no success" 1 "0 passed, 0 failed"

finish
