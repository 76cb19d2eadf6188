"""forms.py SCHEMA... - reads lines from standard input, each the words of a command
("DUMP", "diff OLD NEW" or "check DUMP"), has $CPROF_LEAKS answer each in every
format, and compares: the verdict, the total, and of each finding severity, title,
count and share have to be the same in all of them. Markdown is read as GitHub's
parser makes it of it, JUnit by its schema and a library for it, SARIF by the JSON
schemas that are named; HTML as it is seen without its script, which stands beside
what the script is given (page_figures.py). What check says of a dump is compared
with what analyze says of it. Prints what differs, and last "N passed, N failed".
"""

import html.parser
import json
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import jsonschema
import junitparser

from page_figures import Figures, number

PROGRAM = os.environ["CPROF_LEAKS"]
HERE = os.path.dirname(os.path.abspath(__file__))
LEVELS = {"critical": "error", "high": "error", "medium": "warning",
          "low": "note", "info": "note"}
HEAD = re.compile(r"^(OK|INFO|LOW|MEDIUM|HIGH|CRITICAL): (.*)\n"
                  r" +([\d,]+) of ([\d,]+) \w+ \(([<>\d.]+) %\)", re.M)


def run(words, output, *more):
    """What the program prints for a command in a format, and its status."""
    done = subprocess.run(
        [PROGRAM, *words, "-o", output, "--all", "--fail-on", "info", *more],
        check=False, stdin=subprocess.DEVNULL, capture_output=True,
        env={**os.environ, "COLUMNS": "200"})
    return done.stdout.decode(), done.returncode


def pipe(text, *command):
    """What a program makes of a text; it must succeed."""
    return subprocess.run(command, input=text.encode(), check=True,
                          capture_output=True).stdout.decode()


class Table(html.parser.HTMLParser):
    """The rows of the first table, and the text of the first heading."""

    def __init__(self):
        super().__init__()
        self.rows = []
        self.heading = ""
        self.inside = None
        self.done = False

    def handle_starttag(self, tag, attrs):
        if tag == "tr" and not self.done:
            self.rows.append([])
        if tag in ("td", "th") and not self.done:
            self.rows[-1].append("")
        if tag in ("td", "th", "h2"):
            self.inside = tag

    def handle_endtag(self, tag):
        self.inside = None if tag in ("td", "th", "h2") else self.inside
        self.done = self.done or tag == "table"

    def handle_data(self, data):
        if self.inside == "h2":
            self.heading += data
        elif self.inside and not self.done:
            self.rows[-1][-1] += data


# Each of these gives (verdict, total or None, [(severity, title, count, share)]),
# the share as it is written, without its unit.

def of_heads(text):
    """Of the headings of findings in the text answer."""
    heads = HEAD.findall(text)
    total = {number(head[3]) for head in heads}
    assert len(total) <= 1, total
    return (total.pop() if total else None,
            [(head[0].lower(), head[1], number(head[2]), head[4])
             for head in heads])


def of_text(text):
    total, findings = of_heads(text)
    verdict = re.search(r"^([A-Z]+): ", text, re.M).group(1).lower()
    return verdict, total, findings


def of_markdown(text):
    table = Table()
    table.feed(pipe(text, "cmark-gfm", "--unsafe", "-e", "table", "-e",
                    "autolink", "-e", "strikethrough", "-e", "tagfilter"))
    rows = [row for row in table.rows[1:] if len(row) == 6]
    return (table.heading.split(":")[0].lower(), None,
            [(row[0], row[1], number(row[2]), row[3].replace(" %", ""))
             for row in rows])


