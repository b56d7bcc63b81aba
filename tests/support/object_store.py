#!/usr/bin/python3
"""Runs a real object store on free loopback ports for tests: OpenStack Swift with its S3 interface, one node, one
replica (Debian: swift-proxy swift-account swift-container swift-object memcached). No root is needed.

usage: object_store.py FOLDER BUCKET
Prints one line, "ready http://127.0.0.1:PORT", when the bucket exists; access key test:tester, secret key kept-out-of-logs,
region us-east-1. Then each line of standard input is a command that is answered by "ok":
  stop   ends the proxy server: the store is gone
  start  starts it again on the same port
The end of standard input ends all processes. FOLDER must be on a file system with extended attributes.
"""
import ctypes
import os
import pwd
import signal
import socket
import sys
import time
import urllib.request

try:  # once for all servers, which are forks of this process: the imports take most of their start
    import swift.account.server
    import swift.common.middleware.s3api.s3api
    import swift.common.middleware.slo
    import swift.container.server
    import swift.obj.server
    import swift.proxy.server
    from swift.common.ring import RingBuilder
    from swift.common.wsgi import run_wsgi
except ImportError as missing:
    sys.exit(f"Swift is not installed: {missing}")

SERVERS = ("account", "container", "object")
PROXY = """[DEFAULT]
bind_ip = 127.0.0.1
bind_port = {proxy}
swift_dir = {folder}
user = {user}
workers = 0
log_level = ERROR
[pipeline:main]
pipeline = catch_errors cache listing_formats s3api tempauth bulk slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:{memcached}
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = kept-out-of-logs .admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
"""
STORAGE = """[DEFAULT]
bind_ip = 127.0.0.1
bind_port = {port}
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
user = {user}
workers = 0
log_level = ERROR
fallocate_reserve = 0
disable_fallocate = true
[pipeline:main]
pipeline = {name}-server
[app:{name}-server]
use = egg:swift#{name}
"""
HASHES = """[swift-hash]
swift_hash_path_prefix = vitrine
swift_hash_path_suffix = test
[storage-policy:0]
name = one
default = yes
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class Store:
    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.user = pwd.getpwuid(os.getuid()).pw_name
        self.processes = {}
        self.ports = dict(zip(("proxy", "memcached", *SERVERS), free_ports(5)))
        self.configure()

    def configure(self):
        os.makedirs(f"{self.folder}/devices/d1", exist_ok=True)
        write(f"{self.folder}/swift.conf", HASHES)
        values = {"folder": self.folder, "user": self.user, **self.ports}
        write(f"{self.folder}/proxy.conf", PROXY.format(**values))
        for name in SERVERS:
            values = {"folder": self.folder, "user": self.user, "name": name, "port": self.ports[name]}
            write(f"{self.folder}/{name}.conf", STORAGE.format(**values))
            self.build_ring(name)

    def build_ring(self, name):
        builder = RingBuilder(4, 1, 0)
        builder.add_dev({"region": 1, "zone": 1, "ip": "127.0.0.1", "port": self.ports[name], "device": "d1", "weight": 1})
        builder.rebalance()
        builder.get_ring().save(f"{self.folder}/{name}.ring.gz")

    def run(self, name, work):
        """Runs work() in a child process that ends with this one."""
        child = os.fork()
        if child == 0:
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            log = os.open(f"{self.folder}/{name}.log", os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
            nothing = os.open(os.devnull, os.O_RDONLY)
            for source, target in ((nothing, 0), (log, 1), (log, 2)):
                os.dup2(source, target)
            try:
                work()
            finally:
                os._exit(1)
        self.processes[name] = child

    def run_swift(self, name):
        self.run(name, lambda: run_wsgi(f"{self.folder}/{name}.conf", f"{name}-server"))

    def start(self):
        port = str(self.ports["memcached"])
        self.run("memcached", lambda: os.execlp("memcached", "memcached", "-u", self.user, "-l", "127.0.0.1", "-U", "0", "-p", port))
        for name in SERVERS:
            self.run_swift(name)
        self.start_proxy()

    def start_proxy(self):
        self.run_swift("proxy")
        for name in self.processes:
            self.wait_for(name)

    def wait_for(self, name):
        until = time.monotonic() + 60
        while time.monotonic() < until and os.waitpid(self.processes[name], os.WNOHANG) == (0, 0):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.ports[name])) == 0:
                    return
            time.sleep(0.02)
        raise SystemExit(f"{name} does not start; see {self.folder}/{name}.log")

    def stop_one(self, name):
        os.kill(self.processes[name], signal.SIGKILL)
        os.waitpid(self.processes.pop(name), 0)

    def stop(self):
        for name in list(self.processes):
            self.stop_one(name)

    def url(self):
        return f"http://127.0.0.1:{self.ports['proxy']}"

    def create_bucket(self, name):
        """By Swift's own interface, which needs no signature."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        sign_in = urllib.request.Request(f"{self.url()}/auth/v1.0", headers={"X-Auth-User": "test:tester", "X-Auth-Key": "kept-out-of-logs"})
        with opener.open(sign_in, timeout=30) as answer:
            token = answer.headers["X-Auth-Token"]
        create = urllib.request.Request(f"{self.url()}/v1/AUTH_test/{name}", method="PUT", headers={"X-Auth-Token": token})
        with opener.open(create, timeout=30):
            pass


def main():
    folder, bucket = sys.argv[1:]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    store = Store(folder)
    try:
        store.start()
        store.create_bucket(bucket)
        print(f"ready {store.url()}", flush=True)
        for line in sys.stdin:
            {"stop": lambda: store.stop_one("proxy"), "start": store.start_proxy}[line.strip()]()
            print("ok", flush=True)
    finally:
        store.stop()


main()
