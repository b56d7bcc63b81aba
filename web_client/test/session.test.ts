import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { PreviewFrame } from "../src/preview/protocol";
import { PreviewSession } from "../src/preview/session";

class FakeSocket {
  static OPEN = 1;
  static last: FakeSocket;
  readyState = 1;
  sent: { type: string; sequence?: number; codecs?: string[] }[] = [];
  onmessage: (event: { data: ArrayBuffer | string }) => void = () => undefined;
  onclose: () => void = () => undefined;
  constructor() {
    FakeSocket.last = this;
  }
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {}
  hello(codecs: string[]) {
    this.onmessage({ data: JSON.stringify({ type: "hello", codecs, device: {}, clips: [] }) });
  }
  frame(sequence: number, codec: number, flags: number) {
    const view = new DataView(new ArrayBuffer(65));
    view.setUint32(0, 0x56545246);
    view.setUint16(4, 1, true);
    view.setUint16(6, 64, true);
    view.setUint8(8, codec);
    view.setUint8(9, flags);
    view.setUint32(12, sequence, true);
    this.onmessage({ data: view.buffer });
  }
  of(type: string) {
    return this.sent.filter((message) => message.type === type);
  }
}

// Records the frames to be displayed; each waits until the test resolves it.
class Screen {
  shown: number[] = [];
  pending: { frame: PreviewFrame; done(): void; fail(error: Error): void }[] = [];
  show(frame: PreviewFrame): Promise<void> {
    return new Promise((done, fail) => this.pending.push({ frame, done, fail }));
  }
  async next(works = true): Promise<number> {
    const { frame, done, fail } = await vi.waitUntil(() => this.pending.shift());
    if (works) done();
    else fail(new Error("cannot be decoded"));
    await settle();
    return frame.sequence;
  }
  message() {}
  connection() {}
}

const settle = () => new Promise((resolve) => setTimeout(resolve));
const [jpeg, vp8] = [1, 2];
let screen: Screen & { shown(frame: PreviewFrame): void };
let shown: number[];
let session: PreviewSession;

beforeEach(() => {
  vi.stubGlobal("document", { hidden: false, addEventListener() {}, removeEventListener() {} });
  vi.stubGlobal("location", { href: "http://localhost/" });
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("VideoDecoder", { isConfigSupported: () => Promise.resolve({ supported: true }) });
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  shown = [];
  screen = Object.assign(new Screen(), { shown: (frame: PreviewFrame) => void shown.push(frame.sequence) });
  session = new PreviewSession("as_1", screen);
  session.open();
});

afterEach(() => {
  session.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("preview session", () => {
  it("sends its decodable codecs, or nothing", async () => {
    FakeSocket.last.hello(["jpeg", "vp8", "vp9"]);
    await settle();
    expect(FakeSocket.last.of("decoder")).toEqual([{ type: "decoder", codecs: ["vp8", "vp9"] }]);
    session.open();
    FakeSocket.last.hello(["jpeg"]);
    await settle();
    expect(FakeSocket.last.of("decoder")).toEqual([]);
  });

  it("skips stills that a newer frame replaces", async () => {
    for (const sequence of [1, 2, 3]) FakeSocket.last.frame(sequence, jpeg, 3);
    expect([await screen.next(), await screen.next()]).toEqual([1, 3]);
    expect(shown).toEqual([1, 3]);
    expect(FakeSocket.last.of("ack").map(({ sequence }) => sequence)).toEqual([2, 1, 3]);
  });

  it("skips no video frame", async () => {
    FakeSocket.last.frame(1, vp8, 1);
    FakeSocket.last.frame(2, vp8, 0);
    FakeSocket.last.frame(3, vp8, 0);
    FakeSocket.last.frame(4, jpeg, 3);
    FakeSocket.last.frame(5, vp8, 0);
    for (const sequence of [1, 2, 3, 5]) expect(await screen.next()).toBe(sequence);
    expect(FakeSocket.last.of("ack").map(({ sequence }) => sequence)).toEqual([4, 1, 2, 3, 5]);
  });

  it("falls back to stills when the decoder fails, also after a reconnection", async () => {
    FakeSocket.last.hello(["vp8"]);
    await settle();
    FakeSocket.last.frame(1, vp8, 1);
    FakeSocket.last.frame(2, vp8, 0);
    FakeSocket.last.frame(3, jpeg, 1);
    expect(await screen.next(false)).toBe(1);
    expect(await screen.next()).toBe(3);
    expect(FakeSocket.last.of("decoder").at(-1)).toEqual({ type: "decoder", codecs: [] });
    expect(FakeSocket.last.of("ack").map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(shown).toEqual([3]);
    session.open();
    FakeSocket.last.hello(["vp8"]);
    await settle();
    expect(FakeSocket.last.of("decoder")).toEqual([]);
  });
});
