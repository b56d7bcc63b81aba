"""A tour of the Python client: python_tour.py CLIENT URL FOLDER. CLIENT: vitrine.py as the server has sent it."""

import importlib.util
import sys
import threading

spec = importlib.util.spec_from_file_location("vitrine", sys.argv[1])
vitrine = importlib.util.module_from_spec(spec)
spec.loader.exec_module(vitrine)
url, folder = sys.argv[2:4]
client = vitrine.Vitrine(url)


def raises(status, code, call):
    try:
        call()
    except vitrine.VitrineError as error:
        assert (error.status, error.code) == (status, code), (error.status, error.code)
        return error
    raise AssertionError(f"expected {code}")


# Events arrive while an upload is imported.
seen = []
listening = threading.Event()


def listen():
    stream = client.events(timeout=60, type=["job", "asset.metadata"])
    listening.set()
    for event in stream:
        seen.append(event)
        if event["event"] == "job" and event["data"]["job"]["state"] == "succeeded":
            return


thread = threading.Thread(target=listen, daemon=True)
thread.start()
listening.wait(30)
ids = client.upload(f"{folder}/robot-glb", f"{folder}/koi-glb")
assert len(ids) == 2, ids
thread.join(60)
assert seen and all({"event", "id", "data"} <= event.keys() for event in seen), seen
assert {event["event"] for event in seen} <= {"job", "asset.metadata"}, seen
assert client.upload(f"{folder}/robot-glb") == [next(i for i in ids if client.get_asset(i)["name"].startswith("robot"))], "known"

robot = next(i for i in ids if client.get_asset(i)["name"].startswith("robot"))
asset = client.get_asset(robot)
assert client.change_asset(robot, body={"name": "robot hero"})["name"] == "robot hero"
assert [found["id"] for found in client.all_items(client.list_assets, q="robot", limit=1)] == [robot]
assert {found["id"] for found in client.all_items(client.list_assets, limit=1)} == set(ids)
assert client.list_assets(triangles_min=10**9)["items"] == []

clips = client.list_clips(robot)["items"]
joints = client.get_skeleton(robot)["joints"]
pose = client.get_pose(robot, clips[0]["id"], t="0/0.2/0.1", space="model", joint=[joints[0]["node"], joints[1]["node"]])
assert len(pose["poses"]) == 3 and len(pose["poses"][0]["nodes"]) == 2
assert client.get_skeleton(robot, version=1) == client.get_skeleton(robot)
assert client.get_clip_bounds(robot, clips[0]["id"], from_=0, to=0.1, per="frame")["frames"]

image = client.get_render(robot, clip=clips[0]["id"], t=0.5, w=64, h=64, format="png", overlay=["skeleton", "bounds"], view="front")
assert image.startswith(b"\x89PNG"), image[:16]
assert client.get_sprite(robot, frames=2, view=["front", "side"], size=32).startswith(b"RIFF")
assert client.render_lineup(asset=ids, w=64, of_model={"0.clip": clips[0]["id"]}, format="png").startswith(b"\x89PNG")
assert client.get_export(robot).startswith(b"glTF")
assert b"vitrine_" in client.get_metrics()
assert client.post_render(robot, body={"w": 64, "format": "png"}).startswith(b"\x89PNG")

# The models of a body, which are not kept.
inspected = client.inspect_model(body=vitrine.files(f"{folder}/koi-glb"))
assert inspected["format"] == "glb", inspected
with open(f"{folder}/koi-glb/koi.glb", "rb") as file:
    assert client.render_model(body=file.read(), name="koi.glb", w=64, format="png").startswith(b"\x89PNG")

# Resumable uploads.
begun = client.create_upload(tus_resumable="1.0.0", upload_length=3, upload_metadata="filename YS5vYmo=")
assert client.get_upload(begun)["length"] == 3
assert client.append_upload(begun, tus_resumable="1.0.0", upload_offset=0, body=b"v 0") is None
assert client.get_upload(begun)["finished"]
assert client.create_upload(tus_resumable="1.0.0", upload_length=1, idempotency_key="once") == client.create_upload(
    tus_resumable="1.0.0", upload_length=1, idempotency_key="once"
)

# Collections and their own fields.
props = client.create_collection(body={"name": "props"}, idempotency_key="props")["id"]
assert client.create_collection(body={"name": "props"}, idempotency_key="props")["id"] == props
koi = next(i for i in ids if i != robot)
assert client.upload(f"{folder}/koi-glb", collection=props) == [koi]
assert [found["id"] for found in client.list_assets(collection=props)["items"]] == [koi]
client.create_field(props, body={"name": "polygons", "type": "number"})
client.change_field_values(koi, body={"values": {"polygons": 7}})
assert [found["id"] for found in client.list_assets(field={"polygons.min": 7, "polygons.max": 7})["items"]] == [koi]
assert client.list_assets(field={"polygons": 8})["items"] == []

raises(404, "no_asset", lambda: client.get_asset("nobody"))
assert raises(400, "bad_query", lambda: client.get_render(robot, view="inside")).problem["errors"][0]["pointer"] == "/query/view"
client.delete_asset(robot)
assert client.list_assets(trash=True)["items"][0]["id"] == robot
client.restore_asset(robot)
print("done")
