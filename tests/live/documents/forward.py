"""forward.py HERE THERE - connections to the address HERE go on to THERE."""

import socket
import sys
import threading


def address(text):
    host, port = text.rsplit(":", 1)
    return host, int(port)


def pour(source, target):
    """Copies until the end, and passes the end on."""
    while data := source.recv(65536):
        target.sendall(data)
    target.shutdown(socket.SHUT_WR)


with socket.create_server(address(sys.argv[1])) as server:
    while True:
        near, _ = server.accept()
        far = socket.create_connection(address(sys.argv[2]))
        for ends in (near, far), (far, near):
            threading.Thread(target=pour, args=ends, daemon=True).start()
