// A viewer of a live preview and a client of /v1/events that connect again at once, to another process if need be.
import { randomBytes } from "node:crypto";
import { request } from "node:http";

import { sleep } from "./processes.mjs";

function textFrame(value) {
  const bytes = Buffer.from(JSON.stringify(value));
  const mask = randomBytes(4);
  const head = bytes.length < 126 ? Buffer.from([0x81, 0x80 | bytes.length]) : Buffer.from([0x81, 0xfe, bytes.length >> 8, bytes.length & 255]);
  return Buffer.concat([head, mask, bytes.map((byte, i) => byte ^ mask[i % 4])]);
}

// Takes whole messages off the front of `bytes`. -> { messages: [{ opcode, payload }], rest }
function takeMessages(bytes) {
  const messages = [];
  while (bytes.length >= 2) {
    let [length, at] = [bytes[1] & 127, 2];
    if (length >= 126) {
      at = length === 126 ? 4 : 10;
      if (bytes.length < at) break;
      length = at === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    }
    if (bytes.length < at + length) break;
    messages.push({ opcode: bytes[0] & 15, payload: bytes.subarray(at, at + length) });
    bytes = bytes.subarray(at + length);
  }
  return { messages, rest: bytes };
}

export class Viewer {
  frames = []; // times of arrival
  sessions = []; // { at, server, result }: how each ended

  constructor(name, asset, servers, report) {
    Object.assign(this, { name, asset, servers, report, stopped: false });
  }

  async run() {
    for (let at = 0; !this.stopped; ++at) {
      const server = this.servers[at % this.servers.length];
      const started = Date.now();
      const { result, opened } = await this.session(server);
      this.sessions.push({ at: new Date(started).toISOString(), server: server.name, result });
      if (!opened) await sleep(100);
    }
  }

  session(server) {
    return new Promise((end) => {
      const started = Date.now();
      const call = request(`${server.url}/v1/assets/${this.asset}/preview`, { timeout: 60_000, headers: { connection: "Upgrade", upgrade: "websocket",
        "sec-websocket-version": "13", "sec-websocket-key": randomBytes(16).toString("base64"), "sec-websocket-protocol": "vitrine.preview.v1" } });
      call.on("upgrade", (_, socket, head) => this.watch(socket, head, end));
      call.on("response", async (response) => {
        let body = "";
        for await (const piece of response) body += piece;
        this.report({ kind: "preview", server, started, status: response.statusCode, retry: response.headers["retry-after"], body });
        end({ result: `${response.statusCode} ${body}`, opened: false });
      });
      call.on("timeout", () => call.destroy(new Error("no answer in 60 s")));
      call.on("error", (error) => {
        this.report({ kind: "preview", server, started, error });
        end({ result: String(error.message), opened: false });
      });
      call.end();
    });
  }

  watch(socket, head, end) {
    let buffered = head;
    this.socket = socket;
    const send = (value) => socket.writable && socket.write(textFrame(value));
    send({ type: "view", input: 1, clip: 0, playing: true, loop: "repeat", width: 160, height: 120, devicePixelRatio: 1 });
    send({ type: "quality", maxFramesPerSecond: 4 });
    let result = "connection broken";
    socket.on("data", (bytes) => {
      const { messages, rest } = takeMessages(Buffer.concat([buffered, bytes]));
      buffered = rest;
      for (const { opcode, payload } of messages) {
        if (opcode === 2) {
          this.frames.push(Date.now());
          send({ type: "ack", sequence: payload.readUInt32LE(12) });
        } else if (opcode === 8) {
          result = `closed ${payload.length >= 2 ? payload.readUInt16BE(0) : ""} ${payload.subarray(2)}`;
          socket.destroy();
        } else if (opcode === 9) socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]));
      }
    });
    socket.on("error", () => {});
    socket.on("close", () => end({ result, opened: true }));
  }

  // The longest time without a frame that ended after `from`, in seconds.
  longestPause(from, now = Date.now()) {
    const times = [from, ...this.frames.filter((time) => time > from), now];
    return Math.max(...times.slice(1).map((time, i) => time - times[i])) / 1000;
  }

  stop() {
    this.stopped = true;
    this.socket?.destroy();
  }
}

export class EventClient {
  created = new Map(); // asset -> event ids
  succeeded = new Map(); // job of an import -> event ids
  resets = 0;
  last; // id of the newest event

  constructor(servers, report) {
    Object.assign(this, { servers, report, stopped: new AbortController() });
  }

  take(type, id, data) {
    if (type === "reset") ++this.resets;
    if (id) this.last = id;
    const add = (map, key) => map.set(key, (map.get(key) ?? new Set()).add(id));
    if (type === "asset.created") add(this.created, data.asset.id);
    if (type === "job" && data.job.kind === "import" && data.job.state === "succeeded") add(this.succeeded, data.job.id);
  }

  async run() {
    for (let at = 0; !this.stopped.signal.aborted; ++at) {
      const server = this.servers[at % this.servers.length];
      let started = Date.now(), response;
      try {
        response = await fetch(`${server.url}/v1/events`, { signal: this.stopped.signal, headers: this.last ? { "last-event-id": this.last } : {} });
        if (response.ok) await this.read(response);
        else this.report({ kind: "events", server, started, status: response.status, retry: response.headers.get("retry-after"), body: await response.text() });
      } catch (error) {
        if (response?.ok) started = Date.now(); // the stream had begun
        if (!this.stopped.signal.aborted) this.report({ kind: "events", server, started, error });
      }
      await sleep(100);
    }
  }

  async read(response) {
    let text = "";
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      text += piece;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const fields = Object.fromEntries(text.slice(0, end).split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
        text = text.slice(end + 2);
        if (fields.event) this.take(fields.event, fields.id, JSON.parse(fields.data || "{}"));
      }
    }
  }
}
