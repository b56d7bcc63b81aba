"""Client of a Vitrine server: 3D assets, their skeletons, clips and images.

One file that needs only the standard library of Python 3.8 or later. Made from the server's API document (/openapi.json): each
operation is a method of Vitrine. The server that has sent this file has exactly these.

    from vitrine import Vitrine
    v = Vitrine("http://127.0.0.1:8080", token="...")     # or VITRINE_TOKEN in the environment
    asset = v.upload("fox.glb")[0]
    for clip in v.list_clips(asset)["items"]:
        print(clip["name"], clip["duration"])
    open("fox.webp", "wb").write(v.get_render(asset, clip="Walk", t=0.5, format="webp"))

Methods return what the response is: a dict or list of JSON, bytes of anything else; without a body the id of what was created, or None. Responses with an error
status raise VitrineError. Positional arguments are parts of the path; keyword arguments are parameters: lists are sent as
repeated parameters or separated by commas as the API document says, and characters that Python does not allow are _ ("triangles.min" is
triangles_min, "from" is from_). Own fields of collections are field={"artist": "Ann", "polygons.max": 500}. Reads of an asset take version=N, rows of several assets of_model={"1.clip": "run"}. An instance may be used by several threads.
"""

import json as _json
import mimetypes as _mimetypes
import os as _os
import time as _time
import urllib.error as _error
import urllib.parse as _parse
import urllib.request as _request
import uuid as _uuid


class VitrineError(Exception):
    """A response with an error status. `problem` is its JSON (RFC 9457), or empty."""

    def __init__(self, status, problem, retry_after=None):
        self.status = status
        self.problem = problem
        self.code = problem.get("code", "")
        self.retry_after = retry_after  # seconds, or None
        told = [problem.get("detail") or f"the server answered with status {status}"]
        told += [f"{error.get('pointer', '')}: {error.get('detail', '')}" for error in problem.get("errors", [])]
        super().__init__(" ".join(told))


def _text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _multipart(files):
    """files: (name, bytes) pairs -> body and Content-Type."""
    boundary = _uuid.uuid4().hex
    parts = []
    for name, data in files:
        escaped = name.replace("\\", "/").replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        kind = _mimetypes.guess_type(name)[0] or "application/octet-stream"
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{escaped}"\r\nContent-Type: {kind}\r\n\r\n'
        parts += [head.encode(), data, b"\r\n"]
    parts.append(f"--{boundary}--\r\n".encode())
    return b"".join(parts), f"multipart/form-data; boundary={boundary}"


def _files_below(path):
    """(name, bytes) pairs of a file, or of all files below a folder, with names relative to the folder."""
    if not _os.path.isdir(path):
        with open(path, "rb") as file:
            return [(_os.path.basename(path), file.read())]
    found = []
    for folder, _, names in _os.walk(path):
        for name in sorted(names):
            whole = _os.path.join(folder, name)
            with open(whole, "rb") as file:
                found.append((_os.path.relpath(whole, path).replace(_os.sep, "/"), file.read()))
    return found


