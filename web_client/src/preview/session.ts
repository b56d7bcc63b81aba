// One live preview: socket, credits, reconnection, codec. A `PreviewListener` draws the frames.
//
// A rejected connection is tried again: the server is asked first, without a socket, whether it would accept one. A hidden page
// gives its place at the server to others.
import { api } from "../api/client";
import type { Rejection } from "../api/client";
import { backoffMs } from "../util/backoff";
import { Meter } from "./frame_meter";
import { changesFrame, parseFrame, parseMessage, subProtocol, viewDifference } from "./protocol";
import type { PreviewFrame, ServerMessage, ViewState } from "./protocol";
import { decodableCodecs, isVideo } from "./video";

// `rejected`: the server does not accept a preview now; `blocked`: it does, but no socket reaches it; `gone`: no such asset.
export type Connection = "connecting" | "live" | "lost" | "rejected" | "blocked" | "gone";

const hiddenMs = 30_000; // then a hidden page closes its connection
const maxRetryMs = 15_000;
const attemptsUntilBlocked = 3;

export interface PreviewListener {
  // Resolves when the frame is displayed, rejects when it cannot be decoded; then its credit is returned.
  show(frame: PreviewFrame): Promise<void>;
  shown(frame: PreviewFrame): void;
  message(message: ServerMessage): void;
  connection(state: Connection, rejection?: Rejection): void;
}

export class PreviewSession {
  readonly meter = new Meter();
  private socket: WebSocket | null = null;
  private timer = 0;
  private attempt = 0;
  private failedSockets = 0; // in a row, although the server would accept one
  private suspendTimer = 0;
  private input = 0;
  private newestFrameInput = 0; // the newest input that causes a frame
  private requestedView: ViewState | null = null;
  private lastSent: ViewState | null = null;
  private seek: number | null = null;
  private scheduled = false;
  private hasHello = false;
  private showing = false;
  private waiting: PreviewFrame[] = []; // for the decoder; at most one per credit
  private videoBroken = false;
  private unreturnedCredits: number[] = [];
  private closed = false;

  constructor(
    private readonly path: () => string, // of the next connection
    private readonly listener: PreviewListener,
  ) {
    document.addEventListener("visibilitychange", this.visibilityChanged);
  }

