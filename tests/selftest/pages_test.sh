#!/bin/sh
# The check of the documents' links names those that lead nowhere.
. "$(dirname "$0")/lib.sh"

plant src/model/state.c <<'END'
static const struct str words[] = {
    STR_INIT("chan send"),
    STR_INIT("sleep"),
};
END
plant docs/reading-dumps.md <<'END'
# Reading a dump

`chan send`, and [what a `Lock` is](#locks-who-holds-them). See [rules](rules.md#when),
[the second](rules.md#when-1), [home](../README.md) and [Go](https://go.dev/x.md).

`[text](nowhere.md)` and a table: | `sleep` | [sleep](rules.md#sleep_mass) |

## Locks: who holds them?
END
plant docs/rules.md <<'END'
# Rules
## When
## when
```sh
## no heading
[no](link.md)
```
## sleep\_mass
END
plant README.md <<'END'
[docs](docs/reading-dumps.md#reading-a-dump) and [a folder](docs)
END
pages() {
    run "$top/tests/pages.sh" README.md docs/reading-dumps.md docs/rules.md
}
pages
expect "links that lead somewhere" 0 "9 passed, 0 failed"

sed -i 's/chan send/chan receive/; s/#when)/#no-heading)/; s/README/README2/' \
    "$dir/docs/reading-dumps.md"
pages
expect "links that do not" 1 "nothing of the state chan send" \
    "docs/reading-dumps.md:3: there is no heading docs/rules.md#no-heading" \
    "docs/reading-dumps.md:4: there is no README2.md" "6 passed, 3 failed"

finish
