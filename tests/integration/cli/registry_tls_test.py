"""A schema registry behind TLS, with a CA of its own and client certificates, and what the program says of it.

usage: registry_tls_test.py PROGRAM
"""

import http.server
import json
import os
import pathlib
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import threading

SCHEMA = {"type": "record", "name": "Event", "fields": [
    {"name": "ts", "type": "string"}, *({"name": name, "type": "string"} for name in ("type", "list_id", "user_id")),
    {"name": "items", "type": {"type": "array", "items": "string"}}]}  # fmt: skip
SKIPPED = 77
CONFIG = """inputs: [{{file: dump.jsonl, format: kcat, unit: rfc3339, registry: {{{registry}}}}}]
windows: [{{name: day, size: 1d}}]
metrics: {{cutoffs: [2], names: [precision]}}
"""


class Registry(http.server.BaseHTTPRequestHandler):
    """It knows each id, and by whom it was asked last."""

    protocol_version = "HTTP/1.1"
    asked_by = None

    def log_message(self, *_):
        pass

    def do_GET(self):
        Registry.asked_by = self.headers["Authorization"]
        body = json.dumps({"schema": json.dumps(SCHEMA)}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Server(http.server.ThreadingHTTPServer):
    def __init__(self, context=None):
        self.context = context
        super().__init__(("127.0.0.1", 0), Registry)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def get_request(self):
        client, address = super().get_request()
        if self.context is not None:  # the handshake is for the thread that answers
            client = self.context.wrap_socket(client, server_side=True, do_handshake_on_connect=False)
        return client, address

    def handle_error(self, *_):  # clients that are refused are what is tested
        pass


def openssl(*words):
    subprocess.run(["openssl", *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def make_certificates():
    """Two authorities; by the first a server and a client, by the other a stranger; the client's key with a passphrase."""
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    for name in ("ca", "other"):
        openssl("req", "-x509", *key, "-days", "3", "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.pem")
    pathlib.Path("names").write_text("subjectAltName=IP:127.0.0.1\n")
    for name, by in (("server", "ca"), ("client", "ca"), ("stranger", "other")):
        openssl("req", *key, "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.csr")
        authority = ["-CA", f"{by}.pem", "-CAkey", f"{by}.key", "-CAcreateserial"]
        openssl("x509", "-req", *authority, "-days", "3", "-extfile", "names", "-in", f"{name}.csr", "-out", f"{name}.pem")
    openssl("pkey", "-in", "client.key", "-aes256", "-passout", "pass:hidden", "-out", "locked.key")
    pathlib.Path("noise.pem").write_text("noise")


def make_dump():
    def text(value):
        return bytes([2 * len(value)]) + value.encode()

    value = b"\0\0\0\0\7" + text("2023-11-14T00:00:00Z") + text("impression") + text("l") + text("u")
    value += b"\4" + text("a") + text("b") + b"\0"
    message = {"topic": "t", "partition": 0, "offset": 0, "tstype": "create", "ts": 1699920000000, "key": None}
    pathlib.Path("dump.jsonl").write_text(json.dumps({**message, "payload": value.decode()}) + "\n")


class Run:
    """A replay of the dump; it ends with the block."""

    def __init__(self, program, registry):
        keys = ", ".join(f'{key}: "{registry[key]}"' for key in registry)
        pathlib.Path("run.yaml").write_text(CONFIG.format(registry=keys))
        words = [program, "replay", "--config", "run.yaml", "--output", "rows", "--format", "jsonl", "--progress", "none"]
        # Its standard input is open, and silent, and there is no terminal: nothing may be asked for there.
        piped = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(words, **piped, start_new_session=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate()

    def finds_rows(self):
        said = self.process.communicate()[1]
        assert self.process.returncode in (0, 3) and '"lists":1' in pathlib.Path("rows").read_text(), said
        return said

    def complains(self):
        for line in self.process.stderr:
            if "cannot be asked" in line:
                return line
        raise AssertionError(f"it ended, with {self.process.wait()}, and did not complain")


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    if shutil.which("openssl") is None:
        print("registry_tls_test: skipped: there is no openssl to make certificates with: apt-get install openssl")
        return SKIPPED
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        make_certificates()
        make_dump()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("server.pem", "server.key")
        context.load_verify_locations("ca.pem")
        context.verify_mode = ssl.CERT_REQUIRED
        secure, plain = Server(context), Server()
        port = secure.server_port
        good = {"url": f"https://127.0.0.1:{port}", "ca": "ca.pem", "certificate": "client.pem", "key": "client.key",
                "user": "eval", "password": "canary"}  # fmt: skip
        with Run(program, good) as run:
            assert "plain text" not in run.finds_rows()
        assert Registry.asked_by == "Basic ZXZhbDpjYW5hcnk=", Registry.asked_by
        in_clear = {"url": f"http://127.0.0.1:{plain.server_port}", "user": "eval", "password": "canary"}
        with Run(program, in_clear) as run:
            said = run.finds_rows()
            assert f"{in_clear['url']} goes over the network as plain text; write https:// in `registry.url`" in said, said
            assert "canary" not in said, said
        with Run(program, {"url": in_clear["url"]}) as run:
            assert "plain text" not in run.finds_rows()

        without_client = {key: good[key] for key in good if key not in ("certificate", "key")}
        for registry, *words in [
            ({**good, "ca": "other.pem"}, "certificate", "check `registry.ca`"),
            ({key: good[key] for key in good if key != "ca"}, "certificate", "check `registry.ca`"),
            ({**good, "ca": "noise.pem"}, "noise.pem", "check `registry.ca`"),
            ({**good, "url": f"https://localhost:{port}"}, "localhost", "the host in `registry.url`"),
            (without_client, "check `registry.url`", "`registry.certificate` and `registry.key`"),
            ({**good, "certificate": "stranger.pem", "key": "stranger.key"}, "`registry.certificate` and `registry.key`"),
            ({**good, "key": "stranger.key"}, "stranger.key", "check `registry.certificate` and `registry.key`"),
            ({**good, "key": "locked.key"}, "locked.key", "without passphrase"),
            ({**good, "url": f"https://127.0.0.1:{plain.server_port}"}, "check `registry.url`"),
            ({"url": f"http://127.0.0.1:{port}"}, "check `registry.url`"),
            ({"url": "http://127.0.0.1:1"}, "check `registry.url`"),
        ]:
            with Run(program, registry) as run:
                said = run.complains()
            for word in (registry["url"], *words):
                assert word in said, (registry, word, said)
            assert "canary" not in said and "hidden" not in said, said
    print("registry_tls_test: one registry, eleven that cannot be asked")
    return 0


if __name__ == "__main__":
    sys.exit(main())
