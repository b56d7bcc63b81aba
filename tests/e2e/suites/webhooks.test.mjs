// Deliveries of the program, verified by the library of Standard Webhooks. VITRINE_PROGRAM is the path of the program.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import { Webhook, WebhookVerificationError } from "standardwebhooks";

import { openVitrineWithToken } from "../lib/servers.mjs";
import { until } from "../lib/until.mjs";

describe("deliveries of webhooks", () => {
  const received = [];
  let vitrine, receiver, url;

  const ask = async (method, path, body) => {
    const answer = await fetch(vitrine.url + path, {
      method,
      headers: { Authorization: `Bearer ${vitrine.token}`, "Content-Type": "application/json" },
      body: body && JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  };

  before(async () => {
    receiver = createServer((request, response) => {
      const pieces = [];
      request.on("data", (piece) => pieces.push(piece));
      request.on("end", () => {
        received.push({ headers: request.headers, body: Buffer.concat(pieces).toString() });
        response.writeHead(204).end();
      });
    });
    await new Promise((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${receiver.address().port}/`;
    vitrine = await openVitrineWithToken(process.env.VITRINE_PROGRAM, ["--webhook-allow-private"]);
  });
  after(async () => {
    await vitrine.close();
    receiver.close();
  });

  it("are verified with each secret of a rotation", async () => {
    const made = await ask("POST", "/v1/webhooks", { url, events: ["asset.*"] });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const path = `/v1/webhooks/${made.body.id}`;
    const rotated = await ask("POST", `${path}/secret`, { overlapSeconds: 60 });
    assert.equal((await ask("POST", `${path}/test`)).status, 202);
    await until(() => received.length > 0, "a delivery");
    const [{ headers, body }] = received;
    for (const secret of [made.body.secret, rotated.body.secret]) {
      const message = new Webhook(secret).verify(body, headers);
      assert.equal(message.type, "webhook.test");
      assert.throws(() => new Webhook(secret).verify(body + " ", headers), WebhookVerificationError);
    }
    const other = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    assert.throws(() => new Webhook(other).verify(body, headers), WebhookVerificationError);
  });
});
