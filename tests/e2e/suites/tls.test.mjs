// The page over TLS in a browser: sign-in with a Secure cookie, an upload, events, the live preview.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { join } from "node:path";

import { folder, makeCertificate, serve, triangle } from "../../integration/transport/support.mjs";
import { openBrowser } from "../lib/browser.mjs";

let browser;
before(async () => (browser = await openBrowser(["--disable-gpu", "--ignore-certificate-errors"])));
after(() => browser?.close());

test("the page works over TLS", async (t) => {
  const at = folder(t);
  const files = makeCertificate(at, "localhost");
  const server = await serve(join(at, "data"), ["--listen", "127.0.0.1:0", "--tls-cert", files.cert, "--tls-key", files.key], { open: false });
  const { page, context, log } = browser;
  await page.goto(/sign in: (\S+)\)/.exec(server.lines()[0])[1]);
  await page.locator("vt-app").waitFor();
  const cookies = await context.cookies();
  assert.ok(cookies.length > 0 && cookies.every((cookie) => cookie.secure && cookie.httpOnly), JSON.stringify(cookies));
  const id = await page.evaluate(async (text) => {
    const form = new FormData();
    form.append("file", new File([text], "triangle.obj"));
    const response = await fetch("/v1/assets", { method: "POST", body: form });
    return (await response.json()).items[0].asset.id;
  }, triangle.toString());
  await page.waitForFunction(async (asset) => (await (await fetch(`/v1/assets/${asset}`)).json()).status === "ready", id, { polling: 200 });
  const opened = page.waitForEvent("websocket");
  await page.goto(`${server.urls[0]}/assets/${id}`);
  const socket = await opened;
  assert.equal(socket.url(), `wss://127.0.0.1:${server.port}/v1/assets/${id}/preview`);
  await socket.waitForEvent("framereceived", { predicate: ({ payload }) => typeof payload !== "string", timeout: 60_000 }); // a picture
  const events = await page.evaluate(() => new Promise((resolve) => {
    const stream = new EventSource("/v1/events");
    stream.onopen = () => (stream.close(), resolve("opened"));
    stream.onerror = () => (stream.close(), resolve("rejected"));
  }));
  assert.equal(events, "opened");
  assert.deepEqual(log.errors, []);
});