def of_junit(text):
    pipe(text, "xmllint", "--noout", "--schema", HERE + "/junit.xsd", "-")
    suites = list(junitparser.JUnitXml.fromstring(text.encode()))
    suite = suites[0]
    results = [case.result for case in suite]
    failures = [item for result in results for item in result
                if isinstance(item, junitparser.Failure)]
    assert len(suites) == 1 and suite.failures == len(failures), "failures"
    assert suite.tests == len(results), "tests"
    properties = {item.name: item.value for item in suite.properties()}
    total, findings = of_heads("\n".join(item.text for item in failures))
    root = xml.etree.ElementTree.fromstring(text)
    out = of_text(root.find("testsuite/system-out").text)
    assert sorted(out[2]) == sorted(findings), "output of the suite"
    assert int(properties["findings"]) == len(findings), "property findings"
    order = ["critical", "high", "medium", "low", "info"]
    assert [order.index(item[0]) for item in out[2]] == sorted(
        order.index(item[0]) for item in out[2]), "order"
    return properties["verdict"], int(properties["share_of"]), out[2]


def of_accepted(answer):
    """The findings that a baseline accepts, which stand behind the others."""
    return of_findings(item for item in answer["findings"] if item["accepted"])


def of_findings(items):
    return [(item["severity"], item["title"], item["count"], item["share"])
            for item in items]


def of_sarif(text, schemas, answer):
    log = json.loads(text)
    for schema in schemas:
        kind = jsonschema.validators.validator_for(schema)
        for error in kind(schema).iter_errors(log):
            raise AssertionError("%s: %s" % ("/".join(
                map(str, error.absolute_path)), error.message[:200]))
    only = log["runs"][0]
    rules = only["tool"]["driver"]["rules"]
    prints = set()
    findings, accepted = [], []
    told = {"suppressions" in result for result in only["results"]}
    assert len(told) <= 1, "suppressions of some"
    for result in only["results"]:
        rule = rules[result["ruleIndex"]]
        own = result["properties"]
        assert rule["id"] == result["ruleId"], "ruleIndex"
        assert result["level"] == LEVELS[own["severity"]], "level"
        assert result.get("occurrenceCount", 0) == own["count"], "count"
        prints.add(result["partialFingerprints"]["cprofLeaksFinding/v1"])
        where = accepted if result.get("suppressions") else findings
        where.append((own["severity"], rule["shortDescription"]["text"],
                      own["count"], own["share"]))
    assert len(prints) == len(findings) + len(accepted), "fingerprints of their own"
    assert accepted == of_accepted(answer), "suppressions"
    return (only["properties"]["verdict"],
            only["properties"]["summary"]["share_of"], findings)


def of_github(text):
    """As the runner reads it: a command begins a line."""
    findings = []
    for line in text.splitlines():
        if not line.startswith("::"):
            verdict = re.fullmatch(
                r"cprof-leaks: verdict (\w+), ([\d,]+) \w+, (\d+) findings?", line)
            continue
        words, message = re.fullmatch(r"::(\w+ [^:]*)::(.*)", line).groups()
        level, properties = words.split(" ", 1)
        for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
            message = message.replace(code, char)
        title = dict(item.split("=", 1) for item in properties.split(","))["title"]
        for code, char in (("%3A", ":"), ("%2C", ","), ("%25", "%")):
            title = title.replace(code, char)
        if title == "cprof-leaks":
            continue
        severity, title = title.split(": ", 1)
        count = re.match(r"([\d,]+) of ([\d,]+) \w+ \(([<>\d.]+) %\)", message)
        assert level == LEVELS[severity].replace("note", "notice"), "level"
        findings.append((severity, title, number(count.group(1)), count.group(3)))
    assert int(verdict.group(3)) == len(findings), "findings"
    return verdict.group(1), number(verdict.group(2)), findings


def of_html(text, answer):
    figures = Figures(text)
    difference = figures.differs(answer)
    assert not difference, difference
    return figures.told()


