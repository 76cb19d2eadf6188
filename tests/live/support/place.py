"""place.py FILE LINE - what an answer as JSON, on standard input, says of the
goroutines that have that place on their stack: their number, their states, the
severities of the findings they are in, and whether each is in one, as

    200; chan send; medium; main.(*mailbox).deliver

with "none" for a severity where there is no finding. The function is that of
the finding's site, or of the place.
"""

import json
import os
import sys


def stands_at(group, file, line):
    for frame in group["stack"]:
        if os.path.basename(frame["file"]) == file and frame["line"] == line:
            return frame["function"]
    return None


def main():
    file, line = sys.argv[1], int(sys.argv[2])
    report = json.load(sys.stdin)
    count = 0
    states, severities, functions = set(), set(), set()
    for group in report["groups"]:
        function = stands_at(group, file, line)
        if not function:
            continue
        count += group["count"]
        states.add(group["state"])
        found = [f for f in report["findings"] if group["id"] in f["group_ids"]]
        severities.update(f["severity"] for f in found)
        if not found:
            severities.add("none")
        functions.update(f["site"]["function"] if f["site"] else function
                         for f in found or [{"site": None}])
    print("; ".join([str(count)] + [",".join(sorted(words)) for words in
                                    (states, severities, functions)]))


main()
