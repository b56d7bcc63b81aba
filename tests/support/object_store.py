#!/usr/bin/python3
"""Runs a real object store on free loopback ports for tests: OpenStack Swift with its S3 interface, one node, one
replica (Debian: python3-swift). No root is needed.

usage: object_store.py FOLDER BUCKET
Prints one line, "ready http://127.0.0.1:PORT", when the bucket exists; access key test:tester, secret key kept-out-of-logs,
region us-east-1. Then each line of standard input is a command that is answered by "ok":
  stop   ends the proxy server: the store is gone
  start  starts it again on the same port
The end of standard input ends all processes. FOLDER must be on a file system with extended attributes.
"""
import ctypes
import datetime
import hashlib
import hmac
import os
import pwd
import signal
import socket
import sys
import time
import urllib.request

sys.dont_write_bytecode = True  # the servers import this file again, for make_cache

try:  # once for all servers, which are forks of this process: the imports take most of their start
    import swift.account.server
    import swift.common.middleware.s3api.s3api
    import swift.common.middleware.slo
    import swift.common.utils
    import swift.container.server
    import swift.obj.server
    import swift.proxy.server
    from swift.common.ring import RingBuilder
    from swift.common.wsgi import run_wsgi
except ImportError as missing:
    sys.exit(f"Swift is not installed: {missing}")

SERVERS = ("account", "container", "object")
ACCESS_KEY = "test:tester"
SECRET_KEY = "kept-out-of-logs"
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
paste.filter_factory = object_store:make_cache
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = {secret_key} .admin
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


class Cache:
    """What the proxy, one process, keeps in memcached otherwise: the interface of swift.common.memcached.MemcacheRing."""

    def __init__(self):
        self.values = {}

    def get(self, key, **_):
        value, end = self.values.get(key, (None, 0))
        return value if time.time() < end else None

    def set(self, key, value, serialize=True, time=0, **_):
        self.values[key] = (value, _end_of(time))

    def incr(self, key, delta=1, time=0, **_):
        value = max(0, int(self.get(key) or 0) + delta)
        self.values[key] = (value, _end_of(time))
        return value

    def decr(self, key, delta=1, time=0, **_):
        return self.incr(key, -delta, time)

    def delete(self, key, **_):
        self.values.pop(key, None)

    def get_multi(self, keys, *_, **__):
        return [self.get(key) for key in keys]

    def set_multi(self, mapping, *_, time=0, **__):
        for key, value in mapping.items():
            self.set(key, value, time=time)


def _end_of(seconds):
    return time.time() + seconds if seconds else float("inf")


def make_cache(*_, **__):
    """A WSGI filter with the cache of the process."""
    cache = Cache()

    def wrap(app):
        def handle(environment, start_response):
            environment["swift.cache"] = cache
            return app(environment, start_response)

        return handle

    return wrap


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
        self.ports = dict(zip(("proxy", *SERVERS), free_ports(4)))
        self.configure()

    def configure(self):
        os.makedirs(f"{self.folder}/devices/d1", exist_ok=True)
        write(f"{self.folder}/swift.conf", HASHES)
        swift.common.utils.set_swift_dir(self.folder)  # the servers look for it in /etc/swift before they read swift_dir
        values = {"folder": self.folder, "user": self.user, "secret_key": SECRET_KEY, **self.ports}
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
        for name in SERVERS:
            self.run_swift(name)
        self.start_proxy()

    def start_proxy(self):
        self.run_swift("proxy")
        for name in self.processes:
            self.wait_for(name)

    def wait_for(self, name):
        until = time.monotonic() + 120  # a machine with much else to do
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
        """Signed as https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html describes."""
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        headers = {"host": self.url()[len("http://"):], "x-amz-content-sha256": hashlib.sha256().hexdigest(), "x-amz-date": now}
        names = ";".join(headers)
        lines = "".join(f"{field}:{value}\n" for field, value in headers.items())
        request = f"PUT\n/{name}\n\n{lines}\n{names}\n{headers['x-amz-content-sha256']}"
        scope = f"{now[:8]}/us-east-1/s3/aws4_request"
        key = ("AWS4" + SECRET_KEY).encode()
        text = f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{hashlib.sha256(request.encode()).hexdigest()}"
        for part in (*scope.split("/"), text):
            key = hmac.new(key, part.encode(), hashlib.sha256).digest()
        headers["authorization"] = f"AWS4-HMAC-SHA256 Credential={ACCESS_KEY}/{scope}, SignedHeaders={names}, Signature={key.hex()}"
        create = urllib.request.Request(f"{self.url()}/{name}", method="PUT", headers=headers)
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(create, timeout=60):
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


if __name__ == "__main__":
    main()
