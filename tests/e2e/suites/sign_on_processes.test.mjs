// Sign-in by an identity provider and the device flow, each request of which another process of one catalog answers (script/with-postgres).
import assert from "node:assert/strict";
import { createServer, request as ask } from "node:http";
import { after, before, test } from "node:test";

import { CookieJar, openIdentityProvider, sendLogout, signInAtProvider } from "../lib/identity_provider.mjs";
import { openVitrineWithToken } from "../lib/servers.mjs";
import { until } from "../lib/until.mjs";

const people = { maya: { name: "Maya Lopez", preferred_username: "maya", email: "maya@id.example", groups: ["artists"] } };

let provider, processes, proxy, url;
const answered = [0, 0]; // requests by process

before(async () => {
  provider = await openIdentityProvider(people);
  const flags = ["--database", process.env.VITRINE_TEST_DATABASE, "--token", "the-token-of-both-processes"];
  flags.push("--oidc-issuer", provider.url, "--oidc-client-id", "vitrine", "--oidc-scopes", "openid profile email groups", "--oidc-role", "artists=editor");
  processes = [await openVitrineWithToken(process.env.VITRINE_PROGRAM, flags), await openVitrineWithToken(process.env.VITRINE_PROGRAM, flags)];
  let turn = 0;
  proxy = createServer((incoming, outgoing) => {
    const index = turn++ % 2;
    answered[index] += 1;
    const { method, url: path, headers } = incoming;
    const { hostname, port } = new URL(processes[index].url);
    const sent = ask({ hostname, port, method, path, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    incoming.pipe(sent);
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${proxy.address().port}`;
  provider.serve(url, { isPublic: true });
});
after(async () => {
  proxy?.close();
  proxy?.closeAllConnections();
  provider?.close();
  for (const vitrine of processes ?? []) await vitrine.close();
});

test("another process answers the callback, and each knows the session", async () => {
  const jar = new CookieJar();
  const { url: callback } = await signInAtProvider(jar, url, "maya");
  assert.deepEqual(answered, [1, 0]);
  assert.equal((await jar.fetch(callback)).status, 303);
  assert.deepEqual(answered, [1, 1]);
  for (let i = 0; i < 2; ++i) await until(async () => (await jar.fetch(`${url}/v1/me`)).ok, "the session");
});

test("a logout that one process accepts ends the session in the other, which accepts it no more", async () => {
  const jar = new CookieJar();
  const { url: callback } = await signInAtProvider(jar, url, "maya");
  await jar.fetch(callback);
  const { sid } = provider.idToken;
  const cookie = () => jar.fetch(`${url}/v1/me`);
  await until(async () => (await cookie()).ok && (await cookie()).ok, "the session in both");
  const token = provider.logoutToken({ sid, sub: "maya" });
  assert.equal((await sendLogout(processes[0].url, token)).status, 200);
  await until(async () => (await cookie()).status === 401 && (await cookie()).status === 401, "the end in both");
  const again = await sendLogout(processes[1].url, token);
  assert.deepEqual([again.status, again.headers.get("Cache-Control")], [400, "no-store"]);
  assert.match((await again.json()).error_description, /\(jti\)/);
});

test("a device is asked for, approved and answered by other processes", async () => {
  const jar = new CookieJar();
  await jar.fetch((await signInAtProvider(jar, url, "maya")).url);
  await until(async () => (await jar.fetch(`${url}/device`)).ok && (await jar.fetch(`${url}/device`)).ok, "the session in both");
  const form = (members) => ({ method: "POST", headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: new URLSearchParams(members).toString() });
  const codes = await (await fetch(`${processes[0].url}/v1/device/authorization`, form({ client_id: "farm", scope: "editor" }))).json();
  const approval = form({ user_code: codes.user_code, decision: "approve" });
  const decided = await jar.fetch(`${url}/device`, approval);
  assert.equal(decided.status, 200, JSON.stringify(codes) + (await decided.text()));
  const grant = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: codes.device_code };
  const token = await (await fetch(`${processes[1].url}/v1/device/token`, form(grant))).json();
  assert.equal(token.scope, "editor", JSON.stringify(token));
  const headers = { Authorization: `Bearer ${token.access_token}` };
  await until(async () => (await fetch(`${processes[0].url}/v1/me`, { headers })).ok, "the token in the other process");
  assert.equal((await (await fetch(`${processes[0].url}/v1/device/token`, form(grant))).json()).error, "invalid_grant");
});
