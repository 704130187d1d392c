#!/usr/bin/env python3
"""A schema registry as Confluent's clients and recmeter know it: registry_stub.py PORT_FILE SAYS_FILE PROTO_FILE [SECONDS]

Writes its port to PORT_FILE. While SAYS_FILE has a number it answers everything with that status. A Protobuf schema that a
client registers as a descriptor is given back as text, as the real one does it: that of PROTO_FILE. A question for an id is
answered after SECONDS. /asked says how many of these there were, for how many ids, and how many were open side by side.
"""

import json
import os
import sys
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

port_file, says_file, proto_file = sys.argv[1:4]
seconds = float(sys.argv[4]) if len(sys.argv) > 4 else 0
schemas = []  # id: place + 1
subjects = {}  # name: ids, by version
asked = {"questions": 0, "ids": 0, "side_by_side": 0}
asked_ids = set()
open_now = 0
lock = threading.Lock()


class Registry(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/vnd.schemaregistry.v1+json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def told(self):
        said = open(says_file).read().strip() if os.path.exists(says_file) else ""
        if said:
            self.reply(int(said), {"error_code": 50001, "message": "in trouble"})
        return bool(said)

    def take_time(self, number):
        global open_now
        with lock:
            open_now += 1
            asked_ids.add(number)
            asked["questions"] += 1
            asked["ids"] = len(asked_ids)
            asked["side_by_side"] = max(asked["side_by_side"], open_now)
        time.sleep(seconds)
        with lock:
            open_now -= 1

    def do_GET(self):
        parts = self.path.split("?")[0].strip("/").split("/")
        if self.told():
            return
        if parts == ["asked"]:
            return self.reply(200, asked)
        if parts[:2] == ["schemas", "ids"]:
            self.take_time(int(parts[2]))
            if 1 <= int(parts[2]) <= len(schemas):
                return self.reply(200, schemas[int(parts[2]) - 1])
        if parts[:2] == ["schemas", "guids"]:
            for schema in schemas:
                if schema["guid"] == parts[2]:
                    return self.reply(200, schema)
        self.reply(404, {"error_code": 40403, "message": "Schema not found"})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.told():
            return
        parts = self.path.split("?")[0].strip("/").split("/")
        text = body["schema"]
        if body.get("schemaType") == "PROTOBUF" and "message" not in text:
            text = open(proto_file).read()
        key = (text, body.get("schemaType", "AVRO"))
        known = [n for n, schema in enumerate(schemas) if (schema["schema"], schema.get("schemaType", "AVRO")) == key]
        if not known:
            schema = {"schema": text, "guid": str(uuid.uuid4())}
            if key[1] != "AVRO":
                schema["schemaType"] = key[1]
            schemas.append(schema)
            known = [len(schemas) - 1]
        ids = subjects.setdefault(parts[1], [])
        if known[0] + 1 not in ids:
            ids.append(known[0] + 1)
        number = known[0] + 1
        self.reply(200, {**schemas[number - 1], "id": number, "version": ids.index(number) + 1, "subject": parts[1]})


server = ThreadingHTTPServer(("127.0.0.1", 0), Registry)
with open(port_file + ".new", "w") as out:
    out.write(str(server.server_port))
os.rename(port_file + ".new", port_file)
server.serve_forever()
