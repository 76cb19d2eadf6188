"""html_report.py FIXTURES SCRATCH [SHOTS] - opens HTML reports in a browser and tries
what people do with them; leaves pictures of them in SHOTS. Prints what fails, and last
"N passed, N failed"."""

import glob
import html.parser
import json
import os
import socket
import subprocess
import sys

from browser import DESKTOP, PHONE, Browser
from page_figures import verdict_of

PROGRAM = os.environ["CPROF_LEAKS"]
FIXTURES, SCRATCH, SHOTS = (*sys.argv[1:], None)[:3]
PAPER = 700  # pixels that A4 has between its margins
TYPING = 200  # milliseconds until a search begins, and some more
COUNTS = {"passed": 0, "failed": 0}


def same(name, expected, got):
    """One test."""
    if expected == got:
        COUNTS["passed"] += 1
    else:
        COUNTS["failed"] += 1
        print(f"FAIL  {name}\n    | expected: {expected!r}\n    | got:      {got!r}")


def answer(form, words):
    """What the program says in a form."""
    run = subprocess.run([PROGRAM, *words, "-o", form], check=False,
                         stdin=subprocess.DEVNULL, capture_output=True)
    same(f"{words[:2]} as {form}: status", True, run.returncode in (0, 1))
    return run.stdout.decode()


class Page:
    """A report in both forms."""

    def __init__(self, name, *words):
        self.name = name
        self.report = json.loads(answer("json", words))
        self.text = answer("html", words)
        self.path = os.path.join(SCRATCH, name + ".html")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(self.text)


def spaced(number):
    """97,908"""
    return f"{number:,}"


class Static(html.parser.HTMLParser):
    """What stands in a page without its script."""

    def __init__(self, text):
        super().__init__()
        self.headings, self.titles, self.cells = [], [], []
        self.into = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        wanted = {"h1": self.headings, "h2": self.headings,
                  "title": self.titles, "td": self.cells}
        if tag in wanted:
            self.into = wanted[tag]
            self.into.append("")

    def handle_endtag(self, tag):
        if tag in ("h1", "h2", "title", "td"):
            self.into = None

    def handle_data(self, data):
        if self.into is not None:
            self.into[-1] += data


# --- What every page has to hold ----------------------------------------------

def check_quiet(browser, page):
    """Nothing on the console and no request, whatever the reader prefers; on a
    phone nothing is wider than the screen."""
    for width in (DESKTOP, PHONE):
        for dark in (False, True):
            look = f"{page.name}, {width}, {'dark' if dark else 'light'}"
            browser.open(page.path, width, dark)
            same(f"{look}: console", [], browser.console())
            same(f"{look}: requests", [],
                 [url for url in browser.requests()
                  if url not in ("file://" + page.path, "data:,")])
            # A phone makes its own window as wide as the page.
            same(f"{look}: not wider than the screen", True, width >= browser.run(
                "return document.documentElement.scrollWidth"))
            shade = browser.run(
                "return getComputedStyle(document.body).backgroundColor")
            same(f"{look}: colour of the paper", not dark,
                 shade == "rgb(255, 255, 255)")
            if SHOTS:
                shot = f"{page.name}-{width}-{'dark' if dark else 'light'}.png"
                browser.shoot(os.path.join(SHOTS, shot))


