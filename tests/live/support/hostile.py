"""Dumps whose texts mean something to whoever shows them, and a check that
nothing of it is left.

hostile.py make FOLDER         writes one dump of each form
hostile.py check NAME FILE     prints what is wrong with an output, or nothing
"""

import json
import re
import sys
import unicodedata
import xml.dom.minidom

# Terminal escapes (7 and 8 bits), a title, bidirectional overrides, invisible
# characters, controls, markup, tables, templates, mentions, links, commands of
# GitHub, and separators of plugins and metrics.
EVIL = (
    "\x1b[31m\x1b]0;title\x07\u202eevil\u2066\u200b\U000e0041\rr\x00n\x7f\x9b1m"
    "\"'><script>alert(1)</script>|`$(id)`::error::x%0A*_[l](javascript:x)"
    "@here<!channel>&lt;{{x}}$x$\\"
)
FORMULA = '=HYPERLINK("http://evil")'
LONG = "a" * 20000

MARKER = "evil"


def make(folder):
    """One dump of each form that has texts of its writer."""
    name = "main." + EVIL
    stacks = []
    for n in range(1, 31):
        stacks.append(
            f"goroutine {n} [chan send, 12 minutes]:\n{name}.f(0xc000010000)\n"
            f"\t/src/{EVIL}/+a-b=c/main.go:12 +0x1d\n"
            f"created by {FORMULA}.{EVIL} in goroutine 1\n\t/src/m.go:1 +0x1\n"
        )
        stacks.append(
            f"goroutine {n + 100} [odd {EVIL} state, 3 minutes, labels:"
            f'{{"k{EVIL}":"v{EVIL}", "=cmd|x":"@SUM(1)"}}]:\n'
            f"main.{LONG}{n % 2}(0x1)\n\t/{LONG}.go:3 +0x1\n"
        )
    counts = (
        "goroutine profile: total 3000\n3000 @ 0x1 0x2\n"
        f'# labels: {{"k{EVIL}":"{FORMULA}{EVIL}"}}\n'
        f"#\t0x1\t{name}+0x1\t/s/{EVIL}.go:1\n#\t0x2\t{FORMULA}+0x1\t/s/b.go:1\n"
    )
    panic = (
        f"panic: {EVIL}\n\n\tmore {EVIL}\n\ngoroutine 1 [running]:\n"
        f"{name}.main()\n\t/src/main.go:4 +0x1\nexit status 2\n"
    )
    for form, text in (
        ("stacks", "\n".join(stacks)),
        ("counts", counts),
        ("panic", panic),
        ("none", EVIL + "\n"),
    ):
        with open(f"{folder}/{form}", "w", encoding="utf-8", newline="") as out:
            out.write(text)


def unprintable(text):
    """The characters that must not reach a terminal."""
    return sorted(
        {
            f"U+{ord(c):04X}"
            for c in text
            if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")
        }
    )


def prose(text):
    """Markdown without its code, which is shown as it is."""
    text = re.sub(r"(?ms)^(`{3,})[^`\n]*\n.*?^\1`*$", "", text)
    return re.sub(r"(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)", "", text)


def strings(value):
    """Every text within a value of JSON."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from (key, *strings(inner))
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)
    elif isinstance(value, str):
        yield value


def judge_alert(name, text):
    """What is wrong with a message to a receiver of alerts. A webhook gets texts
    as they are, in JSON that is plain to look at; others show them."""
    said = "\n".join(strings(json.loads(text)))
    wrong = [] if name == "webhook" else unprintable(said)
    if name == "slack" and re.search(r"<(!|@|script)", said):
        wrong.append("a mention")
    if name == "teams" and re.search(r"(?<!\\)\[l\]\(javascript", said):
        wrong.append("a link")
    return wrong


def judge(name, text):
    """All that is wrong with an output, by its name."""
    if name in ("slack", "teams", "webhook", "pagerduty", "alertmanager"):
        return unprintable(text) + judge_alert(name, text)
    wrong = unprintable(text)
    if name in ("html", "junit") and "<script>alert" in text:
        wrong.append("markup")
    if name == "junit":
        xml.dom.minidom.parseString(text)
    if name in ("json", "sarif", "speedscope"):
        json.loads(text)
    if name == "jsonl":
        for line in text.splitlines():
            json.loads(line)
    if name == "github":
        for line in text.splitlines():
            if not re.match(r"::(error|warning|notice) |cprof-leaks: ", line):
                wrong.append("a line that is no annotation")
    if name == "markdown" and re.search(r"(?<!\\)<(script|!channel)", prose(text)):
        wrong.append("markup")
    if name == "metrics":
        row = re.compile(
            r'[a-z_]+\{([a-z]+="([^"\\\n]|\\["\\n])*",?)*\} [0-9.]+$'
        )
        for line in text.splitlines():
            if not line.startswith("#") and not row.match(line):
                wrong.append("no metric: " + line[:80])
    if name == "plugin" and any(
        line.count("|") != (1 if at == 0 else 0)
        for at, line in enumerate(text.splitlines())
    ):
        wrong.append("a bar")
    return wrong


def main():
    if sys.argv[1] == "make":
        make(sys.argv[2])
        return
    try:
        with open(sys.argv[3], "rb") as file:
            raw = file.read()
        text = raw.decode("utf-8")
        print(" ".join(judge(sys.argv[2], text)))
    except (OSError, ValueError) as error:
        print(error)


main()
