// Sign-in by a real identity provider (oidc-provider), over HTTP. VITRINE_PROGRAM is the path of the program.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { clientSecret, CookieJar, openIdentityProvider, signInAtProvider } from "../lib/identity_provider.mjs";
import { openVitrineWithToken } from "../lib/servers.mjs";

const program = process.env.VITRINE_PROGRAM;
const people = {
  maya: { name: "Maya Lopez", preferred_username: "maya", email: "maya@id.example", email_verified: true, groups: ["artists", "staff"] },
  root: { name: "Root", preferred_username: "root", email: "root@id.example", groups: ["cn=admins,dc=example"] },
  guest: { name: "Guest", preferred_username: "guest", email: "guest@id.example", groups: ["visitors"] },
};

describe("sign-in by an identity provider", () => {
  let folder, provider, vitrine, flags;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "vitrine-e2e-oidc-"));
    provider = await openIdentityProvider(people);
    const secret = join(folder, "secret");
    writeFileSync(secret, `${clientSecret}\n`);
    flags = ["--oidc-issuer", provider.url, "--oidc-client-id", "vitrine", "--oidc-client-secret-file", secret];
    flags.push("--oidc-scopes", "openid profile email groups", "--oidc-name", "Example <ID>");
    flags.push("--oidc-role", "staff=viewer", "--oidc-role", "artists=editor", "--oidc-role", "cn=admins,dc=example=admin");
    vitrine = await openVitrineWithToken(program, flags);
  });
  after(async () => {
    await vitrine?.close();
    provider?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const asAdmin = async (method, path, body) => {
    const answer = await fetch(vitrine.url + path, {
      method,
      headers: { Authorization: `Bearer ${vitrine.token}`, "Content-Type": "application/json" },
      body: body && JSON.stringify(body),
    });
    return answer.status === 204 ? null : answer.json();
  };
  const me = async (jar) => {
    const answer = await jar.fetch(`${vitrine.url}/v1/me`);
    return answer.ok ? answer.json() : { status: answer.status };
  };
  // Returns the response of the callback.
  const signIn = async (jar, login, next) => jar.fetch((await signInAtProvider(jar, vitrine.url, login, next)).url);
  const problem = async (answer) => {
    const text = await answer.text();
    return { status: answer.status, text: /<p class="error" role="alert">([^<]*)/.exec(text)?.[1] ?? text };
  };

  it("is a 503 with Retry-After while the provider does not answer, for sign-ins alone", async () => {
    const answer = await fetch(`${vitrine.url}/v1/oidc/sign-in`, { redirect: "manual" });
    assert.equal(answer.status, 503);
    assert.ok(Number(answer.headers.get("Retry-After")) > 0);
    assert.equal((await answer.json()).code, "provider_unavailable");
    assert.equal((await asAdmin("GET", "/v1/me")).role, "admin");
    const page = await new CookieJar().fetch(`${vitrine.url}/`);
    assert.match(await page.text(), /href="\/v1\/oidc\/sign-in\?next=%2F">Sign in with Example &lt;ID>/);
  });

  it("makes a user with the role of the groups, and a session", async () => {
    provider.serve(vitrine.url);
    await vitrine.restart(); // forgets that the provider has not answered
    const jar = new CookieJar();
    const answer = await signIn(jar, "maya", "/assets/nobody?t=1");
    assert.equal(answer.status, 303, JSON.stringify(await problem(answer)));
    assert.equal(answer.headers.get("Location"), "/assets/nobody?t=1");
    const session = answer.headers.getSetCookie().find((field) => field.includes("vitrine_session") && !field.includes("_oidc="));
    assert.match(session, /HttpOnly; SameSite=Lax/);
    const { kind, name, displayName, email, role, provider: by } = await me(jar);
    assert.deepEqual([kind, name, displayName, email, role, by], ["user", "maya", "Maya Lopez", "maya@id.example", "editor", "Example <ID>"]);
    const { items } = await asAdmin("GET", "/v1/users");
    assert.deepEqual(items.map((user) => [user.name, user.issuer, user.hasPassword]), [["maya", provider.url, false]]);
    const audit = await asAdmin("GET", "/v1/audit");
    const actions = audit.items.map((entry) => entry.action);
    assert.ok(actions.includes("user.create") && actions.includes("session.create"), actions.join());
  });

  it("takes the highest role, and the one of the last sign-in", async () => {
    const jar = new CookieJar();
    await signIn(jar, "root");
    assert.equal((await me(jar)).role, "admin");
    people.root.groups = ["staff"];
    await signIn(new CookieJar(), "root");
    assert.equal((await me(jar)).role, "viewer");
    assert.equal((await asAdmin("GET", "/v1/users")).items.length, 2);
  });

  it("rejects users without a role, whose sessions end, and disabled ones", async () => {
    const guest = await problem(await signIn(new CookieJar(), "guest"));
    assert.equal(guest.status, 403);
    assert.match(guest.text, /None of your groups/);
    const jar = new CookieJar();
    people.root.groups = ["staff"];
    await signIn(jar, "root");
    people.root.groups = [];
    assert.equal((await signIn(new CookieJar(), "root")).status, 403);
    assert.equal((await me(jar)).status, 401);
    people.root.groups = ["staff"];
    const { items } = await asAdmin("GET", "/v1/users");
    const root = items.find((user) => user.name === "root");
    await asAdmin("PATCH", `/v1/users/${root.id}`, { disabled: true });
    const rejected = await problem(await signIn(new CookieJar(), "root"));
    assert.equal(rejected.status, 403);
    assert.match(rejected.text, /disabled/);
    const { items: entries } = await asAdmin("GET", "/v1/audit?action=session.reject");
    assert.ok(entries.some((entry) => entry.subject === "user_disabled: root"), JSON.stringify(entries));
    await asAdmin("DELETE", `/v1/users/${root.id}`);
  });

  it("rejects callbacks that this browser has not begun, and codes that were used", async () => {
    const jar = new CookieJar();
    const { url } = await signInAtProvider(jar, vitrine.url, "maya");
    const other = await problem(await new CookieJar().fetch(url));
    assert.deepEqual([other.status, /not begun in this browser/.test(other.text)], [400, true]);
    const state = new URL(url);
    state.searchParams.set("state", "another");
    assert.match((await problem(await jar.fetch(state.href))).text, /\(state\)/);
    const issuer = new URL(url);
    issuer.searchParams.set("iss", "https://other.example");
    assert.match((await problem(await jar.fetch(issuer.href))).text, /\(iss\)/);
    assert.equal((await jar.fetch(url)).status, 303);
    assert.equal((await problem(await jar.fetch(url))).status, 400);
    const json = await fetch(url, { redirect: "manual" });
    assert.equal((await json.json()).code, "sign_in_failed");
  });

  it("goes on at own addresses alone", async () => {
    for (const next of ["https://other.example/", "//other.example", "/\\other.example"]) {
      const answer = await signIn(new CookieJar(), "maya", next);
      assert.equal(answer.headers.get("Location"), "/", next);
    }
  });

  const alterations = {
    nonce: [({ header, claims }) => ({ header, claims: { ...claims, nonce: "another" } }), /\(nonce\)/],
    exp: [({ header, claims }) => ({ header, claims: { ...claims, exp: claims.iat - 3600 } }), /\(exp\)/],
    aud: [({ header, claims }) => ({ header, claims: { ...claims, aud: "another" } }), /\(aud\)/],
    iss: [({ header, claims }) => ({ header, claims: { ...claims, iss: "https://other.example" } }), /\(iss\)/],
    alg: [({ header, claims }) => ({ header: { ...header, alg: "none" }, claims }), /\(alg\)/],
    key: [({ header, claims }) => ({ header: { ...header, kid: "unknown" }, claims }), /does not publish/],
  };
  for (const [name, [alter, reason]] of Object.entries(alterations))
    it(`rejects an ID token with another ${name}`, async () => {
      provider.alter = alter;
      const jar = new CookieJar();
      const rejected = await problem(await signIn(jar, "maya"));
      provider.alter = null;
      assert.equal(rejected.status, 400);
      assert.match(rejected.text, reason);
      assert.equal((await me(jar)).status, 401);
    });

  it("fetches the keys again when the provider has another one", async () => {
    await vitrine.restart(); // an unknown key was asked for just now
    assert.equal((await signIn(new CookieJar(), "maya")).status, 303);
    const before = provider.requests.filter((path) => path === "/jwks").length;
    assert.equal((await signIn(new CookieJar(), "maya")).status, 303);
    assert.equal(provider.requests.filter((path) => path === "/jwks").length, before);
    provider.serve(vitrine.url, { kid: "second", alg: "ES256" });
    assert.equal((await signIn(new CookieJar(), "maya")).status, 303);
    assert.equal(provider.requests.filter((path) => path === "/jwks").length, before + 1);
  });

  it("signs out here and leads to the end of the provider's session", async () => {
    const jar = new CookieJar();
    await signIn(jar, "maya");
    const answer = await jar.fetch(`${vitrine.url}/v1/oidc/sign-out`, { method: "POST", headers: { Origin: vitrine.url } });
    const location = new URL((await answer.json()).location);
    assert.equal(location.origin, provider.url);
    assert.equal(location.searchParams.get("post_logout_redirect_uri"), `${vitrine.url}/`);
    assert.equal((await me(jar)).status, 401);
    assert.equal((await jar.fetch(location.href)).status, 200);
  });

  it("keeps sessions while the provider is away", async () => {
    const jar = new CookieJar();
    await signIn(jar, "maya");
    const { url } = await signInAtProvider(jar, vitrine.url, "maya");
    provider.fail();
    const rejected = await jar.fetch(url);
    assert.equal(rejected.status, 503);
    assert.ok(Number(rejected.headers.get("Retry-After")) > 0);
    assert.equal((await me(jar)).name, "maya");
    provider.serve(vitrine.url, { kid: "second", alg: "ES256" });
  });

  it("has options that are checked and shown without the secret", () => {
    const run = (...words) => execFileSync(program, ["serve", ...words], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    const shown = run("--print-config", ...flags);
    assert.equal(JSON.parse(shown).oidc.issuer, provider.url);
    assert.ok(!shown.includes(clientSecret));
    const wrong = [
      [["--oidc-client-id", "vitrine"], /require --oidc-issuer/],
      [["--open", ...flags], /exclude each other/],
      [["--oidc-issuer", "http://id.example", "--oidc-client-id", "a", "--oidc-default-role", "viewer"], /must be an https URL/],
      [["--oidc-issuer", provider.url, "--oidc-client-id", "a"], /nobody has access/],
      [["--oidc-issuer", provider.url, "--oidc-client-id", "a", "--oidc-role", "staff"], /GROUP=viewer/],
    ];
    for (const [words, reason] of wrong) assert.throws(() => run("--print-config", ...words), reason);
  });
});
