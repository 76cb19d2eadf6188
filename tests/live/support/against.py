"""against.py SCHEMA - prints what is wrong with the JSON on standard input by a
schema; nothing is good."""

import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    SCHEMA = json.load(file)
KIND = jsonschema.validators.validator_for(SCHEMA)
KIND.check_schema(SCHEMA)
for error in KIND(SCHEMA).iter_errors(json.load(sys.stdin)):
    print("/".join(map(str, error.absolute_path)), error.message[:200])