def check_numbers(browser, page):
    """The page says what JSON says."""
    report = page.report
    browser.open(page.path)
    leading = [group for group in report["groups"]
               if group["profile"] == report["summary"]["profile"]]
    same(f"{page.name}: groups",
         [[group["id"], group["count"], group["state"]] for group in leading],
         browser.run("return report.groups.map(g => [g.id, g.count, g.state])"))
    same(f"{page.name}: frames",
         [[[frame["function"], frame["line"] or 0] for frame in group["stack"]]
          for group in leading],
         browser.run("return report.groups.map(g => g.stack.map(i => "
                     "[report.frames[i].name, "
                     "+(/:(\\d+)$/.exec(report.frames[i].file) || [0, 0])[1]]))"))
    loud = [finding for finding in report["findings"]
            if finding["severity"] in ("medium", "high", "critical")]
    same(f"{page.name}: findings that stand open",
         [[finding["severity"], finding["title"],
           spaced(finding["count"]) + " of"] for finding in loud],
         browser.run("return [...document.querySelectorAll('article')].map(a => "
                     "[a.querySelector('.severity').textContent, "
                     "a.querySelector('h1, h2').textContent, "
                     "a.querySelector('.count').textContent"
                     ".split(' ').slice(0, 2).join(' ')])"))
    same(f"{page.name}: findings that unfold",
         [[finding["severity"], spaced(finding["count"])]
          for finding in report["findings"][len(loud):][:40]],
         browser.run("return [...document.querySelectorAll('#minor summary')]"
                     ".filter(s => s.parentElement.id)"
                     ".map(s => [s.querySelector('.severity').textContent, "
                     "s.querySelector('b').textContent])"))
    if not report["measures"]:
        same(f"{page.name}: states",
             {state: spaced(count) for state, count
              in report["summary"]["by_state"].items()},
             browser.run("return Object.fromEntries([...document"
                         ".querySelectorAll('.states li')].map(l => "
                         "[l.childNodes[1].textContent.trim(), "
                         "l.querySelector('b').textContent]))"))
    same(f"{page.name}: diagnostics", len(report["diagnostics"]),
         len(browser.all(".diagnostics li")))
    same(f"{page.name}: snapshots", len(report["snapshots"]),
         len(browser.all(".inputs li")))
    same(f"{page.name}: circles", len(report["cycles"]),
         len(browser.all("#cycles h3")))
    text = browser.run("return document.body.textContent")
    same(f"{page.name}: words that are missing", [],
         [words for finding in loud for words in
          finding["advice"] + finding["decide"] + [finding["explain"]]
          if words not in text])


def check_static(browser, page):
    """Without its script a page has all that can be read."""
    static = Static(page.text)
    report = page.report
    same(f"{page.name}: its verdict", report["verdict"],
         static.titles[0].split(":")[0])
    largest = [spaced(group["count"]) for group in report["groups"][:1]]
    same(f"{page.name}: the largest group", largest,
         [cell for cell in static.cells if cell in largest][:1])
    browser.open(page.path, script=False)
    browser.command("Emulation.setScriptExecutionDisabled", value=False)
    same(f"{page.name}: nothing that needs the script", [],
         [part.get_attribute("id") for part in browser.all(".script")
          if part.is_displayed()])


def check_form(browser, page):
    """Landmarks, one main heading, and a name for all that takes keys."""
    browser.open(page.path)
    same(f"{page.name}: landmarks", [1, 1, 1, 1], browser.run(
        "return ['header', 'nav', 'main', 'h1'].map("
        "name => document.querySelectorAll(name).length)"))
    same(f"{page.name}: links to sections", [], browser.run(
        "return [...document.querySelectorAll('a[href^=\"#\"]')].filter(a => "
        "!a.closest('[hidden]') && "
        "!document.getElementById(a.hash.slice(1))).map(a => a.hash)"))
    nameless = []
    for node in browser.command("Accessibility.getFullAXTree")["nodes"]:
        role = node.get("role", {}).get("value")
        if role in ("button", "combobox", "searchbox", "link", "application",
                    "checkbox", "table") and not node.get("name", {}).get("value"):
            nameless.append(role)
    same(f"{page.name}: no control without a name", [], nameless)
    same(f"{page.name}: ids stand once", [], browser.run(
        "const ids = [...document.querySelectorAll('[id]')].map(e => e.id);"
        "return ids.filter((id, index) => ids.indexOf(id) !== index)"))


# --- What people do -----------------------------------------------------------

def status(browser):
    """How many groups are chosen, as the page says."""
    return browser.find("#status").text.split(" ")[0].replace(",", "")


