"""speedscope.py FOLDER [SCHEMA] - checks every *.json file of a folder against
speedscope's schema, if it is given, and always against what the schema cannot
say: samples name frames that are there, and weights add up to the end."""

import glob
import json
import os
import sys

import jsonschema


def check(profile, n_frames):
    samples, weights = profile["samples"], profile["weights"]
    assert profile["type"] == "sampled", profile["type"]
    assert len(samples) == len(weights), "a weight for each sample"
    assert all(0 <= i < n_frames for stack in samples for i in stack)
    assert all(stack for stack in samples), "a sample without frames"
    assert all(weight > 0 for weight in weights)
    assert profile["startValue"] == 0
    assert profile["endValue"] == sum(weights), "weights add up"
    assert profile["unit"] in (
        "none", "bytes", "nanoseconds", "microseconds", "milliseconds",
        "seconds")


def main():
    folder, path = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    validator = None
    if path:
        with open(path, encoding="utf-8") as file:
            schema = json.load(file)
        validator = jsonschema.validators.validator_for(schema)(schema)
    for name in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with open(name, encoding="utf-8") as file:
            export = json.load(file)
        if validator:
            validator.validate(export)
        frames = export["shared"]["frames"]
        assert all(isinstance(frame["name"], str) for frame in frames)
        for profile in export["profiles"]:
            check(profile, len(frames))
        assert export["activeProfileIndex"] < len(export["profiles"])


main()
