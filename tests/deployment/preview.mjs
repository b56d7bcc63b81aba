// A viewer of the live preview through the proxy: websocket.md over RFC 6455.
import { randomBytes } from "node:crypto";
import { connect } from "node:tls";

import { token } from "./processes.mjs";

function frameOf(opcode, text) { // masked, as clients send them
  const payload = Buffer.from(text);
  const mask = randomBytes(4);
  const size = payload.length < 126 ? Buffer.from([0x80 | payload.length]) : Buffer.from([0x80 | 126, payload.length >> 8, payload.length & 255]);
  return Buffer.concat([Buffer.from([0x80 | opcode]), size, mask, payload.map((byte, at) => byte ^ mask[at % 4])]);
}

// Takes whole frames from the front of the bytes. -> { frames: [{ opcode, payload }], rest }
function takeFrames(bytes) {
  const frames = [];
  for (;;) {
    if (bytes.length < 2) return { frames, rest: bytes };
    const short = bytes[1] & 127;
    const head = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (bytes.length < head) return { frames, rest: bytes };
    const size = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
    if (bytes.length < head + size) return { frames, rest: bytes };
    frames.push({ opcode: bytes[0] & 15, payload: bytes.subarray(head, head + size) });
    bytes = bytes.subarray(head + size);
  }
}

// Opens a preview, sends a view and waits for its first image. -> bytes of the image's message; null if the connection ends before
export function firstImage({ port, ca }, asset, seconds = 30) {
  return new Promise((done) => {
    const socket = connect({ host: "127.0.0.1", servername: "localhost", port, ca });
    const end = (result) => { clearTimeout(timer); socket.destroy(); done(result); };
    const timer = setTimeout(() => end(null), seconds * 1000);
    socket.on("error", () => end(null)).on("close", () => end(null));
    socket.write(`GET /v1/assets/${asset}/preview HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Authorization: Bearer ${token}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: vitrine.preview.v1\r\n` +
      `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\n\r\n`);
    let bytes = Buffer.alloc(0);
    let upgraded = false;
    socket.on("data", (piece) => {
      bytes = Buffer.concat([bytes, piece]);
      const head = bytes.indexOf("\r\n\r\n");
      if (!upgraded && head < 0) return;
      if (!upgraded) {
        if (!bytes.subarray(0, 12).equals(Buffer.from("HTTP/1.1 101"))) return end(null);
        upgraded = true;
        bytes = bytes.subarray(head + 4);
        socket.write(frameOf(1, JSON.stringify({ type: "view", width: 160, height: 120, input: 1 })));
      }
      const taken = takeFrames(bytes);
      bytes = taken.rest;
      const image = taken.frames.find(({ opcode }) => opcode === 2);
      if (image) end(Buffer.from(image.payload));
    });
  });
}
