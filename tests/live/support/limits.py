"""Inputs that reach a limit each: limits.py FOLDER writes one file a limit."""

import gzip
import os
import sys


def goroutine(number, frames=1, state="chan send", labels=""):
    """A goroutine of debug=2."""
    calls = "".join(f"main.f{n}(0x1)\n\t/a.go:{n + 1} +0x1\n" for n in range(frames))
    return f"goroutine {number} [{state}, 3 minutes{labels}]:\n{calls}\n"


def labels_of(count):
    """The labels of a goroutine, as Go 1.26 prints them."""
    return ", labels:{" + ", ".join(f'"k{n}":"v{n}"' for n in range(count)) + "}"


def main():
    packed = goroutine(1).encode()
    for _ in range(5):
        packed = gzip.compress(packed)
    inputs = {
        "frames": goroutine(1, frames=3000) + goroutine(2),
        "labels": goroutine(1, labels=labels_of(100)) + goroutine(2),
        "line": goroutine(1) + "x" * 3000000 + "\n" + goroutine(2),
        "name": f"goroutine 1 [select]:\nmain.{'n' * 1500000}(0x1)\n"
        f"\t/a.go:1 +0x1\n\n{goroutine(2)}",
        "dumps": "".join(goroutine(1, state=f"s{n}") + "\n" for n in range(300)),
        "stacks": "".join(
            f"goroutine {n} [select]:\nmain.f{n}(0x1)\n\t/a.go:1 +0x1\n\n"
            for n in range(200000)
        ),
        "processes": "".join(
            f"[pod/api-{n}/web] {line}\n"
            for n in range(4200)
            for line in goroutine(1).splitlines()
        ),
        "packed": packed,
    }
    for name, content in inputs.items():
        raw = content if isinstance(content, bytes) else content.encode()
        with open(os.path.join(sys.argv[1], name), "wb") as file:
            file.write(raw)


main()
