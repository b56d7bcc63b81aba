import { describe, expect, it } from "vitest";

import { Meter } from "../src/preview/frame_meter";
import { defaultClip, pictureQuery, stateFromUrl, stateToUrl, thumbnailUrl } from "../src/preview/url";
import { initialCamera } from "../src/preview/camera";
import type { ViewState } from "../src/preview/protocol";
import { backoffMs } from "../src/util/backoff";
import { curlCommand } from "../src/state/clipboard";
import { cssColor } from "../src/util/color";
import { baseName, formatBytes, formatCount, formatLength, sentence } from "../src/util/format";

describe("formats", () => {
  it("rounds for display", () => {
    expect([0, 999, 12_345, 1_234_567].map(formatCount)).toEqual(["0", "999", "12.3 k", "1.2 M"]);
    expect([12, 1000, 999_960, 5_200_000].map(formatBytes)).toEqual(["12 B", "1 kB", "1 MB", "5.2 MB"]);
    expect([0, 0.002, 0.5, 2, 1500].map(formatLength)).toEqual(["0 m", "2.00 mm", "50.0 cm", "2 m", "1.50 km"]);
  });

  it("shows linear colors as sRGB", () => {
    expect(cssColor([1, 0, 0.5, 1])).toBe("#ff00bc");
    expect(cssColor([9, -1, 0])).toBe("#ff0000");
    expect(cssColor(undefined)).toMatch(/^#/);
  });

  it("capitalizes error messages, but not a leading name", () => {
    expect(sentence("the text is not JSON: wrong")).toBe("The text is not JSON: wrong");
    expect(sentence("robot.bin is missing")).toBe("robot.bin is missing");
    expect(sentence("")).toBe("");
  });

  it("removes the folders of a file's path", () => {
    expect(["a/b/c.glb", "c.glb", "folder/"].map(baseName)).toEqual(["c.glb", "c.glb", "folder/"]);
  });

  it("quotes for the shell", () => {
    expect(curlCommand("http://h/v1/a?x=1&y=2", "a b.png")).toBe("curl -o 'a b.png' 'http://h/v1/a?x=1&y=2'");
    expect(curlCommand("http://h/it's", "x.png")).toBe(`curl -o x.png 'http://h/it'\\''s'`);
  });
});

describe("back-off", () => {
  it("doubles up to its limit", () => {
    expect([0, 1, 2, 20].map((attempt) => backoffMs(attempt, () => 1))).toEqual([300, 600, 1200, 8000]);
    expect(backoffMs(20, () => 0)).toBe(4800);
  });
});

describe("meter", () => {
  it("measures from the input to its frame", () => {
    const meter = new Meter();
    meter.input(1, 100);
    meter.input(2, 110);
    meter.frame(2, 5000, 150);
    meter.frame(2, 5000, 180);
    expect(meter.read(200)).toEqual({ framesPerSecond: 2, bytesPerSecond: 10000, latencyMs: 40 });
    expect(meter.read(5000)).toMatchObject({ framesPerSecond: 0, bytesPerSecond: 0 });
  });
});

describe("preview state in the URL", () => {
  const clips = [{ id: "c0", name: "Pose", duration: 0, frameRate: 30 }, { id: "c1", name: "Walk", duration: 2, frameRate: 30 }];
  const view = { camera: initialCamera, clip: 1, variant: null, lod: null, surface: null, hide: null, only: null, playing: true, speed: 1, loop: "repeat", width: 800, height: 400, devicePixelRatio: 1, overlays: [], background: null, moving: false, turn: [], layers: [], crowd: 1, ghosts: null, fade: 0.3 } as ViewState;

  const picture = (shown: ViewState, time: number) => pictureQuery(shown, time, { format: "png", width: 1024 });

  it("starts with the clip of the thumbnail, or the first animated one", () => {
    expect(defaultClip([...clips, { id: "c2", name: "Run", duration: 1, frameRate: 30 }], "c2")).toBe(2);
    expect(defaultClip(clips, null)).toBe(1);
    expect(defaultClip(clips, undefined)).toBe(1);
    expect(defaultClip(clips.slice(0, 1), "c9")).toBe(-1);
    expect(stateFromUrl(new URLSearchParams(), clips, 1, false)).toMatchObject({ view: { clip: 1, playing: true }, time: null });
    expect(stateFromUrl(new URLSearchParams(), clips, 1, true)).toMatchObject({ view: { playing: false } });
    const named = [...clips, { id: "c2", name: "Rig:walk", duration: 1, frameRate: 30 }] as typeof clips;
    expect(stateFromUrl(new URLSearchParams("clip=:Rig:walk"), named, 1, false)).toMatchObject({ view: { clip: 2 } });
    expect(stateFromUrl(new URLSearchParams("clip=7&bg=javascript:&overlay=x,bounds"), clips, 1, false)).toMatchObject({
      view: { clip: null, background: null, overlays: ["bounds"] },
    });
  });

  it("writes differences from the default and reads them back", () => {
    expect(stateToUrl(view, 0.5, clips, initialCamera, 1).toString()).toBe("");
    expect(stateToUrl(view, 0.5, clips, { ...initialCamera, yaw: 120 }, 1).toString()).toBe("view=30%2C15");
    const paused: ViewState = { ...view, playing: false, clip: 0, overlays: ["wireframe"], background: "#1c1e1d" };
    const back = stateFromUrl(stateToUrl(paused, 0.5, clips, initialCamera, 1), clips, 1, false);
    expect(stateToUrl({ ...view, variant: "Dark blue" }, 0.5, clips, initialCamera, 1).toString()).toBe("variant=Dark+blue");
    expect(stateFromUrl(new URLSearchParams("variant=Dark+blue"), clips, 1, false).view.variant).toBe("Dark blue");
    expect(back).toMatchObject({ time: 0.5, view: { variant: null, layers: [] } });
    const layered = { ...view, clip: "as_2:c1", layers: ["c0*0.5~3"] };
    expect(stateFromUrl(stateToUrl(layered, 0.5, clips, initialCamera, 1), clips, 1, false).view).toMatchObject({ clip: "as_2:c1", layers: layered.layers });
    expect(back).toMatchObject({ time: 0.5, view: { clip: 0, playing: false, overlays: ["wireframe"], background: "#1c1e1d" } });
  });

  it("has what is shown of the model", () => {
    const look = { lod: 2, surface: "clay", hide: [3, 7], only: [1] } as const;
    const params = stateToUrl({ ...view, ...look, hide: [...look.hide], only: [...look.only] }, 0, clips, initialCamera, 1);
    expect(params.toString()).toBe("lod=2&hide=3%2C7&only=1&surface=clay");
    expect(stateFromUrl(params, clips, 1, false).view).toMatchObject(look);
    expect(stateFromUrl(new URLSearchParams("lod=x&hide=1,,2&only=-1&surface=gold"), clips, 1, false).view).toMatchObject({ lod: null, hide: null, only: null, surface: null });
    expect(stateFromUrl(new URLSearchParams("skin=red"), clips, 1, false).view.variant).toBe("red");
    expect(picture({ ...view, hide: [3, 7], lod: 1 }, 0)).toContain("&lod=1&hide=3,7&");
  });

  it("has the crowd and the ghosts", () => {
    const params = stateToUrl({ ...view, crowd: 20, ghosts: "2,0@0.25" }, 0, clips, initialCamera, 1);
    expect(params.toString()).toBe("crowd=20&ghosts=2%2C0%400.25");
    expect(stateFromUrl(params, clips, 1, false).view).toMatchObject({ crowd: 20, ghosts: "2,0@0.25" });
    for (const wrong of ["crowd=0&ghosts=17", "crowd=1e5&ghosts=1@0", "crowd=1.5&ghosts=x", "crowd=&ghosts=1,2,3"])
      expect(stateFromUrl(new URLSearchParams(wrong), clips, 1, false).view).toMatchObject({ crowd: 1, ghosts: null });
    expect(picture({ ...view, crowd: 20, ghosts: "3,3@0.1" }, 0)).toContain("&crowd=20&ghosts=3,3%400.1&");
  });

  it("gives the image URLs of the material variant", () => {
    expect(picture({ ...view, variant: "A&B" }, 0.25)).toContain("&variant=A%26B&");
    expect(thumbnailUrl("a1", null)).toBe("/v1/assets/a1/thumbnail?size=512");
    expect(thumbnailUrl("a1", "A&B")).toBe("/v1/assets/a1/thumbnail?size=512&variant=A%26B");
  });

  it("gives the /render URL of the same image", () => {
    expect(picture({ ...view, overlays: ["bounds"] }, 0.25)).toBe("clip=1&t=0.25&view=30,15&w=1024&h=512&overlay=bounds&format=png");
  });

  it("gives the /render URL of layers and turned joints", () => {
    const layered = { ...view, clip: null, layers: ["a2:c0", "c1*0.5~3!add"], turn: ["4:0,30,0"] };
    const query = new URLSearchParams(picture(layered, 0.25));
    expect(query.getAll("layer")).toEqual(layered.layers);
    expect(query.getAll("turn")).toEqual(layered.turn);
    expect(query.get("t")).toBe("0.25");
    expect(query.get("clip")).toBe(null);
  });

  it("leaves the clips of a row to its query", () => {
    const query = new URLSearchParams(picture({ ...view, clip: "row" }, 0.25));
    expect(query.get("clip")).toBe(null);
    expect(query.get("t")).toBe("0.25");
  });

  it("gives a picture of the viewport's size that replaces the live preview", () => {
    expect(pictureQuery({ ...view, clip: null }, 0, { format: "webp", width: 800, automatic: true })).toBe("view=auto&w=800&h=400&format=webp");
    expect(pictureQuery({ ...view, clip: null, camera: { ...initialCamera, yaw: 120 } }, 0, { format: "webp", width: 800, automatic: true })).toContain("view=120,15&");
  });
});
