"""grown.py - reads the JSON of a comparison on standard input and prints what
its findings say of growth, a line each: function and verdict."""

import json
import sys

for finding in json.load(sys.stdin)["findings"]:
    growth = finding["growth"]
    if growth and growth["verdict"] not in ("stable", "plateau"):
        site = finding["site"] or {"function": "several places"}
        print(site["function"], growth["verdict"])
