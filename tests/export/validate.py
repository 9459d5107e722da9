"""Validates result documents: validate.py SCHEMA DOCUMENT... Exit 0: all are valid. 1: not, says why."""
import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1], encoding="utf-8"))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
found = 0
for name in sys.argv[2:]:
    with open(name, encoding="utf-8") as file:
        for error in validator.iter_errors(json.load(file)):
            print(f"{name}: {error.json_path}: {error.message}")
            found += 1
sys.exit(1 if found else 0)
