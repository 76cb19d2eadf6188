"""terminal.py FIXTURES - runs $CPROF_LEAKS at terminals of its own (pty) and
looks at what a person would see there: colour, width, the pager, progress, the
hint. Prints what is wrong, and last "N passed, N failed".
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata

PROGRAM = os.path.abspath(os.environ["CPROF_LEAKS"])
SEED = os.path.join(sys.argv[1], "seed.debug1.txt")
MANY = os.path.join(sys.argv[1],
                    "corpus/everything/1.27/everything.debug2.txt")
SERIES = [os.path.join(sys.argv[1], "corpus/series_flat_slow/1.27",
                       name) for name in ("snap00.debug2.txt", "snap05.debug2.txt.gz",
                                           "snap11.debug2.txt.gz")]
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
COUNTS = {"passed": 0, "failed": 0}


def check(name, good, saw=""):
    COUNTS["passed" if good else "failed"] += 1
    if not good:
        print("FAIL  %s\n    | %r" % (name, saw[:2000]))


def environment(**more):
    """Nothing of the one who tests."""
    return {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8",
            "TERM": "xterm", "CPROF_LEAKS_NOSYSTEM": "1", **more}


def at_terminal(words, columns=80, rows=24, stdin=None, keys=b"", out=True,
                **more):
    """What a terminal shows of a command, and its status. Only standard error
    goes there unless out."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    child = subprocess.Popen(
        [PROGRAM, *words], stdin=stdin if stdin is not None else slave,
        stdout=slave if out else subprocess.DEVNULL, stderr=slave,
        env=environment(**more), start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(2, termios.TIOCSCTTY, 0))
    os.close(slave)
    shown, ends = b"", time.monotonic() + 30
    while time.monotonic() < ends:
        ready = select.select([master], [], [], 0.2)[0]
        try:
            piece = os.read(master, 65536) if ready else b""
        except OSError:
            break
        shown += piece
        if ready and not piece:
            break
        if keys and not ready:
            os.write(master, keys)
            keys = b""
    if child.poll() is None and time.monotonic() >= ends:
        os.killpg(child.pid, signal.SIGKILL)
    status = child.wait()
    os.close(master)
    return shown.decode().replace("\r\n", "\n"), status


def width(line):
    """Columns, by the standard and not by the program's own table."""
    return sum(0 if unicodedata.combining(char) else
               2 if unicodedata.east_asian_width(char) in "WF" else 1
               for char in line)


def colours():
    plain = {"PAGER": "cat"}
    for name, wanted, words, more in (
            ("a terminal has colours", True, [], {}),
            ("NO_COLOR", False, [], {"NO_COLOR": "1"}),
            ("an empty NO_COLOR is none", True, [], {"NO_COLOR": ""}),
            ("CLICOLOR=0", False, [], {"CLICOLOR": "0"}),
            ("a dumb terminal", False, [], {"TERM": "dumb"}),
            ("--color=never", False, ["--color=never"], {"CLICOLOR_FORCE": "1"}),
            ("--color=always", True, ["--color=always"], {"NO_COLOR": "1"})):
        shown, status = at_terminal([*words, SEED], **plain, **more)
        check(name, bool(ESCAPE.search(shown)) == wanted and status == 1, shown)
    for name, wanted, more in (("a pipe has none", False, {}),
                               ("CLICOLOR_FORCE", True, {"CLICOLOR_FORCE": "1"}),
                               ("FORCE_COLOR", True, {"FORCE_COLOR": "1"}),
                               ("FORCE_COLOR=0", False, {"FORCE_COLOR": "0"}),
                               ("NO_COLOR and FORCE_COLOR", False,
                                {"NO_COLOR": "1", "FORCE_COLOR": "1"}),
                               ("NO_COLOR and CLICOLOR_FORCE", False,
                                {"NO_COLOR": "1", "CLICOLOR_FORCE": "1"})):
        shown = subprocess.run([PROGRAM, SEED], capture_output=True, check=False,
                               env=environment(**more)).stdout.decode()
        check(name, bool(ESCAPE.search(shown)) == wanted, shown)
        check(name + ": no hint, no pager", "Next:" not in shown, shown)


