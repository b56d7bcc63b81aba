#!/usr/bin/python3
"""Forwards TLS connections on a free loopback port to a port of this machine, until the end of standard input.

usage: tls_proxy.py CERTIFICATE KEY PORT FILE
FILE gets the number of the TLS port when it listens.
"""
import os
import socket
import ssl
import sys
import threading


def copy(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def forward(plain, context, port):
    try:
        client = context.wrap_socket(plain, server_side=True)
        server = socket.create_connection(("127.0.0.1", port))
    except OSError:  # a client that does not trust the certificate
        plain.close()
        return
    threading.Thread(target=copy, args=(client, server), daemon=True).start()
    copy(server, client)


def accept(listener, context, port):
    while True:
        plain, _ = listener.accept()
        threading.Thread(target=forward, args=(plain, context, port), daemon=True).start()


def main():
    certificate, key, port, file = sys.argv[1:]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=accept, args=(listener, context, int(port)), daemon=True).start()
    with open(file + ".part", "w", encoding="utf-8") as out:
        out.write(str(listener.getsockname()[1]))
    os.rename(file + ".part", file)
    sys.stdin.read()


if __name__ == "__main__":
    main()