class _Base:
    def __init__(self, url="http://127.0.0.1:8080", token=None, timeout=120.0):
        """url: of the server. token: default VITRINE_TOKEN of the environment; None: the server requires none. timeout: seconds."""
        self.url = url.rstrip("/")
        self.token = _os.environ.get("VITRINE_TOKEN") if token is None else token
        self.timeout = timeout

    def request(self, method, path, query=(), body=None, content_type=None, accept=None, headers=None):
        """Sends one request; query: (name, value) pairs. Returns JSON, bytes, the id of what was created without a body, or None."""
        url = self.url + path
        if query:
            url += "?" + _parse.urlencode([(name, _text(value)) for name, value in query])
        asked = _request.Request(url, data=body, method=method)
        for name, value in {"Content-Type": content_type, "Accept": accept, **(headers or {})}.items():
            if value is not None:
                asked.add_header(name, value)
        if self.token:
            asked.add_header("Authorization", "Bearer " + self.token)
        try:
            with _request.urlopen(asked, timeout=self.timeout) as response:
                data = response.read()
                kind = response.headers.get_content_type()
                created = response.headers.get("Location") if response.status == 201 else None
        except _error.HTTPError as failed:
            raise self._error_of(failed) from None
        if not data:
            return _parse.unquote(_parse.urlsplit(created).path.rsplit("/", 1)[-1]) if created else None
        return _json.loads(data) if kind == "application/json" or kind.endswith("+json") else data

    @staticmethod
    def _error_of(failed):
        try:
            problem = _json.loads(failed.read())
        except ValueError:
            problem = {}
        after = failed.headers.get("Retry-After")
        return VitrineError(failed.code, problem if isinstance(problem, dict) else {}, int(after) if after and after.isdigit() else None)

    def _call(self, method, path, parameters, given, body=None, types=(), version=None):
        """parameters: Python name -> (name, how lists are sent). given: Python name -> value. types: of bodies."""
        if version is not None:
            asset, _, part = path[len("/v1/assets/") :].partition("/")
            path = f"/v1/assets/{asset}/versions/{int(version)}/{part}"
        query, headers = [], {}
        for key, value in given.items():
            if value is None:
                continue
            name, style = parameters[key]
            if style == "header":
                headers[name] = _text(value)
            elif style == "prefixed":
                query += [(name + part, one) for part, one in value.items()]
            elif style == "members":
                query += list(value.items())
            elif isinstance(value, (list, tuple)) and style == "repeated":
                query += [(name, one) for one in value]
            elif isinstance(value, (list, tuple)):
                query.append((name, ",".join(_text(one) for one in value)))
            else:
                query.append((name, value))
        data, kind = None, None
        if isinstance(body, _Files):
            data, kind = _multipart(body.files)
        elif isinstance(body, (bytes, bytearray)):
            data = bytes(body)
            kind = next((one for one in types if "json" not in one and not one.startswith("multipart")), "application/octet-stream")
        elif body is not None:
            data = _json.dumps(body).encode()
            kind = next((one for one in types if one.endswith("json")), "application/json")
        return self.request(method, path, query, data, kind, headers=headers)

    # Beyond single operations.

    def upload(self, *paths, collection=None, wait=True, timeout=600.0):
        """Uploads files and folders together and returns the ids of the assets. collection: id of one to which they are added.
        wait: until their import has ended; one that failed raises VitrineError with the problem of its job."""
        files = [file for path in paths for file in _files_below(path)]
        created = self.create_assets(body=_Files(files), collection=collection)
        if wait:
            for item in created["items"]:
                if item.get("job"):
                    self.wait_for_job(item["job"]["id"], timeout)
        return [item["asset"]["id"] for item in created["items"]]

    def wait_for_job(self, job, timeout=600.0):
        """Returns the job when it has ended. VitrineError: it failed or was cancelled. TimeoutError: it still runs."""
        end = _time.monotonic() + timeout
        pause = 0.05
        while True:
            state = self.get_job(job)
            if state["state"] == "succeeded":
                return state
            if state["state"] in ("failed", "cancelled"):
                problem = state.get("problem") or {"detail": f"the job was {state['state']}"}
                raise VitrineError(problem.get("status", 422), problem)
            if _time.monotonic() > end:
                raise TimeoutError(f"the job {job} still runs")
            _time.sleep(pause)
            pause = min(2 * pause, 1.0)

    def all_items(self, method, *path, **parameters):
        """Yields the items of all pages of a list: v.all_items(v.list_assets, q="fox")."""
        while True:
            page = method(*path, **parameters)
            yield from page["items"]
            if not page.get("next"):
                return
            parameters["cursor"] = page["next"]

    def events(self, last_event_id=None, timeout=None, type=None, asset=None, collection=None):
        """Yields the events of the library as they happen: dicts with event, id and data. timeout: seconds without any byte.
        type, asset, collection: one or a list of those to yield, such as type="asset.created"; default: all."""
        query = [
            (name, one)
            for name, given in (("type", type), ("asset", asset), ("collection", collection))
            for one in ([] if given is None else [given] if isinstance(given, str) else given)
        ]
        url = self.url + "/v1/events" + ("?" + _parse.urlencode(query) if query else "")
        asked = _request.Request(url, headers={"Accept": "text/event-stream"})
        if self.token:
            asked.add_header("Authorization", "Bearer " + self.token)
        if last_event_id is not None:
            asked.add_header("Last-Event-ID", last_event_id)
        try:
            response = _request.urlopen(asked, timeout=timeout)
        except _error.HTTPError as failed:
            raise self._error_of(failed) from None
        with response:
            event = {}
            for line in response:
                field, _, value = line.decode().rstrip("\r\n").partition(":")
                value = value[1:] if value.startswith(" ") else value
                if field == "data":
                    event["data"] = event.get("data", "") + value
                elif field in ("event", "id"):
                    event[field] = value
                elif not line.strip() and "data" in event:
                    event["data"] = _json.loads(event["data"])
                    yield event
                    event = {}


class _Files:
    """Files of a body: (name, bytes) pairs."""

    def __init__(self, files):
        self.files = files


def files(*paths):
    """A body of files and folders for methods that take one: v.inspect_model(body=files("fox.glb"))."""
    return _Files([file for path in paths for file in _files_below(path)])