def shown(browser, column):
    """A column of the table of groups, by its heading."""
    return browser.run(
        "const heads = [...document.querySelectorAll('#group-table th')];"
        "const at = heads.findIndex(h => h.textContent.trim() === arguments[0]);"
        "return [...document.querySelectorAll('#group-table tbody tr')].map("
        "row => row.cells[at].textContent.replace(' inferred', '').trim())",
        column)


def sort_by(browser, key):
    """Clicks on a heading."""
    browser.click(f'#group-table th[data-key="{key}"] button')
    return [browser.find(f'#group-table th[data-key="{key}"]')
            .get_attribute("aria-sort"),
            len(browser.all("#group-table th[aria-sort]"))]


def try_table(browser, page):
    """Sorting, filters and stacks of the table."""
    groups = page.report["groups"]
    browser.open(page.path)
    counts = [int(count.replace(",", "")) for count in shown(browser, "Count")]
    same("the largest first", sorted(counts, reverse=True), counts)
    same("sorted by state", ["ascending", 1], sort_by(browser, "state"))
    same("states in order", sorted(shown(browser, "State")),
         shown(browser, "State"))
    same("once more", ["descending", 1], sort_by(browser, "state"))
    same("states in reverse", sorted(shown(browser, "State"), reverse=True),
         shown(browser, "State"))
    same("by count again", ["descending", 1], sort_by(browser, "count"))

    for state in {group["state"] for group in groups}:
        browser.choose("state", state)
        same(f"only {state}",
             sum(group["state"] == state for group in groups),
             int(status(browser)))
        same(f"rows of {state}", {state}, set(shown(browser, "State")))
    browser.choose("state", "")
    browser.click("input[name=normal]")
    same("without normal ones",
         sum(group["class"] != "normal" for group in groups),
         int(status(browser)))
    browser.click("input[name=normal]")

    browser.click("#group-table summary")
    same("a stack unfolds", [frame["function"].split("/")[-1]
                             for frame in groups[0]["stack"]],
         [frame.text for frame in browser.all(
             "#group-table tr:first-child .stack code")])


def number_in(text):
    """1,234 in "2 of 5 groups, 1,234 goroutines"."""
    return int(text.split(", ", 1)[1].split(" ")[0].replace(",", ""))


def try_choices(browser, page, name, fits, count=lambda group, _: group["count"]):
    """One list of the filter: each entry leaves the groups that fit it, and
    says how many goroutines these are."""
    browser.open(page.path)
    values = browser.run(
        "return [...document.querySelectorAll(arguments[0])].map(o => o.value)",
        f'#filter select[name="{name}"] option')
    same(f"{name}: there are some to choose", True, len(values) > 2)
    for value in values[1:]:
        if "\\" in value:
            continue  # what does not print is shown otherwise than in JSON
        browser.choose(name, value)
        same(f"{name}: only {value}",
             sum(fits(group, value) for group in page.report["groups"]),
             int(status(browser)))
        goroutines = sum(count(group, value) for group in page.report["groups"]
                         if fits(group, value))
        same(f"{name}: goroutines of {value}", goroutines,
             number_in(browser.find("#status").text))
        same(f"{name}: the table has those of {value}", goroutines, sum(
            int(text.replace(",", "")) for text in shown(browser, "Count")))
        if name in ("package", "label"):
            same(f"{name}: the list says so", f"{value} ({spaced(goroutines)})",
                 browser.run("return document.querySelector(arguments[0])"
                             ".selectedOptions[0].textContent",
                             f'#filter select[name="{name}"]'))


def has_label(group, value):
    """Whether a group has a label, as the list has it."""
    return any(f"{label['key']}={label['value']}" == value
               for label in group["labels"])


def with_label(group, value):
    """How many goroutines of a group have a label."""
    return sum(label["count"] for label in group["labels"]
               if f"{label['key']}={label['value']}" == value)


def is_old(group, value):
    """Whether some goroutines of a group have waited for so many seconds."""
    return group["age_max_s"] is not None and group["age_max_s"] >= int(value)


def has_package(group, value):
    """Whether a frame of a group is of a package."""
    return any(frame["function"].startswith(value + ".")
               for frame in group["stack"])


