// A minimal RFC 6455 for the mock: handshake, text and binary out, masked text in, close.
import { createHash } from "node:crypto";

export function accept(request, socket, protocol) {
  const key = request.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  const answer = createHash("sha1").update(key).digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${answer}\r\nSec-WebSocket-Protocol: ${protocol}\r\n\r\n`,
  );
  return new Peer(socket);
}

class Peer {
  onText = () => {};
  onClose = () => {};
  #pending = Buffer.alloc(0);

  constructor(socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (data) => this.#receive(data));
    socket.on("close", () => this.onClose());
    socket.on("error", () => {});
  }

  text(value) {
    this.#send(1, Buffer.from(JSON.stringify(value)));
  }

  binary(bytes) {
    this.#send(2, bytes);
  }

  close(code) {
    const body = Buffer.alloc(2);
    body.writeUInt16BE(code);
    this.#send(8, body);
    this.socket.end();
  }

  #send(opcode, payload) {
    if (this.socket.destroyed) return;
    const long = payload.length > 65535 ? 10 : payload.length > 125 ? 4 : 2;
    const head = Buffer.alloc(long);
    head[0] = 0x80 | opcode;
    head[1] = long === 2 ? payload.length : long === 4 ? 126 : 127;
    if (long === 4) head.writeUInt16BE(payload.length, 2);
    if (long === 10) head.writeBigUInt64BE(BigInt(payload.length), 2);
    this.socket.write(head);
    this.socket.write(payload);
  }

  #receive(data) {
    this.#pending = Buffer.concat([this.#pending, data]);
    for (let message = this.#take(); message; message = this.#take()) {
      if (message.opcode === 1) this.onText(message.payload.toString());
      if (message.opcode === 8) this.socket.end();
    }
  }

  #take() {
    const bytes = this.#pending;
    if (bytes.length < 2) return null;
    let [length, at] = [bytes[1] & 127, 2];
    if (length === 126) {
      if (bytes.length < 4) return null;
      [length, at] = [bytes.readUInt16BE(2), 4];
    }
    if (bytes.length < at + 4 + length) return null;
    const mask = bytes.subarray(at, at + 4);
    const payload = Buffer.from(bytes.subarray(at + 4, at + 4 + length));
    for (let index = 0; index < length; index += 1) payload[index] ^= mask[index & 3];
    this.#pending = bytes.subarray(at + 4 + length);
    return { opcode: bytes[0] & 15, payload };
  }
}
