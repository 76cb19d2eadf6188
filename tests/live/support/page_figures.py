"""page_figures.py - the figures of an HTML report, as they can be read on it and as
its script gets them."""

import html.parser
import json
import re

FINDING = re.compile(r"finding-\d+")
# What ends where it begins, or has nothing to read in it.
VOID = {"br", "meta", "link", "input", "rect", "path", "line", "circle",
        "polygon", "polyline", "img", "hr", "wbr"}


def number(text):
    """97,908 as a number."""
    return int(text.replace(",", ""))


def verdict_of(word):
    """The verdict of a change whose word for people this is: what is stable
    may vary, or wait where it waited."""
    return "stable" if word in ("varies", "waiting") else word


class Figures(html.parser.HTMLParser):
    """What a page says: findings as (severity, title, count or None, share in
    percent or None), rows of its table as (count, share, state), the changes as
    (verdict, before, after), what is normal as (count, title), goroutines by
    state, and the data of the script."""

    def __init__(self, text):
        super().__init__()
        self.open = []      # (tag, attributes) from the root on
        self.findings = []  # [severity, title, words of the count]
        self.verdict = ""
        self.rows, self.normal, self.changes = [], [], []
        self.states, self.data = {}, ""
        self.state = ""
        self.feed(text)
        self.close()
        self.data = json.loads(self.data)

    def handle_starttag(self, tag, attrs):
        if tag in VOID:
            return
        attributes = dict(attrs)
        self.open.append((tag, attributes))
        if FINDING.fullmatch(attributes.get("id", "")):
            self.findings.append([tag, "", "", ""])
        elif tag == "tr" and self.inside("id", "groups"):
            self.rows.append([])
        elif tag == "tr" and self.inside("id", "normal"):
            self.normal.append([])
        elif tag == "td" and self.inside("id", "groups"):
            self.rows[-1].append("")
        elif tag == "td" and self.inside("id", "normal"):
            self.normal[-1].append("")
        elif attributes.get("class") == "change":
            self.changes.append(["", ""])

    def handle_endtag(self, tag):
        while self.within(tag) and self.open.pop()[0] != tag:
            pass

    def inside(self, key, value):
        """Whether an element that is open has an attribute."""
        return any(value in attributes.get(key, "").split()
                   for _, attributes in self.open)

    def within(self, *tags):
        """Whether one of these elements is open."""
        return any(tag in tags for tag, _ in self.open)

    def is_finding(self):
        """Whether a finding is open."""
        return any(FINDING.fullmatch(attributes.get("id", ""))
                   for _, attributes in self.open)

    def handle_data(self, data):
        if self.inside("id", "data"):
            self.data += data
        elif self.is_finding() and not self.inside("class", "finding"):
            self.in_finding(data)
        elif self.inside("class", "verdict"):
            self.verdict += data
        elif self.inside("id", "groups") and self.within("td"):
            self.rows[-1][-1] += data
        elif self.inside("id", "normal") and self.within("td"):
            self.normal[-1][-1] += data
        elif self.inside("class", "change") and self.inside("class", "growth"):
            self.changes[-1][0] += data
        elif self.inside("class", "change") and self.within("b"):
            self.changes[-1][1] += data
        elif self.inside("class", "states") and self.within("li"):
            if self.within("b"):
                self.states[self.state.strip()] = number(data)
                self.state = ""
            else:
                self.state += data

    def in_finding(self, data):
        """What stands above the words of a finding: open, or on one line."""
        finding = self.findings[-1]
        if self.within("li"):  # a link to another one
            return
        if self.inside("class", "severity"):
            finding[1] += data
        elif self.within("h1", "h2") or (
                self.within("summary") and
                not self.within("b") and not self.inside("class", "place")):
            finding[2] += data
        elif self.inside("class", "count") or self.within("b"):
            finding[3] += data

    def told(self):
        """The verdict, the total and the findings of the page."""
        total, findings = None, []
        for tag, severity, title, words in self.findings:
            count, share = words.strip(), None
            if tag == "article":
                count, total, share = re.match(
                    r"([\d,]+) of ([\d,]+) \w+ \(([<>\d.]+) %\)", count).groups()
            findings.append((severity, title.strip(), number(count), share))
        order = ["info", "low", "medium", "high", "critical"]
        verdict = self.verdict or max((item[0] for item in findings),
                                      key=order.index)
        total = number(total) if total else self.data["shareOf"]
        assert total == self.data["shareOf"], "shareOf"
        return verdict, total, findings

    def differs(self, answer):
        """What the tables and the data say otherwise than JSON."""
        summary = answer["summary"]
        groups = [group for group in answer["groups"]
                  if group["profile"] == summary["profile"]]
        compares = answer["command"] == "diff"
        first = min((i for i, one in enumerate(answer["snapshots"])
                     if one["profile"] == summary["profile"]), default=0)
        got = [(group["id"], group["count"], group["state"],
                group.get("before") if compares else None)
               for group in self.data["groups"]]
        wanted = [(group["id"], group["count"], group["state"],
                   group["counts"][first] if compares else None)
                  for group in groups]
        if got != wanted:
            return "data %s, not %s" % (got[:3], wanted[:3])
        wrong = [group["id"] for group, own in zip(groups, self.data["groups"])
                 if not is_share(own["share"], group["share"])]
        if wrong:
            return "shares of %s" % wrong[:3]
        return self.differs_seen(answer, groups)

    def differs_seen(self, answer, groups):
        """The same of what is seen without the script."""
        summary = answer["summary"]
        rows = [row for row in self.rows if row]  # without that of the heads
        if groups and not rows:
            return "no rows"
        for row, group in zip(rows, groups):
            share = next(cell for cell in row if cell.endswith("%"))
            # Of what a profile measures the first cell is the value.
            if not answer["measures"] and number(row[0]) != group["count"]:
                return "row %s, not %s" % (row[0], group["count"])
            if not is_share(share, group["share"]):
                return "row with %s, not %s" % (share, group["share"])
        normal = sum(number(row[0]) for row in self.normal if row)
        if normal != summary["normal"]:
            return "normal %d, not %d" % (normal, summary["normal"])
        if not answer["measures"] and self.states != summary["by_state"]:
            return "states %s, not %s" % (self.states, summary["by_state"])
        told = [(change["verdict"], change["before"], change["after"])
                for change in answer["changes"] or []]
        for word, words in self.changes:
            verdict = verdict_of(word)
            before, after = map(number, words.split(" \u2192 "))
            if (verdict, before, after) not in told:
                return "change %s %s" % (word, words)
        return ""


def is_share(words, share):
    """Whether words like "99.98 %" are that fraction."""
    return abs(float(words.strip("<>%\u00a0 ").replace(" %", "")) -
               100 * share) <= 0.01001