def many_labels():
    """A dump of few stacks with several labels each, one of them without; a
    stack has more values than are kept."""
    path = os.path.join(SCRATCH, "labels.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write("goroutine profile: total 154\n")
        for stack, n_values in (("c", 3), ("b", 40), ("a", 2)):
            for i in range(n_values):
                file.write(f'{i % 3 + 1} @ 0x1 0x2\n# labels: {{"shard":"s{i}", '
                           f'"tenant":"{stack}"}}\n')
                file.write(f"#\t0x1\texample.com/{stack}.Serve+0x1\t/a.go:1\n\n")
        file.write("70 @ 0x3\n#\t0x3\tmain.main+0x1\t/m.go:1\n")
    return path


def try_columns(browser, page):
    """The table sorts by package and by labels; what has none comes last."""
    browser.open(page.path)
    same("sorted by package", ["ascending", 1], sort_by(browser, "package"))
    same("packages", ["example.com/a", "example.com/b", "example.com/c", "main"],
         shown(browser, "Package"))
    same("sorted by label", ["ascending", 1], sort_by(browser, "labels"))
    same("the one without labels", "", shown(browser, "Labels")[-1])
    same("few are shown", True, all(
        len(text) < 100 for text in shown(browser, "Labels")))
    browser.choose("label", "shard=s1")
    same("values that were not kept are counted", True,
         browser.find("#status").text.endswith("more the value is not known"))


def try_print(browser, page):
    """On paper a table has its headings, and no control is left."""
    browser.open(page.path)
    browser.command("Emulation.setEmulatedMedia", media="print")
    browser.command("Emulation.setDeviceMetricsOverride", width=PAPER,
                    height=1000, deviceScaleFactor=1, mobile=False)
    browser.settle()
    same("print: no table is cut off", [], browser.run(
        "return [...document.querySelectorAll('.scroll')].filter("
        "box => box.scrollWidth > box.clientWidth).map("
        "box => box.scrollWidth)"))
    same("print: headings", ["Count", "Before", "Share", "State", "Age", "Where",
                             "Rule"],
         [head.text.split(" ")[0] for head in browser.all("#group-table th")
          if head.text])
    same("print: no control", [], [
        part.tag_name for part in browser.all("#theme, #filter, #more-rows, nav")
        if part.is_displayed()])
    browser.command("Emulation.setEmulatedMedia", media="")


def try_phone(browser, page):
    """On a phone the figures of a group stand in one line, below their
    headings."""
    browser.open(page.path, PHONE)
    same("one line", [1] * len(page.report["groups"][:50]), browser.run(
        "return [...document.querySelectorAll('#group-table tbody tr')].map("
        "row => new Set([...row.cells].filter(cell => cell.offsetParent && "
        "!cell.querySelector('details')).map("
        "cell => Math.round(cell.getBoundingClientRect().top))).size)"))


def try_search(browser, page):
    """The search finds functions, and so does the key for it."""
    function = page.report["groups"][0]["stack"][0]["function"]
    browser.open(page.path)
    browser.press("body", "/")
    same("/ goes to the search", "search",
         browser.run("return document.activeElement.name"))
    browser.press("#filter input[type=search]", function)
    browser.settle(TYPING)
    same("what has the function",
         sum(any(function in frame["function"] for frame in group["stack"])
             for group in page.report["groups"]), int(status(browser)))
    browser.press("#filter input[type=search]", *["BACKSPACE"] * len(function),
                  "no such function")
    browser.settle(TYPING)
    same("nothing has it", "0", status(browser))
    same("and nothing is in the table", [], shown(browser, "Count"))


def many_stacks():
    """A dump of 3,000 stacks, some of them of very few goroutines."""
    path = os.path.join(SCRATCH, "many.txt")
    counts = [1 + 40000 // (i + 1) for i in range(3000)]
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"goroutine profile: total {sum(counts)}\n")
        for i, count in enumerate(counts):
            names = [f"example.com/p{i % 7}.f{i}"] + [
                f"example.com/p{i % 5}.g{i % (3 * k)}" for k in range(9, 1, -1)]
            file.write(f"{count} @" + " 0x1" * len(names) + "\n")
            for name in names:
                file.write(f"#\t0x1\t{name}+0x1\t/src/{name}.go:{i % 90 + 1}\n")
            file.write("\n")
    return path


def long_names():
    """A dump of packages, functions and files that are wider than a phone."""
    path = os.path.join(SCRATCH, "long.txt")
    with open(path, "w", encoding="utf-8") as file:
        for i in range(1, 31):
            module = "git.example.com/platform/" + "distribution" * (1 + i % 5)
            name = f"{module}/internal.(*Reconciliation{'Loop' * 9}).Run{i % 3}"
            file.write(f"goroutine {i} [chan send]:\n{name}(0x1)\n"
                       f"\t/srv/{module}/reconciliation{'_of_all' * (i % 3 * 15)}"
                       f".go:{i}\n\n")
    return path


def try_many(browser, page):
    """Thousands of stacks: all can be reached, and what is too narrow to be
    drawn is counted."""
    n = len(page.report["groups"])
    browser.open(page.path)
    same("many: groups", [3000, 3000], [n, int(status(browser).replace(",", ""))])
    shown_first = len(browser.all("#group-table tbody tr"))
    browser.click("#more-rows")
    same("many: more rows", True,
         len(browser.all("#group-table tbody tr")) > shown_first)
    same("many: the first new row has the focus", shown_first, browser.run(
        "return [...document.querySelectorAll('#group-table tbody tr')]"
        ".findIndex(row => row.contains(document.activeElement))"))
    same("many: every goroutine is in the view", page.report["summary"]["shown"],
         browser.run("return report.groups.reduce((s, g) => s + g.count, 0)"))
    browser.press("#filter input[type=search]", "example.com/p0.f2996")
    browser.settle(TYPING)
    same("many: the last ones can be found", 1, int(status(browser)))
    print("the page of 3,000 stacks: %d kB, loaded after %d ms" % (
        len(page.text) // 1000, browser.run(
            "return performance.getEntriesByType('navigation')[0].loadEventEnd")))


