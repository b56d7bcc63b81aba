import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { PreviewFrame } from "../src/preview/protocol";
import { VideoFrameDecoder, decodableCodecs } from "../src/preview/video";

// The parts of WebCodecs that the page uses; the test controls when a decoder responds.
class FakeVideoFrame {
  static open = 0;
  constructor(readonly timestamp: number) {
    FakeVideoFrame.open += 1;
  }
  close() {
    FakeVideoFrame.open -= 1;
  }
}

class FakeDecoder {
  static made: FakeDecoder[] = [];
  static supported: (codec: string) => Promise<{ supported?: boolean }> = () => Promise.resolve({ supported: true });
  static isConfigSupported = (config: { codec: string }) => FakeDecoder.supported(config.codec);
  state = "unconfigured";
  codec = "";
  chunks: { type: string; timestamp: number }[] = [];
  constructor(readonly on: { output(decoded: FakeVideoFrame): void; error(error: unknown): void }) {
    FakeDecoder.made.push(this);
  }
  configure(config: { codec: string }) {
    this.state = "configured";
    this.codec = config.codec;
  }
  decode(chunk: { type: string; timestamp: number }) {
    if (this.chunks.length === 0 && chunk.type !== "key") throw new Error("a key frame is required");
    this.chunks.push(chunk);
  }
  close() {
    this.state = "closed";
  }
  answer() {
    this.on.output(new FakeVideoFrame(this.chunks.at(-1)?.timestamp ?? 0));
  }
}

const frame = (sequence: number, codec: PreviewFrame["codec"] = "vp8", keyFrame = sequence === 1) => ({ codec, keyFrame, sequence, payload: new Uint8Array(1) }) as PreviewFrame;
const last = () => FakeDecoder.made.at(-1) as FakeDecoder;

beforeEach(() => {
  FakeVideoFrame.open = 0;
  FakeDecoder.made = [];
  FakeDecoder.supported = () => Promise.resolve({ supported: true });
  vi.stubGlobal("VideoDecoder", FakeDecoder);
  vi.stubGlobal("EncodedVideoChunk", class {
    constructor(init: object) {
      Object.assign(this, init);
    }
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("decodable codecs", () => {
  it("are supported by server and browser, the cheaper first", async () => {
    expect(await decodableCodecs(["jpeg", "vp9", "vp8"])).toEqual(["vp8", "vp9"]);
    expect(await decodableCodecs(["jpeg", "vp9"])).toEqual(["vp9"]);
    expect(await decodableCodecs(["png"])).toEqual([]);
  });

  it("exclude codecs that the browser does not support", async () => {
    FakeDecoder.supported = (codec) => (codec === "vp8" ? Promise.resolve({ supported: false }) : Promise.resolve({ supported: true }));
    expect(await decodableCodecs(["vp8", "vp9"])).toEqual(["vp9"]);
    FakeDecoder.supported = () => Promise.reject(new TypeError("no such codec"));
    expect(await decodableCodecs(["vp8", "vp9"])).toEqual([]);
    vi.stubGlobal("VideoDecoder", undefined); // plain HTTP
    expect(await decodableCodecs(["vp8", "vp9"])).toEqual([]);
  });
});

describe("video frames", () => {
  it("are decoded one per frame by one decoder", async () => {
    const video = new VideoFrameDecoder();
    for (const sequence of [1, 2, 5]) {
      const decoded = video.decode(frame(sequence));
      last().answer();
      expect((await decoded).timestamp).toBe(sequence);
    }
    expect(FakeDecoder.made.length).toBe(1);
    const other = video.decode(frame(6, "vp9", true));
    last().answer();
    await other;
    expect(FakeDecoder.made.map(({ state, codec }) => [state, codec])).toEqual([
      ["closed", "vp8"],
      ["configured", "vp09.00.51.08"],
    ]);
  });

  it("are closed if they are not used", async () => {
    const video = new VideoFrameDecoder();
    const decoded = video.decode(frame(1));
    last().answer();
    last().answer();
    (await decoded).close();
    expect(FakeVideoFrame.open).toBe(0);
    const pending = video.decode(frame(2));
    const decoder = last();
    video.close();
    await expect(pending).rejects.toThrow("closed");
    decoder.answer();
    expect(FakeVideoFrame.open).toBe(0);
  });

  it("fail with the decoder, and restart with a key frame", async () => {
    const video = new VideoFrameDecoder();
    await expect(video.decode(frame(2))).rejects.toThrow("key frame");
    const broken = video.decode(frame(1));
    last().state = "closed";
    last().on.error(new Error("broken stream"));
    await expect(broken).rejects.toThrow("broken stream");
    const again = video.decode(frame(3, "vp8", true));
    last().answer();
    expect((await again).timestamp).toBe(3);
  });

  it("fail if the decoder returns none", async () => {
    vi.useFakeTimers();
    const decoded = expect(new VideoFrameDecoder().decode(frame(1))).rejects.toThrow("no frame");
    await vi.advanceTimersByTimeAsync(10_000);
    await decoded;
    expect(last().state).toBe("closed");
  });
});
