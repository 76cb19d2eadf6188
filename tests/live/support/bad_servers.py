"""bad_servers.py FOLDER - servers that answer as they should not, for
tests/live/fetch.sh. Prints a line "NAME=PORT" for each:

    web      answers by path; see Web below
    second   the same elsewhere, where redirects lead to
    proxy    passes requests on (GET of a whole address, CONNECT)
    silent   takes connections and says nothing
    ssh      speaks another protocol

and writes what each request was to FOLDER/requests, as
"NAME METHOD PATH AUTHORIZATION".
"""

import base64
import http.server
import os
import socket
import socketserver
import struct
import sys
import threading
import time
import urllib.request

FOLDER = sys.argv[1]
DUMP = b"""goroutine profile: total 3
3 @ 0x43e1ab 0x43ddf7 0x4b2001
#\t0x43ddf6\tmain.work+0x36\t/app/main.go:12
"""
USER = "Basic " + base64.b64encode(b"ann:hunter2").decode()
TOKEN = "Bearer t0ken-of-nobody"
PORTS = {}
SEEN = {}
LOCK = threading.Lock()


def note(name, handler):
    """Writes a request down."""
    with LOCK, open(os.path.join(FOLDER, "requests"), "a",
                    encoding="utf-8") as log:
        log.write("%s %s %s %s\n" % (name, handler.command, handler.path,
                                     handler.headers.get("Authorization", "-")))


def reset(connection):
    """Closes a connection with a reset instead of an end."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                          struct.pack("ii", 1, 0))
    connection.close()


class Web(http.server.BaseHTTPRequestHandler):
    """One method for each path."""

    protocol_version = "HTTP/1.1"
    name = "web"

    def log_message(self, *args):
        pass

    def do_GET(self):
        note(self.name, self)
        path = self.path.split("?")[0].strip("/").replace("/", "_")
        self.close_connection = True
        getattr(self, "get_" + path.replace("-", "_"), self.get_missing)()

    def answer(self, body, status=200, kind="text/plain", **headers):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for key, value in headers.items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(body)

    def get_missing(self):
        self.answer(b"404 page not found\n", 404)

    def get_ok(self):
        self.answer(DUMP)

    def get_debug_pprof_goroutine(self):
        self.answer(DUMP)

    def get_debug_pprof_goroutineleak(self):
        self.answer(DUMP.replace(b"goroutine", b"goroutineleak", 1))

    def get_admin_debug_pprof_goroutine(self):
        self.answer(DUMP)

    def get_admin_debug_pprof_goroutineleak(self):
        self.answer(b"Unknown profile\n", 404)

    def get_html(self):
        self.answer(b"<!DOCTYPE html>\n<title>Log in</title>\n",
                    kind="text/html")

    def get_json(self):
        self.answer(b'{"error": "no such route"}\n', kind="application/json")

    def get_empty(self):
        self.answer(b"")

    def get_escapes(self):
        self.answer(b"\033[31mred\033[0m\n", 500)

    def get_gateway(self):
        self.answer(b"<html>\n", 502)

    def get_redirect(self):
        self.answer(b"", 302, Location="/ok")

    def get_login(self):
        self.answer(b"", 302, Location="/html?token=s3cret")

    def get_loop(self):
        self.answer(b"", 302, Location="/loop")

    def get_away(self):
        self.answer(b"", 302,
                    Location="http://127.0.0.1:%d/ok" % PORTS["second"])

    def get_away_basic(self):
        self.answer(b"", 302,
                    Location="http://127.0.0.1:%d/basic" % PORTS["second"])

    def get_file(self):
        self.answer(b"", 302, Location="file:///etc/passwd")

    def get_repeat(self):
        self.answer(("You sent %s" % self.requestline).encode(), 500)

    def get_echo(self):
        words = "You sent %s" % self.headers.get("Authorization")
        self.answer(words.encode(), 403)

    def get_echo_ok(self):
        words = "You sent %s" % self.headers.get("Authorization")
        self.answer(words.encode())

    def get_basic(self):
        if self.headers.get("Authorization") != USER:
            self.answer(b"who is there?\n", 401,
                        **{"WWW-Authenticate": 'Basic realm="x"'})
        else:
            self.answer(DUMP)

    def get_bearer(self):
        if self.headers.get("Authorization") != TOKEN:
            self.answer(b"who is there?\n", 401)
        else:
            self.answer(DUMP)

    def get_slow(self):
        self.send_response(200)
        self.end_headers()
        try:
            while True:
                self.wfile.write(b"g")
                time.sleep(0.1)
        except OSError:
            pass

    def get_endless(self):
        self.send_response(200)
        self.end_headers()
        try:
            while True:
                self.wfile.write(b"goroutine 1 [running]:\n" * 4096)
        except OSError:
            pass

    def get_truncated(self):
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        self.wfile.write(DUMP)

    def get_truncated_chunks(self):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"1000\r\n" + DUMP)

    def get_reset(self):
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        self.wfile.write(DUMP)
        self.wfile.flush()
        time.sleep(0.1)
        reset(self.connection)

    def get_nothing(self):
        self.connection.shutdown(socket.SHUT_RDWR)

    def once(self, otherwise):
        with LOCK:
            SEEN[self.path] = SEEN.get(self.path, 0) + 1
            is_first = SEEN[self.path] == 1
        if is_first:
            otherwise()
        else:
            self.answer(DUMP)

    def get_flaky_status(self):
        self.once(self.get_gateway)

    def get_flaky_body(self):
        self.once(self.get_truncated)

    def get_flaky_reset(self):
        self.once(self.get_reset)


class Second(Web):
    name = "second"


class Proxy(http.server.BaseHTTPRequestHandler):
    """Passes on what is asked."""

    def log_message(self, *args):
        pass

    def do_GET(self):
        note("proxy", self)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(self.path) as answer:
            body = answer.read()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_CONNECT(self):
        note("proxy", self)
        self.send_error(403)


class Silent(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.recv(4096)
        time.sleep(3600)


class Ssh(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.sendall(b"SSH-2.0-OpenSSH_9.2p1\r\n")
        self.request.recv(4096)


class Threads(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 64




def main():
    servers = {"web": Web, "second": Second, "proxy": Proxy, "silent": Silent,
               "ssh": Ssh}
    for name, handler in servers.items():
        server = Threads(("127.0.0.1", 0), handler)
        PORTS[name] = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print("%s=%d" % (name, PORTS[name]))
    print("ready=1", flush=True)
    threading.Event().wait()


main()