def selected(browser):
    """What the page says of the frame that is selected."""
    return browser.find("#frame").text


def try_flame(browser, page):
    """The keys of the flame view, and its mouse."""
    total = page.report["summary"]["shown"]
    browser.open(page.path)
    same("something is drawn", True, browser.run(
        "const flame = document.getElementById('flame');"
        "const data = flame.getContext('2d')"
        ".getImageData(0, 0, flame.width, flame.height).data;"
        "return new Set(new Uint32Array(data.buffer)).size > 10"))
    browser.press("#flame", "ARROW_DOWN")
    first = selected(browser)
    same("down: the widest", True, "goroutine" in first)
    browser.press("#flame", "ARROW_RIGHT")
    same("right: another", True, selected(browser) not in ("", first))
    browser.press("#flame", "ARROW_LEFT")
    same("left: back", first, selected(browser))
    browser.press("#flame", "ENTER")
    narrowed = int(status(browser))
    same("Enter zooms in, and the table follows", True,
         0 < narrowed < len(page.report["groups"]))
    browser.press("#flame", "ESCAPE")
    same("Escape zooms out", len(page.report["groups"]), int(status(browser)))
    same("all again", True, selected(browser).startswith(
        f"all: {spaced(total)} goroutines (100 %)"))
    browser.run("const flame = document.getElementById('flame');"
                "const box = flame.getBoundingClientRect();"
                "flame.dispatchEvent(new MouseEvent('click', {bubbles: true, "
                "clientX: box.left + 5, clientY: box.top + 30}))")
    browser.settle()
    same("a click zooms in", narrowed, int(status(browser)))
    browser.choose("order", "wait")
    same("from where they wait", len(page.report["groups"]),
         int(status(browser)))
    browser.press("#flame", "ARROW_DOWN")
    same("the state comes first", True, any(
        selected(browser).startswith(state + ":")
        for state in page.report["summary"]["by_state"]))


