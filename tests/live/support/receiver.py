"""receiver.py FOLDER - a server that takes what is posted to it. Prints its
port, and keeps the body of each message as FOLDER/NUMBER, counted from 1, and a
line for each in FOLDER/messages: "NUMBER STATUS PATH HEADERS".

The first part of a path says how it answers: /500/..., /404/... with that status
and a page that quotes the path; /flaky/... with 503 the first time; /slow/...
after ten seconds; anything else with 200.
"""

import http.server
import os
import sys
import threading
import time

FOLDER = sys.argv[1]
LOCK = threading.Lock()
SEEN = {}


class Receiver(http.server.BaseHTTPRequestHandler):
    """Takes a POST."""

    def log_message(self, *args):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        how = self.path.split("/")[1]
        with LOCK:
            number = len(SEEN) + 1
            is_first = self.path not in SEEN.values()
            SEEN[number] = self.path
            status = int(how) if how.isdigit() else 200
            if how == "flaky" and is_first:
                status = 503
            with open(os.path.join(FOLDER, str(number)), "wb") as file:
                file.write(body)
            with open(os.path.join(FOLDER, "messages"), "a",
                      encoding="utf-8") as log:
                print(number, status, self.path,
                      self.headers.get("Content-Type"),
                      self.headers.get("Authorization"),
                      self.headers.get("X-Key"), sep="|", file=log)
        if how == "slow":
            time.sleep(10)
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/elsewhere")
        if status == 503:
            self.send_header("Retry-After", "1")
        self.end_headers()
        try:
            self.wfile.write(b"Cannot POST " + self.path.encode())
        except BrokenPipeError:
            pass  # who asked has not waited


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
