import { describe, expect, it } from "vitest";

import { changesFrame, isOverlay, parseFrame, parseMessage, viewDifference, withOverlay, withoutOverlay } from "../src/preview/protocol";
import type { ViewState } from "../src/preview/protocol";

// A frame in the layout of api/websocket.md.
function frameBytes(change: (view: DataView) => void = () => undefined, payload = [1, 2, 3]): ArrayBuffer {
  const bytes = new Uint8Array(64 + payload.length);
  bytes.set([0x56, 0x54, 0x52, 0x46]);
  bytes.set(payload, 64);
  const view = new DataView(bytes.buffer);
  view.setUint16(4, 1, true);
  view.setUint16(6, 64, true);
  view.setUint8(8, 1);
  view.setUint8(9, 3);
  view.setUint32(12, 0xfffffff0, true);
  view.setUint32(16, 42, true);
  view.setUint16(20, 640, true);
  view.setUint16(22, 360, true);
  view.setFloat64(24, 1.25, true);
  [-1, -2, -3, 4, 5, 6].forEach((value, index) => view.setFloat32(32 + 4 * index, value, true));
  view.setUint32(56, 1500, true);
  view.setUint32(60, 900, true);
  change(view);
  return bytes.buffer;
}

describe("frame header", () => {
  it("reads every field", () => {
    const frame = parseFrame(frameBytes());
    expect(frame).toMatchObject({
      codec: "jpeg",
      keyFrame: true,
      fullQuality: true,
      sequence: 0xfffffff0,
      input: 42,
      width: 640,
      height: 360,
      time: 1.25,
      bounds: { min: [-1, -2, -3], max: [4, 5, 6] },
      renderMicros: 1500,
      encodeMicros: 900,
    });
    expect(typeof frame === "object" && [...frame.payload]).toEqual([1, 2, 3]);
  });

  it("starts the payload at the header size", () => {
    const frame = parseFrame(frameBytes((view) => view.setUint16(6, 66, true)));
    expect(typeof frame === "object" && [...frame.payload]).toEqual([3]);
  });

  it.each([
    ["short", () => new ArrayBuffer(63), "shorter"],
    ["wrong magic", () => frameBytes((view) => view.setUint8(0, 0)), "VTRF"],
    ["another version", () => frameBytes((view) => view.setUint16(4, 2, true)), "version 2"],
    ["header too small", () => frameBytes((view) => view.setUint16(6, 12, true)), "outside"],
    ["header beyond the end", () => frameBytes((view) => view.setUint16(6, 900, true)), "outside"],
    ["unknown codec", () => frameBytes((view) => view.setUint8(8, 9)), "codec 9"],
  ])("rejects %s", (_name, bytes, sentence) => {
    expect(parseFrame(bytes())).toContain(sentence);
  });
});

describe("control messages", () => {
  it("accepts only known types", () => {
    expect(parseMessage('{"type":"state","clip":0,"time":1,"playing":true}')).toMatchObject({ type: "state", time: 1 });
    expect(parseMessage('{"type":"picked","id":4,"hit":null}')).toEqual({ type: "picked", id: 4, hit: null });
    expect(parseMessage('{"type":"framing","clip":null,"bounds":{},"fit":{}}')).toMatchObject({ type: "framing", clip: null });
    expect(parseMessage('{"type":"surprise"}')).toBeNull();
    expect(parseMessage("not json")).toBeNull();
  });
});

describe("overlays", () => {
  it("show one surface overlay at a time, with lines", () => {
    expect(withOverlay(["skeleton", "uv"], "weights:12")).toEqual(["skeleton", "weights:12"]);
    expect(withOverlay(["weights:12"], "weights:3")).toEqual(["weights:3"]);
    expect(withOverlay(["weights:12", "bounds"], "names")).toEqual(["weights:12", "bounds", "names"]);
    expect(withoutOverlay(["weights:12", "bounds"], "weights")).toEqual(["bounds"]);
  });

  it("have names", () => {
    expect(["tangents", "weights", "weights:hand.L", "trails:hand.L"].every(isOverlay)).toBe(true);
    expect(isOverlay("trails:")).toBe(false);
    expect(withoutOverlay(["trails:3", "bounds"], "trails")).toEqual(["bounds"]);
    expect(["", "weight", "glow"].some(isOverlay)).toBe(false);
  });
});

describe("view difference", () => {
  const view: ViewState = {
    camera: { yaw: 10, pitch: 5, distance: null, target: null },
    clip: 0,
    variant: null,
    lod: null,
    surface: null,
    hide: null,
    only: null,
    playing: true,
    speed: 1,
    loop: "repeat",
    width: 640,
    height: 360,
    devicePixelRatio: 1,
    overlays: [],
    background: null,
    moving: false,
    turn: [],
    layers: [],
    crowd: 1,
    ghosts: null,
    fade: 0.3,
  };

  it("has all members for a new session", () => {
    expect(viewDifference(null, view)).toEqual(view);
  });

  it("has only changed members", () => {
    const next: ViewState = { ...view, camera: { ...view.camera, yaw: 20 }, overlays: ["skeleton"] };
    expect(viewDifference(view, next)).toEqual({ camera: next.camera, overlays: ["skeleton"] });
    expect(viewDifference(view, structuredClone(view))).toEqual({});
  });

  it("blends with each change of the clip or its layers", () => {
    expect(viewDifference(view, { ...view, clip: 1 })).toEqual({ clip: 1, fade: 0.3 });
    expect(viewDifference(view, { ...view, layers: ["as_2:c0"] })).toEqual({ layers: ["as_2:c0"], fade: 0.3 });
    expect(viewDifference(view, { ...view, fade: 0 })).toEqual({});
  });

  it("detects changes that cause a frame", () => {
    expect(changesFrame({ moving: true, speed: 2, loop: "once", playing: false })).toBe(false);
    expect(changesFrame({ speed: 2, clip: 1 })).toBe(true);
    expect(changesFrame({})).toBe(false);
  });
});
