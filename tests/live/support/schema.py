"""schema.py SCHEMA FILE... - runs $CPROF_LEAKS on each file, or with the words
of an argument that holds blanks ("diff OLD NEW"), and holds the answer as JSON to
the schema; an input without an answer has one line on standard error
and status 2. Prints what fails, and last "N passed, N failed".
"""

import json
import multiprocessing
import os
import subprocess
import sys

import jsonschema

PROGRAM = os.environ["CPROF_LEAKS"]


def load(path):
    """The validator of a schema file; a wrong schema raises."""
    with open(path, encoding="utf-8") as file:
        schema = json.load(file)
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


VALIDATOR = load(sys.argv[1])


def check(path):
    """What is wrong with the answer for a file, as lines; none is good."""
    run = subprocess.run([PROGRAM, *path.split(), "-o", "json"], check=False,
                         stdin=subprocess.DEVNULL, capture_output=True)
    if run.returncode == 2:
        lines = run.stderr.decode().splitlines()
        if len(lines) != 1:
            return ["%s: not one line of error: %s" % (path, lines)]
        if not run.stdout:
            return []
        # What cannot be judged is shown all the same.
        if json.loads(run.stdout)["verdict"] != "unknown":
            return ["%s: an answer with status 2" % path]
    elif run.returncode not in (0, 1):
        return ["%s: status %d: %s" % (path, run.returncode, run.stderr)]
    return ["%s: %s: %s" % (path, "/".join(map(str, error.absolute_path)),
                            error.message[:200])
            for error in VALIDATOR.iter_errors(json.loads(run.stdout))]


def main():
    # A schema that lets anything through would let all of this pass.
    if VALIDATOR.is_valid({"schema": "cprof-leaks/report/v1"}):
        print("%s: takes an answer without fields" % sys.argv[1])
        return 1
    with multiprocessing.Pool(int(os.environ.get("JOBS", "1"))) as pool:
        wrong = pool.map(check, sys.argv[2:], chunksize=8)
    for lines in wrong:
        for line in lines[:5]:
            print(line)
    failed = sum(1 for lines in wrong if lines)
    print("%d passed, %d failed" % (len(wrong) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