def widths():
    for columns in (40, 60, 80, 120, 200):
        shown, _ = at_terminal([MANY], columns=columns, PAGER="cat")
        lines = ESCAPE.sub("", shown).splitlines()
        wide = [line for line in lines if width(line) > columns
                and not re.search(r"https?://|/srv/|/usr/|fixtures/", line)]
        check("%d columns" % columns, not wide and len(lines) > 30, str(wide))
        prose = [line for line in lines if width(line) > 106
                 and not line.startswith("  info")]
        check("%d columns: prose" % columns, not prose, str(prose))
    shown, _ = at_terminal([SEED], columns=200, PAGER="cat", COLUMNS="50")
    check("COLUMNS wins", "semaphore of\n          colly's LimitRule\n" in ESCAPE.sub("", shown),
          shown)


def pagers():
    with tempfile.TemporaryDirectory() as folder:
        marking = "sed 's/^/seen: /'; echo shown"
        for name, more in (("PAGER", {"PAGER": marking}),
                           ("CPROF_LEAKS_PAGER comes first",
                            {"CPROF_LEAKS_PAGER": marking, "PAGER": "false"})):
            shown, status = at_terminal([SEED], **more)
            lines = shown.splitlines()
            check(name, lines[-1] == "shown" and status == 1 and
                  all(line.startswith("seen: ") for line in lines[:-1]) and
                  "\x1b[1;37;41mCRITICAL\x1b[0m: " in lines[0], shown)
        for words in (["-o", "json"], ["--no-pager"], ["-q"], ["-o", "sarif"],
                      ["-O", os.path.join(folder, "out")]):
            shown, status = at_terminal([*words, SEED], PAGER=marking)
            check("no pager with " + " ".join(words), status == 1 and
                  "seen: " not in shown, shown)
        for pager in ("", "cat"):
            shown, _ = at_terminal([SEED], PAGER=pager)
            check("PAGER=%r is none" % pager, "CRITICAL" in shown, shown)
        shown, _ = at_terminal(["rules", "explain", "chan-send-blocked"],
                               PAGER=marking)
        check("rules explain has one", shown.endswith("\nshown\n") and
              shown.startswith("seen: "), shown)
    shown, status = at_terminal([SEED], PAGER="/nonexistent/pager")
    check("a pager that is not there", "LimitRule" in shown and status == 1, shown)
    shown, status = at_terminal([MANY], PAGER="head -n 1")
    check("a pager that has seen enough", shown.count("\n") == 1 and status == 1,
          shown)
    shown, status = at_terminal([SEED], rows=10, keys=b"q", PAGER="less -RX")
    plain, _ = at_terminal([SEED], rows=10, keys=b"q", LESS="-X", PAGER="less")
    check("options of less that lack -R", "\x1b[1;37;41mCRITICAL" in plain and
          "ESC" not in plain, plain)
    check("less shows a page and ends by q",
          "LimitRule" in shown and "See https" not in shown and status == 1, shown)


def hints():
    shown, _ = at_terminal([SEED], columns=120, PAGER="cat")
    shown = ESCAPE.sub("", shown)
    check("one hint, last", shown.splitlines()[-1].startswith(
        "Next: cprof-leaks diff %s NEW" % SEED), shown)
    shown, _ = at_terminal(["diff", "--interval", "20m", *SERIES], columns=120,
                           PAGER="cat")
    check("another after a comparison", "Next: cprof-leaks rules explain " in
          ESCAPE.sub("", shown), shown)


def progress():
    """A slow pipe shows how far it is, and takes the line away."""
    reader, writer = os.pipe()
    feeder = subprocess.Popen(
        ["sh", "-c", "for i in 1 2 3 4 5 6; do cat '%s'; sleep 0.2; done" % MANY],
        stdout=writer)
    os.close(writer)
    shown, status = at_terminal([], stdin=reader, out=False)
    feeder.wait()
    os.close(reader)
    check("progress of a slow pipe",
          "reading <stdin>: " in shown and shown.endswith("\r\x1b[K"), shown)
    check("its status", status in (0, 1), str(status))
    shown, _ = at_terminal([MANY], out=False)
    check("none for a quick file", shown == "", shown)


def main():
    for test in (colours, widths, pagers, hints, progress):
        test()
    shown, status = at_terminal([], PAGER="cat")
    check("no input at a terminal is no wait", status == 2 and "no input" in shown,
          shown)
    print("%d passed, %d failed" % (COUNTS["passed"], COUNTS["failed"]))
    return 1 if COUNTS["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
