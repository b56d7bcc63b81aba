// Groups of a real identity provider (oidc-provider) in grants, and its back-channel logouts, over HTTP. VITRINE_PROGRAM is the path of the program.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { CookieJar, logoutEvent, openIdentityProvider, sendLogout, signInAtProvider } from "../lib/identity_provider.mjs";
import { openVitrineWithToken } from "../lib/servers.mjs";
import { until } from "../lib/until.mjs";

const people = {
  maya: { name: "Maya Lopez", preferred_username: "maya", email: "maya@id.example", groups: ["staff", "team/a & b"] },
  noor: { name: "Noor", preferred_username: "noor", email: "noor@id.example", groups: [] },
};

describe("groups and logouts of an identity provider", () => {
  let provider, vitrine;

  before(async () => {
    provider = await openIdentityProvider(people);
    const flags = ["--oidc-issuer", provider.url, "--oidc-client-id", "vitrine", "--oidc-scopes", "openid profile email groups"];
    vitrine = await openVitrineWithToken(process.env.VITRINE_PROGRAM, [...flags, "--oidc-default-role", "member"]);
    provider.serve(vitrine.url, { isPublic: true });
  });
  after(async () => {
    await vitrine?.close();
    provider?.close();
  });

  const asAdmin = (method, path, body) =>
    fetch(vitrine.url + path, {
      method,
      headers: { Authorization: `Bearer ${vitrine.token}`, "Content-Type": "application/json" },
      body: body && JSON.stringify(body),
    });
  const me = async (jar) => {
    const answer = await jar.fetch(`${vitrine.url}/v1/me`);
    return answer.ok ? answer.json() : { status: answer.status };
  };
  const signIn = async (login, jar = new CookieJar()) => {
    const answer = await jar.fetch((await signInAtProvider(jar, vitrine.url, login)).url);
    assert.equal(answer.status, 303, await answer.text());
    return jar;
  };

  it("shows a collection to the users of a group from sign-in to sign-in", async () => {
    const { id } = await (await asAdmin("POST", "/v1/collections", { name: "Scenes" })).json();
    const group = encodeURIComponent("team/a & b");
    assert.equal((await asAdmin("PUT", `/v1/collections/${id}/grants?group=${group}`, { role: "editor" })).status, 200);
    const listed = await (await asAdmin("GET", `/v1/collections/${id}/grants`)).json();
    assert.deepEqual(listed.groups.map((grant) => [grant.group, grant.issuer, grant.role]), [["team/a & b", provider.url, "editor"]]);
    const jar = await signIn("maya");
    assert.deepEqual((await me(jar)).collections, [{ collection: id, role: "editor" }]);
    assert.equal((await jar.fetch(`${vitrine.url}/v1/collections/${id}`)).status, 200);
    assert.deepEqual((await me(await signIn("noor"))).collections, []);
    people.maya.groups = ["staff"];
    assert.equal((await me(jar)).collections.length, 1, "until the next sign-in");
    await signIn("maya");
    assert.deepEqual((await me(jar)).collections, []);
    assert.equal((await jar.fetch(`${vitrine.url}/v1/collections/${id}`)).status, 404);
  });

  it("ends the session that has ended at the provider, and its stream", async () => {
    const jar = await signIn("maya");
    const other = await signIn("maya");
    const stream = await jar.fetch(`${vitrine.url}/v1/events`, { headers: { Accept: "text/event-stream" } });
    assert.equal(stream.status, 200);
    const page = await jar.follow(`${provider.url}/session/end?client_id=vitrine`, () => false);
    const text = await page.answer.text();
    const secret = /name="xsrf" value="([^"]+)"/.exec(text)[1];
    await jar.fetch(`${provider.url}/session/end/confirm`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ xsrf: secret, logout: "yes" }).toString(),
    });
    await until(() => provider.logouts.length > 0, "the logout");
    assert.deepEqual(provider.logouts, ["success"]);
    assert.equal((await me(jar)).status, 401);
    assert.equal((await me(other)).name, "maya", "another session of the provider");
    await stream.text(); // ends
  });

  it("ends all sessions of the subject without a session id, and those of no other", async () => {
    const [first, second, noor] = [await signIn("maya"), await signIn("maya"), await signIn("noor")];
    const answer = await sendLogout(vitrine.url, provider.logoutToken({ sub: "maya" }));
    assert.deepEqual([answer.status, answer.headers.get("Cache-Control"), await answer.text()], [200, "no-store", ""]);
    assert.deepEqual([(await me(first)).status, (await me(second)).status, (await me(noor)).name], [401, 401, "noor"]);
    assert.equal((await sendLogout(vitrine.url, provider.logoutToken({ sub: "maya" }))).status, 200, "there is none any more");
  });

  const without = (name) => ({ header, claims: { [name]: _, ...claims } }) => ({ header, claims });
  const withClaims = (more) => ({ header, claims }) => ({ header, claims: { ...claims, ...more } });
  const alterations = {
    "another issuer": [withClaims({ iss: "https://other.example" }), /\(iss\)/],
    "another client": [withClaims({ aud: "another" }), /\(aud\)/],
    "an old time": [withClaims({ exp: 1_700_000_000 }), /\(exp\)/],
    "a time to come": [withClaims({ iat: 4_000_000_000, exp: 4_000_000_100 }), /\(iat\)/],
    "no times": [without("iat"), /iat/],
    "no identifier": [without("jti"), /\(jti\)/],
    "no event": [without("events"), /\(events\)/],
    "an event that is no object": [withClaims({ events: { [logoutEvent]: "yes" } }), /\(events\)/],
    "no subject": [without("sub"), /\(sub, sid\)/],
    "a nonce": [withClaims({ nonce: "n" }), /\(nonce\)/],
    "no signature": [({ header, claims }) => ({ header: { ...header, alg: "none" }, claims }), /\(alg\)/],
    "an unknown key": [({ header, claims }) => ({ header: { ...header, kid: "unknown" }, claims }), /does not publish/],
  };
  for (const [name, [alter, reason]] of Object.entries(alterations))
    it(`rejects a logout token with ${name}`, async () => {
      const jar = await signIn("noor");
      const answer = await sendLogout(vitrine.url, provider.logoutToken({ sub: "noor" }, alter));
      assert.deepEqual([answer.status, answer.headers.get("Cache-Control")], [400, "no-store"]);
      const { error, error_description: description } = await answer.json();
      assert.equal(error, "invalid_request");
      assert.match(description, reason);
      assert.equal((await me(jar)).name, "noor");
    });

  it("accepts a logout token once, and writes rejected ones into the audit log", async () => {
    const token = provider.logoutToken({ sub: "noor" });
    assert.equal((await sendLogout(vitrine.url, token)).status, 200);
    const jar = await signIn("noor");
    assert.equal((await sendLogout(vitrine.url, token)).status, 400);
    assert.equal((await me(jar)).name, "noor");
    const { items } = await (await asAdmin("GET", "/v1/audit?action=session.reject")).json();
    assert.match(items[0].subject, /^logout: .*\(jti\)/);
    const { items: ended } = await (await asAdmin("GET", "/v1/audit?action=session.end")).json();
    assert.equal(ended[0].principal, "identity provider");
  });
});