def try_theme(browser, page):
    """The button goes through the themes, whatever the system prefers."""
    browser.open(page.path, dark=True)
    shades = []
    for _ in range(3):
        browser.click("#theme")
        shades.append([browser.find("#theme").text, browser.run(
            "return getComputedStyle(document.body).backgroundColor "
            "=== 'rgb(255, 255, 255)'")])
    same("themes", [["Theme: light", True], ["Theme: dark", False],
                    ["Theme: auto", False]], shades)


def try_creators(browser, page):
    """The tree holds every goroutine once, below who started it."""
    browser.open(page.path)
    roots = browser.run(
        "return [...document.querySelectorAll('#creators > ul > li')].map("
        "li => li.querySelector('b').textContent.replace(',', ''))")
    same("creators", page.report["summary"]["shown"],
         sum(int(root) for root in roots))


def try_keyboard(browser, page):
    """The first stop of the keyboard skips to the answer."""
    browser.open(page.path)
    browser.press("body", "TAB")
    same("the first stop", "#answer",
         browser.run("return document.activeElement.hash"))
    same("it can be seen", True, browser.run(
        "return document.activeElement.getBoundingClientRect().left >= 0"))


def try_diff(browser, page):
    """Curves, and the flame view before and after."""
    report = page.report
    browser.open(page.path)
    same("a curve for each place that changed", len(report["changes"]),
         len(browser.all(".change .chart")))
    same("verdicts", sorted(change["verdict"] for change in report["changes"]),
         sorted(verdict_of(word) for word in browser.run(
             "return [...document.querySelectorAll('.growth')]"
             ".map(e => e.textContent)")))
    points = browser.run(
        "return [...document.querySelectorAll('.change')].map(c => "
        "c.querySelectorAll('circle').length)")
    same("a point for each moment",
         [len(change["counts"]) for change in report["changes"]],
         points)
    same("before", sum(group["counts"][0] for group in report["groups"]),
         browser.run("return report.groups.reduce("
                     "(sum, group) => sum + group.before, 0)"))
    pictures = set()
    for moment in ("after", "before", "change"):
        browser.choose("moment", moment)
        same(f"{moment}: its colours are explained", moment == "change",
             "red has grown" in browser.find("#legend").text)
        pictures.add(browser.run(
            "return document.getElementById('flame').toDataURL()"))
    same("three different views", 3, len(pictures))


def try_restart(browser, page):
    """A restart is marked in each curve, and what was before stands apart."""
    browser.open(page.path)
    n = len(page.report["changes"])
    same("restart: curves, marks, moments before", [n, n, n], browser.run(
        "return ['.change .chart', '.change .restart', "
        "'.change polyline.earlier'].map("
        "part => document.querySelectorAll(part).length)"))
    same("restart: the line of a rate", True,
         len(browser.all(".change .band")) > 0)


# --- Strangers ----------------------------------------------------------------

NAMES = ["</script><img/src=x/onerror=alert(1)>", "<!--<script>",
         "\u05e9\u05dc\u05d5\u05dd", "a\u202eevil", "\"'><b>bold</b>",
         "]]>&lt;&#60;", "\u4f60\u597d", "Reconcile" * 30]


def hostile_dump():
    """A dump whose names are markup, right-to-left, and worse."""
    path = os.path.join(SCRATCH, "<b>hostile.txt")
    with open(path, "w", encoding="utf-8") as file:
        for i, name in enumerate(NAMES):
            for k in range(30):
                file.write(f"goroutine {i * 100 + k + 1} [chan send, 9 minutes]:\n"
                           f"main.{name}(...)\n\t/src/{name}.go:7 +0x1\n"
                           f"created by main.start{name}\n"
                           f"\t/src/{name}.go:9 +0x2\n\n")
    return path