def same(wanted, got):
    """What differs from JSON; nothing is good. A share is written in percent, and
    may be left out."""
    verdict, total, findings = got
    if verdict != wanted[0]:
        return "verdict %s, not %s" % (verdict, wanted[0])
    if total is not None and total != wanted[1]:
        return "total %d, not %d" % (total, wanted[1])
    if [item[:3] for item in findings] != [item[:3] for item in wanted[2]]:
        return "findings %s, not %s" % (findings, wanted[2])
    for own, other in zip(findings, wanted[2]):
        if own[3] is None:
            continue
        share = other[3] * (100 if isinstance(own[3], str) else 1)
        bare = float(str(own[3]).strip("<>"))
        if abs(bare - share) > 0.00501:
            return "share %s, not %s" % (own[3], other[3])
    return ""


def check_says(words, answer):
    """What differs between the first run of check over a dump and JSON."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [PROGRAM, *words, "--history", folder + "/x.db"], check=False,
            stdin=subprocess.DEVNULL, capture_output=True)
    first, *rest = done.stdout.decode().splitlines()
    severe = [item for item in answer["findings"]
              if item["severity"] in ("medium", "high", "critical")]
    n_low = sum(item["severity"] == "low" for item in answer["findings"])
    figures = dict(re.findall(r"(\w+)=([\d.]+)", first.split("|")[1]))
    if int(figures["goroutines"]) != answer["summary"]["share_of"]:
        return "goroutines=%s" % figures["goroutines"]
    if int(figures["findings"]) != len(severe) + n_low:
        return "findings=%s" % figures["findings"]
    told = re.findall(r"no alert: \w+: (.*), ([\d,]+) goroutines? at ", "\n".join(rest))
    for line, below in zip(rest, rest[1:]):
        fired = re.match(r"  [A-Z]+, firing: (.*), found since ", line)
        if fired:
            told.append((fired.group(1), below.split()[0]))
    told = sorted((title, number(count)) for title, count in told)
    wanted = sorted((item["title"], item["count"]) for item in severe)
    return "" if told == wanted else "%s, not %s" % (told, wanted)


def check(task):
    """What is wrong with the answers for a command, as lines."""
    words, schemas = task
    if words[0] == "check":
        difference = check_says(words, json.loads(run(words[1:], "json")[0]))
        return ["%s: %s" % (" ".join(words), difference)] if difference else []
    text, status = run(words, "json")
    if status not in (0, 1):
        return ["%s: status %d" % (" ".join(words), status)]
    answer = json.loads(text)
    wanted = (answer["verdict"], answer["summary"]["share_of"],
              of_findings(item for item in answer["findings"]
                          if not item["accepted"]))
    readers = {"text": of_text, "markdown": of_markdown, "junit": of_junit,
               "sarif": lambda text: of_sarif(text, schemas, answer),
               "github": of_github,
               "html": lambda text: of_html(text, answer)}
    lines = []
    for output, reader in readers.items():
        try:
            text, other = run(words, output)
            difference = same(wanted, reader(text))
            if other != status:
                difference = "status %d, not %d" % (other, status)
        except (AssertionError, AttributeError, ValueError, LookupError,
                subprocess.CalledProcessError) as error:
            difference = "%s: %s %s" % (type(error).__name__, error,
                                        getattr(error, "stderr", ""))
        if difference:
            lines.append("%s: %s: %s" % (" ".join(words), output, difference))
    return lines


def main():
    schemas = []
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            schemas.append(json.load(file))
        # One that lets anything through would let all of this pass.
        kind = jsonschema.validators.validator_for(schemas[-1])
        assert not kind(schemas[-1]).is_valid({"version": "2.1.0"}), path
    tasks = [(line.split(), schemas) for line in sys.stdin]
    with multiprocessing.Pool(int(os.environ.get("JOBS", "1"))) as pool:
        wrong = pool.map(check, tasks, chunksize=2)
    for lines in wrong:
        print("\n".join(lines[:5]), end="\n" if lines else "")
    failed = sum(1 for lines in wrong if lines)
    print("%d passed, %d failed" % (len(wrong) - failed, failed))
    return 1 if failed or not wrong else 0


if __name__ == "__main__":
    sys.exit(main())
