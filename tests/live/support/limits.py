"""Inputs that reach a limit each: limits.py FOLDER writes one file a limit."""

import gzip
import json
import os
import sys


def goroutine(number, frames=1, state="chan send", labels=""):
    """A goroutine of debug=2."""
    calls = "".join(f"main.f{n}(0x1)\n\t/a.go:{n + 1} +0x1\n" for n in range(frames))
    return f"goroutine {number} [{state}, 3 minutes{labels}]:\n{calls}\n"


def labels_of(count):
    """The labels of a goroutine, as Go 1.26 prints them."""
    return ", labels:{" + ", ".join(f'"k{n}":"v{n}"' for n in range(count)) + "}"


def varint(number):
    """A number as protobuf has it."""
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def message(field, *numbers):
    """A message of numbered fields, each a number or the bytes of another."""
    inner = b"".join(
        varint(n << 3 | 2) + varint(len(value)) + value
        if isinstance(value, bytes)
        else varint(n << 3) + varint(value)
        for n, value in numbers
    )
    return varint(field << 3 | 2) + varint(len(inner)) + inner


def profile(stacks, labels=0, longest=1, name="f"):
    """debug=0 of that many goroutines, each with a function of its own; the
    fields in Go's order (runtime/pprof/proto.go)."""
    texts = ["", "goroutine", "count"]

    def text(value):
        texts.append(value)
        return len(texts) - 1

    out = message(1, (1, 1), (2, 2))
    for n in range(stacks):
        pairs = [message(3, (1, text(f"k{k}")), (2, text(f"v{k}")))
                 for k in range(labels)]
        inner = varint(1 << 3) + varint(n + 1) + varint(2 << 3) + varint(1)
        inner += b"".join(pairs)
        out += varint(2 << 3 | 2) + varint(len(inner)) + inner
        line = message(4, (1, n + 1), (2, 7))
        inner = varint(1 << 3) + varint(n + 1) + line
        out += varint(4 << 3 | 2) + varint(len(inner)) + inner
    for n in range(stacks):
        out += message(5, (1, n + 1), (2, text(f"main.{name}{n}")))
    texts.append("x" * longest)
    for value in texts:
        raw = value.encode()
        out += varint(6 << 3 | 2) + varint(len(raw)) + raw
    return out + message(11, (1, 1), (2, 2)) + varint(12 << 3) + varint(1)


def counted(labels):
    """debug=1 of two goroutines, the first with labels."""
    pairs = ", ".join(f'"k{n}":"v{n}"' for n in range(labels))
    return (
        "goroutine profile: total 2\n"
        f"1 @ 0x43e1ab 0x4b2001\n# labels: {{{pairs}}}\n"
        "#\t0x43e1aa\tmain.f+0x1\t/a.go:1\n\n"
        "1 @ 0x43e1ab 0x4b2002\n#\t0x43e1aa\tmain.g+0x1\t/a.go:2\n"
    )


def loki(count):
    """An answer of Loki, the newest line first."""
    lines = "".join(goroutine(n + 1) for n in range(count)).splitlines()
    values = [[str(1700000000000000000 + n), line] for n, line in enumerate(lines)]
    return json.dumps({
        "status": "success",
        "data": {
            "resultType": "streams",
            "result": [{"stream": {"pod": "api-1"}, "values": values[::-1]}],
        },
    })


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
        "names": f"goroutine 1 [select]:\nmain.{'n' * 5000}(0x1)\n"
        f"\t/a.go:1 +0x1\n\n{goroutine(2)}",
        "names0": profile(2, name="n" * 5000),
        "dumps": "".join(goroutine(1, state=f"s{n}") + "\n" for n in range(300)),
        "stacks": "".join(
            f"goroutine {n} [select]:\nmain.f{n}(0x1)\n\t/a.go:1 +0x1\n"
            f"created by main.g{n}\n\t/a.go:2 +0x1\n\n"
            for n in range(200000)
        ),
        "processes": "".join(
            f"[pod/api-{n}/web] {line}\n"
            for n in range(4200)
            for line in goroutine(1).splitlines()
        ),
        "packed": packed,
        "labels0": profile(2, labels=100),
        "labels1": counted(100),
        "texts": profile(2, longest=9000000),
        "functions": profile(40000),
        "loki": loki(50000),
        "turned": "\n".join(f"2026-11-20T10:00:00Z {line}" for n in range(60000)
                            for line in goroutine(n + 1).splitlines()[::-1]) + "\n",
    }
    for name, content in inputs.items():
        raw = content if isinstance(content, bytes) else content.encode()
        with open(os.path.join(sys.argv[1], name), "wb") as file:
            file.write(raw)


main()
