#!/usr/bin/env python3
"""Messages in Avro behind others of unknown schemas: unknown_schemas.py REGISTRY COUNT LOG DELIMITER >MESSAGES

COUNT messages of six bytes with random ids that REGISTRY does not know, then the events of LOG by a schema that it is given,
each followed by DELIMITER: any byte may be in a message, so it has to be long.
"""

import json
import random
import struct
import sys
import urllib.request

registry, count, log, delimiter = sys.argv[1:]
TEXTS = ["type", "user_id", "list_id", "item_id", "event_id"]
NUMBERS = ["value", "score", "propensity"]
SCHEMA = {"type": "record", "name": "Event", "fields": [
    {"name": "ts", "type": "long"},
    {"name": "position", "type": ["null", "int"]},
    {"name": "items", "type": ["null", {"type": "array", "items": "string"}]},
    {"name": "segments", "type": ["null", {"type": "map", "values": "string"}]}]
    + [{"name": name, "type": ["null", "string"]} for name in TEXTS]
    + [{"name": name, "type": ["null", "double"]} for name in NUMBERS]}  # fmt: skip


def integer(value):
    value = value << 1 ^ value >> 63
    out = []
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def text(value):
    return integer(len(value.encode())) + value.encode()


def number(value):
    return struct.pack("<d", value)


def entries(encoded):
    return (integer(len(encoded)) + b"".join(encoded) if encoded else b"") + integer(0)


def items(value):
    return entries([text(item) for item in value])


def segments(value):
    return entries([text(name) + text(value[name]) for name in value])


def record(event):
    fields = [("position", integer), ("items", items), ("segments", segments)]
    fields += [(name, text) for name in TEXTS] + [(name, number) for name in NUMBERS]
    encoded = [integer(0) if event.get(name) is None else integer(1) + encode(event[name]) for name, encode in fields]
    return integer(event["ts"]) + b"".join(encoded)


asked = urllib.request.Request(registry + "/subjects/log-value/versions", json.dumps({"schema": json.dumps(SCHEMA)}).encode())
known = json.load(urllib.request.urlopen(asked))["id"]
messages = [struct.pack(">bIb", 0, unknown, 0) for unknown in random.Random(42).sample(range(known + 1, 1 << 32), int(count))]
messages += [struct.pack(">bI", 0, known) + record(json.loads(line)) for line in open(log)]
sys.stdout.buffer.write(b"".join(message + delimiter.encode() for message in messages))
