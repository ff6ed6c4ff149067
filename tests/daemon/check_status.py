#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""check_status.py SCHEMA PROTOCOL.md ANSWER.json...: does what kv.status answered fit its schema?

Programs are told to ignore what they do not know, so the schema allows more than it describes. Here it does not: a field
that nobody described is an error, and so is a described field that no answer shows. The example in PROTOCOL.md counts as
an answer. The exit code is 1 when anything is wrong, 77 when there is no validator.
"""
import copy
import json
import re
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("the Debian package python3-jsonschema is not installed")
    sys.exit(77)


def strict(schema):
    """The schema without room for fields that it does not describe."""
    schema = copy.deepcopy(schema)

    def close(node):
        if isinstance(node, dict):
            if "properties" in node:
                node["additionalProperties"] = False
            for child in node.values():
                close(child)
        elif isinstance(node, list):
            for child in node:
                close(child)

    close(schema)
    return schema


def fields(schema, path=""):
    """(path, schema) of every property."""
    for name, child in schema.get("properties", {}).items():
        yield f"{path}.{name}", child
        yield from fields(child, f"{path}.{name}")
    if "items" in schema:
        yield from fields(schema["items"], f"{path}[]")


def shown(value, path=""):
    """Paths of every field of an answer."""
    if isinstance(value, dict):
        for name, child in value.items():
            yield f"{path}.{name}"
            yield from shown(child, f"{path}.{name}")
    elif isinstance(value, list):
        for child in value:
            yield from shown(child, f"{path}[]")


def example(protocol):
    """The result of kv.status that PROTOCOL.md shows."""
    section = protocol.split("\n### `kv.status`")[1].split("\n### `")[0]
    for block in re.findall(r"```json\n(.*?)```", section, re.DOTALL):
        message = json.loads(block)
        if "result" in message:
            return message["result"]
    return None


def undocumented(schema, protocol):
    """Fields of the schema that PROTOCOL.md does not name."""
    section = protocol.split("\n### `kv.status`")[1].split("\n### `")[0]
    return [path for path, _ in fields(schema) if f"`{re.split(r'[.]', path)[-1]}`" not in section]


def main():
    schema_path, protocol_path, *answers = sys.argv[1:]
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    with open(protocol_path, encoding="utf-8") as file:
        protocol = file.read()
    Draft202012Validator.check_schema(schema)
    documents = {"PROTOCOL.md's example": example(protocol)}
    for path in answers:
        with open(path, encoding="utf-8") as file:
            documents[path] = json.load(file)
    wrong, seen = [], set()
    validator, open_validator = Draft202012Validator(strict(schema)), Draft202012Validator(schema)
    for name, document in documents.items():
        for error in validator.iter_errors(document):
            wrong.append(f"{name}: {error.json_path}: {error.message}")
        if not open_validator.is_valid({**document, "somethingNew": 1}):
            wrong.append(f"{name}: a new field is no reason to refuse an answer")
        if validator.is_valid({**document, "somethingNew": 1}) or open_validator.is_valid({**document, "pid": "x"}):
            wrong.append(f"{name}: the schema refuses nothing")
        seen.update(shown(document))
    for path, child in fields(schema):
        if not child.get("description", "").strip():
            wrong.append(f"{path} is not described")
        if path not in seen:
            wrong.append(f"{path} is in no answer: either it is gone, or no test brings it about")
    wrong += [f"PROTOCOL.md does not name {path}" for path in undocumented(schema, protocol)]
    print("\n".join(wrong) or f"{len(documents)} answers fit, {len(seen)} fields")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
