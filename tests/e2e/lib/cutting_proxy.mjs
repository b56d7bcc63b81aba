// A TCP proxy that breaks connections: {url, cuts, bytes (sent to the server), stopListening(): takes no more connections, close()}. Each of the first `count` connections that carries more than a
// random number of bytes to the server, below `below`, is reset there.
import { connect, createServer } from "node:net";

// Numbers below 1, equal for equal seeds (a linear congruential generator with the constants of Numerical Recipes).
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

export async function openCuttingProxy(target, { count, below, seed }) {
  const { hostname, port } = new URL(target);
  const random = randomNumbers(seed);
  const open = new Set();
  const proxy = { cuts: 0, bytes: 0 };
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port) });
    const end = () => [client, upstream].forEach((socket) => (open.delete(socket), socket.destroy()));
    let left = proxy.cuts < count ? 1 + Math.floor(random() * below) : Infinity;
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", end).on("close", end);
    }
    client.on("data", (bytes) => {
      const passed = bytes.subarray(0, Math.min(bytes.length, left));
      left -= passed.length;
      proxy.bytes += passed.length;
      if (!upstream.write(passed)) {
        client.pause();
        upstream.once("drain", () => client.resume());
      }
      if (left > 0) return;
      proxy.cuts += 1;
      client.resetAndDestroy();
      upstream.end();
    });
    upstream.on("data", (bytes) => client.write(bytes));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy.url = `http://127.0.0.1:${server.address().port}`;
  proxy.stopListening = () => server.close();
  proxy.close = () => {
    open.forEach((socket) => socket.destroy());
    return new Promise((resolve) => server.close(resolve));
  };
  return proxy;
}