  open(): void {
    if (this.attempt === 0) this.listener.connection("connecting");
    const url = new URL(this.path(), location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url, subProtocol);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onmessage = (event: MessageEvent<ArrayBuffer | string>) => {
      if (socket === this.socket) this.receive(event.data);
    };
    socket.onclose = () => {
      if (socket === this.socket) this.lost();
    };
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.suspendTimer);
    document.removeEventListener("visibilitychange", this.visibilityChanged);
    this.disconnect();
  }

  private disconnect(): void {
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = null;
    this.hasHello = false;
    this.waiting = [];
    this.unreturnedCredits = [];
    socket?.close(1000);
  }

  // The newest view replaces older ones; at most one message per display frame. `seek` moves the playhead.
  requestView(view: ViewState, seek: number | null = null): void {
    this.requestedView = view;
    if (seek !== null) this.seek = seek;
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      this.flush();
    });
  }

  // Picks the surface at this point of the displayed frame; 0..1 from the top left. The response has `id`. Returns false without
  // a connection.
  pick(id: number, x: number, y: number): boolean {
    if (!this.hasHello || this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify({ type: "pick", id, x, y }));
    return true;
  }

  // Stops at the key that is `steps` away from the displayed time. The response is `state` and `stepped`.
  step(steps: number): boolean {
    if (!this.hasHello || this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify({ type: "step", by: "key", steps }));
    return true;
  }

  // Returns whether a frame shows the newest view. A change of the playback speed alone causes no frame.
  isNewest(frame: PreviewFrame): boolean {
    return frame.input >= this.newestFrameInput && !(this.scheduled && this.needsFrame());
  }

  // Returns whether the unsent changes will cause a frame.
  private needsFrame(): boolean {
    if (!this.requestedView) return false;
    return this.seek !== null || changesFrame(viewDifference(this.lastSent, this.requestedView));
  }

  private flush(): void {
    if (!this.hasHello || !this.requestedView || this.requestedView.width === 0 || this.socket?.readyState !== WebSocket.OPEN) return;
    const changes = viewDifference(this.lastSent, this.requestedView);
    if (Object.keys(changes).length === 0 && this.seek === null) return;
    this.input += 1;
    if (this.needsFrame()) this.newestFrameInput = this.input;
    const seek = this.seek === null ? {} : { time: this.seek };
    this.socket.send(JSON.stringify({ type: "view", input: this.input, ...changes, ...seek }));
    this.meter.input(this.input, performance.now());
    this.lastSent = structuredClone(this.requestedView);
    this.seek = null;
  }

  private receive(data: ArrayBuffer | string): void {
    if (typeof data === "string") this.control(data);
    else this.receiveFrame(data);
  }

  private control(text: string): void {
    const message = parseMessage(text);
    if (!message) return;
    if (message.type === "hello") {
      this.hasHello = true;
      this.attempt = this.failedSockets = 0;
      this.lastSent = null;
      this.listener.connection("live");
    }
    this.listener.message(message);
    if (message.type === "hello") {
      this.flush();
      void this.offerDecoder(message.codecs ?? []);
    }
  }

  // All frames are stills until the server knows the decoder.
  private async offerDecoder(offered: readonly string[]): Promise<void> {
    const { socket } = this;
    const codecs = this.videoBroken ? [] : await decodableCodecs(offered);
    if (codecs.length > 0 && socket === this.socket) this.sendDecoder(codecs);
  }

  private sendDecoder(codecs: readonly string[]): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ type: "decoder", codecs }));
  }

  // Uses only stills from now on, for this connection and later ones.
  private fallBackToJpeg(): void {
    if (this.videoBroken) return;
    this.videoBroken = true;
    this.sendDecoder([]);
  }

  private receiveFrame(data: ArrayBuffer): void {
    const frame = parseFrame(data);
    if (typeof frame === "string") {
      console.warn(`vitrine preview: ${frame}`);
      return;
    }
    // A newer frame replaces a still that waits for the decoder, whose credit is returned immediately. Video frames are never
    // skipped, because the next one depends on them.
    const last = this.waiting.at(-1);
    if (last && !isVideo(last.codec)) {
      this.waiting.pop();
      this.acknowledge(last.sequence, this.socket);
    }
    this.waiting.push(frame);
    if (!this.showing) void this.drain();
  }

  private async drain(): Promise<void> {
    this.showing = true;
    for (let frame = this.waiting.shift(); frame; frame = this.waiting.shift()) {
      const socket = this.socket;
      const useless = this.videoBroken && isVideo(frame.codec);
      if (!useless) await this.show(frame);
      this.acknowledge(frame.sequence, socket);
    }
    this.showing = false;
  }

  private async show(frame: PreviewFrame): Promise<void> {
    try {
      await this.listener.show(frame);
    } catch (error) {
      if (this.closed) return;
      console.warn("vitrine preview: a frame could not be decoded", error);
      if (isVideo(frame.codec)) this.fallBackToJpeg();
      return;
    }
    this.meter.frame(frame.input, frame.payload.byteLength + 64, performance.now());
    this.listener.shown(frame);
  }

  // While the page is hidden, credits are not returned and the server is idle. Frames of a lost connection have no credit.
  private acknowledge(sequence: number, socket: WebSocket | null): void {
    if (!socket || socket !== this.socket) return;
    if (document.hidden) this.unreturnedCredits.push(sequence);
    else if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "ack", sequence }));
  }

  private readonly visibilityChanged = (): void => {
    clearTimeout(this.suspendTimer);
    if (document.hidden) {
      this.suspendTimer = window.setTimeout(() => this.disconnect(), hiddenMs);
      return;
    }
    for (const sequence of this.unreturnedCredits.splice(0)) this.acknowledge(sequence, this.socket);
    if (!this.socket) void this.tryAgain();
  };

  private lost(): void {
    const wasLive = this.hasHello;
    this.disconnect();
    if (this.closed) return;
    if (wasLive) this.listener.connection("lost");
    void this.tryAgain();
  }

  // Asks the server, and opens a socket if it accepts one.
  private async tryAgain(): Promise<void> {
    const rejection = await api.previewRejection(this.path());
    if (this.closed || this.socket || document.hidden) return;
    this.attempt += 1;
    if (rejection) this.rejected(rejection);
    else if (++this.failedSockets === 1) this.open();
    else {
      this.listener.connection(this.failedSockets > attemptsUntilBlocked ? "blocked" : "lost");
      this.later(backoffMs(this.attempt), () => this.open());
    }
  }

  private rejected(rejection: Rejection): void {
    this.failedSockets = 0;
    if (rejection.status === 0) this.listener.connection("lost");
    else if (rejection.status === 404) return this.listener.connection("gone", rejection);
    else this.listener.connection("rejected", rejection);
    const delay = backoffMs(this.attempt, Math.random, Math.min(rejection.retryAfterMs ?? 300, maxRetryMs), maxRetryMs);
    this.later(delay, () => void this.tryAgain());
  }

  private later(delay: number, action: () => void): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(action, delay);
  }
}
