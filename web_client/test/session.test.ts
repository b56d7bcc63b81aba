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
  states: string[] = [];
  message() {}
  connection(state: string, rejection?: { problem: { code: string } }) {
    this.states.push(rejection ? `${state} ${rejection.problem.code}` : state);
  }
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
  session = new PreviewSession(() => "/v1/assets/as_1/preview", screen);
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

describe("a preview session without a connection", () => {
  let answer: () => Promise<Response>;
  const problem = (status: number, code: string, headers = {}) => async () => new Response(JSON.stringify({ code }), { status, headers });
  const drop = async () => {
    FakeSocket.last.onclose();
    await vi.advanceTimersByTimeAsync(0);
  };

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("window", globalThis);
    vi.stubGlobal("fetch", () => answer());
  });
  afterEach(() => void vi.useRealTimers());

  it("reports why it was rejected, asks again, and connects when there is room", async () => {
    const first = FakeSocket.last;
    answer = problem(503, "too_many_viewers", { "Retry-After": "5" });
    await drop();
    expect(screen.states).toEqual(["connecting", "rejected too_many_viewers"]);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(FakeSocket.last).toBe(first);
    answer = problem(426, "websocket_required");
    await vi.advanceTimersByTimeAsync(15_000);
    expect(FakeSocket.last).not.toBe(first);
    FakeSocket.last.hello([]);
    expect(screen.states.at(-1)).toBe("live");
  });

  it("waits for a server that cannot be reached", async () => {
    FakeSocket.last.hello([]);
    answer = () => Promise.reject(new TypeError("failed"));
    await drop();
    expect(screen.states.slice(-2)).toEqual(["lost", "lost"]);
    const before = FakeSocket.last;
    answer = problem(426, "websocket_required");
    await vi.advanceTimersByTimeAsync(2000);
    expect(FakeSocket.last).not.toBe(before);
  });

  it("ends when the asset is gone", async () => {
    answer = problem(404, "asset_in_trash");
    await drop();
    expect(screen.states.at(-1)).toBe("gone asset_in_trash");
    const before = FakeSocket.last;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.last).toBe(before);
  });

  it("reports sockets that never arrive", async () => {
    answer = problem(426, "websocket_required");
    for (let attempt = 0; attempt < 5; ++attempt) {
      await drop();
      await vi.advanceTimersByTimeAsync(15_000);
    }
    expect(screen.states.at(-1)).toBe("blocked");
    FakeSocket.last.hello([]);
    expect(screen.states.at(-1)).toBe("live");
  });

  it("is closed while the page is hidden, and opened again", async () => {
    const listeners: (() => void)[] = [];
    vi.stubGlobal("document", { hidden: false, addEventListener: (_: string, listener: () => void) => listeners.push(listener), removeEventListener() {} });
    session = new PreviewSession(() => "/v1/assets/as_1/preview", screen);
    session.open();
    FakeSocket.last.hello([]);
    const closed = vi.spyOn(FakeSocket.last, "close");
    (document as { hidden: boolean }).hidden = true;
    for (const listener of listeners) listener();
    await vi.advanceTimersByTimeAsync(29_000);
    expect(closed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2000);
    expect(closed).toHaveBeenCalled();
    const before = FakeSocket.last;
    answer = problem(426, "websocket_required");
    (document as { hidden: boolean }).hidden = false;
    for (const listener of listeners) listener();
    await vi.advanceTimersByTimeAsync(0);
    expect(FakeSocket.last).not.toBe(before);
  });
});