def try_hostile(browser):
    """Names stay text, in every part that shows them."""
    page = Page("hostile", hostile_dump(), "--source-link",
                "https://example.org/{file}?f={function}#L{line}")
    check_quiet(browser, page)
    check_static(browser, page)
    check_form(browser, page)
    browser.open(page.path)
    browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
    browser.press("#flame", "ARROW_DOWN")
    same("no element that a name asked for", 0,
         len(browser.all("img, b > b, main script, summary > b b")))
    text = browser.run("return document.querySelector('main').textContent")
    for name in ("</script><img/src=x/onerror=alert(1)>", "<!--<script>",
                 "\u05e9\u05dc\u05d5\u05dd", "\\u{202e}evil", "\"'><b>bold</b>",
                 "\u4f60\u597d"):
        same(f"{name} is shown", True, name in text)
    same("an override never is", False, "\u202e" in text)
    same("links are what was asked for", True, all(
        link.get_attribute("href").startswith("https://example.org/src/")
        for link in browser.all("a.at")))
    same("and there are some", True, len(browser.all("a.at")) > len(NAMES))
    same("no message", [], browser.console())


def try_policy(browser, page):
    """What gets into the page all the same runs nothing and reaches nobody."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.5)
    address = "http://127.0.0.1:%d/" % listener.getsockname()[1]
    browser.open(page.path)
    browser.run(
        "const s = document.createElement('script');"
        "s.append('window.ran = 1'); try { document.body.append(s); } catch {}"
        "const i = document.createElement('img');"
        "i.src = arguments[0]; document.body.append(i);"
        "const b = document.createElement('button'); document.body.append(b);"
        "try { b.setAttribute('onclick', 'window.ran = 1'); } catch {} b.click();"
        "try { b.innerHTML = '<i>'; window.ran = 2; } catch {}"
        "fetch(arguments[0]).catch(() => 0);", address)
    browser.settle()
    same("no script", None, browser.run("return window.ran"))
    try:
        listener.accept()
        same("nobody is asked", "no connection", "one")
    except TimeoutError:
        same("nobody is asked", "no connection", "no connection")
    listener.close()
    same("the browser says why", True,
         any("Content Security Policy" in line for line in browser.console()))


def main():
    """All tests."""
    corpus = os.path.join(FIXTURES, "corpus")
    series = os.path.join(corpus, "series_flat_slow/1.27")
    moments = sorted(os.path.join(series, name) for name in os.listdir(series)
                     if ".debug2.txt" in name)
    everything = Page("everything",
                      os.path.join(corpus, "everything/1.27/everything.debug2.txt"))
    diff = Page("diff", "diff", "--all", "--interval", "20s", *moments)
    before = sorted(glob.glob(os.path.join(
        corpus, "series_leak/1.27/snap0*.debug2.txt*")))
    restart = Page("restart", "diff", "--all", "--interval", "20s",
                   *before, *moments)
    pages = [everything, diff,
             Page("seed", os.path.join(FIXTURES, "seed.debug1.txt")),
             Page("long", long_names()),
             Page("circle", os.path.join(FIXTURES, "locks/three/debug2.txt")),
             Page("heap", os.path.join(
                 corpus, "everything/1.27/everything.heap.debug0.pb.gz"))]
    many = Page("many", many_stacks())
    labels = Page("labels", many_labels())
    browser = Browser()
    try:
        for page in pages:
            check_quiet(browser, page)
            check_numbers(browser, page)
            check_static(browser, page)
            check_form(browser, page)
        for attempt in (try_table, try_search, try_flame, try_theme,
                        try_creators, try_keyboard):
            attempt(browser, everything)
        try_choices(browser, everything, "package", has_package)
        try_choices(browser, everything, "label", has_label, with_label)
        try_choices(browser, labels, "label", has_label, with_label)
        try_columns(browser, labels)
        try_phone(browser, diff)
        try_print(browser, diff)
        try_choices(browser, diff, "age", is_old)
        try_diff(browser, diff)
        try_restart(browser, restart)
        check_quiet(browser, many)
        try_many(browser, many)
        try_hostile(browser)
        try_policy(browser, everything)
    finally:
        browser.close()
    print(f"{COUNTS['passed']} passed, {COUNTS['failed']} failed")
    return COUNTS["failed"] > 0


sys.exit(main())
