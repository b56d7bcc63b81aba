// The device flow (RFC 8628) over HTTP, and `vitrine login`. VITRINE_PROGRAM is the path of the program.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { CookieJar } from "../lib/identity_provider.mjs";
import { openEmptyVitrine, openVitrineWithToken } from "../lib/servers.mjs";
import { until } from "../lib/until.mjs";

const program = process.env.VITRINE_PROGRAM;
const grantType = "urn:ietf:params:oauth:grant-type:device_code";
const box = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

describe("the device flow", () => {
  let vitrine, folder;
  const jars = {};

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "vitrine-e2e-device-"));
    vitrine = await openVitrineWithToken(program);
    for (const [name, role] of [["maya", "editor"], ["ada", "viewer"]]) {
      const made = await fetch(`${vitrine.url}/v1/users`, {
        method: "POST",
        headers: { Authorization: `Bearer ${vitrine.token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ name, role, password: "a long sentence" }),
      });
      assert.equal(made.status, 201);
      jars[name] = new CookieJar();
      const body = JSON.stringify({ name, password: "a long sentence" });
      await jars[name].fetch(`${vitrine.url}/v1/sessions`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    }
  });
  after(async () => {
    await vitrine?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const form = (members) => ({
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: vitrine.url },
    body: new URLSearchParams(members).toString(),
  });
  const begin = async (members) => (await fetch(`${vitrine.url}/v1/device/authorization`, form(members))).json();
  const poll = async (device_code) => {
    const answer = await fetch(`${vitrine.url}/v1/device/token`, form({ grant_type: grantType, device_code }));
    return { status: answer.status, ...(await answer.json()) };
  };
  const decide = (jar, user_code, decision) => jar.fetch(`${vitrine.url}/device`, form({ user_code, decision }));
  const meOf = async (token) => {
    const answer = await fetch(`${vitrine.url}/v1/me`, { headers: { Authorization: `Bearer ${token}` } });
    return answer.ok ? answer.json() : { status: answer.status };
  };

  it("gives a token when a user has approved it, once", async () => {
    const codes = await begin({ client_id: "Blender <add-on>", scope: "editor" });
    assert.match(codes.user_code, /^[B-Z]{4}-[B-Z]{4}$/);
    assert.equal(codes.verification_uri_complete, `${vitrine.url}/device?user_code=${codes.user_code}`);
    const page = await (await jars.maya.fetch(codes.verification_uri_complete)).text();
    assert.match(page, /<strong>Blender &lt;add-on><\/strong> at the address <strong>127\.0\.0\.1<\/strong>/);
    assert.match(page, /<strong>editor<\/strong>/);
    assert.match(await (await decide(jars.maya, codes.user_code, "approve")).text(), /has access now/);
    const token = await poll(codes.device_code);
    assert.deepEqual([token.status, token.token_type, token.scope], [200, "Bearer", "editor"]);
    const me = await meOf(token.access_token);
    assert.deepEqual([me.kind, me.name, me.role], ["token", "Blender <add-on>", "editor"]);
    assert.equal((await poll(codes.device_code)).error, "invalid_grant");
    assert.equal((await decide(jars.maya, codes.user_code, "approve")).status, 404);
  });

  it("says while it waits, when it is asked too often, and when it is denied", async () => {
    const codes = await begin({ client_id: "farm" });
    assert.deepEqual((({ status, error }) => [status, error])(await poll(codes.device_code)), [400, "authorization_pending"]);
    assert.equal((await poll(codes.device_code)).error, "slow_down");
    const denied = await begin({ client_id: "farm" });
    await decide(jars.maya, denied.user_code.toLowerCase().replace("-", " "), "deny");
    assert.equal((await poll(denied.device_code)).error, "access_denied");
  });

  it("gives no role above that of the user", async () => {
    const codes = await begin({ client_id: "farm", scope: "admin" });
    assert.match(await (await jars.ada.fetch(codes.verification_uri_complete)).text(), /<strong>viewer<\/strong>/);
    await decide(jars.ada, codes.user_code, "approve");
    const token = await poll(codes.device_code);
    assert.equal(token.scope, "viewer");
    const { status } = await fetch(`${vitrine.url}/v1/device/token`, { method: "DELETE", headers: { Authorization: `Bearer ${token.access_token}` } });
    assert.equal(status, 204);
    assert.equal((await meOf(token.access_token)).status, 401);
  });

  it("needs a person who has signed in, on a page of this server", async () => {
    const codes = await begin({ client_id: "farm" });
    const anonymous = await new CookieJar().fetch(codes.verification_uri_complete);
    assert.equal(anonymous.status, 401);
    assert.match(await anonymous.text(), /name="next" type="hidden" value="\/device\?user_code=/);
    const foreign = await jars.maya.fetch(`${vitrine.url}/device`, {
      ...form({ user_code: codes.user_code, decision: "approve" }),
      headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: "https://other.example" },
    });
    assert.equal(foreign.status, 403);
    assert.equal((await poll(codes.device_code)).error, "authorization_pending");
    const token = await (await fetch(`${vitrine.url}/v1/tokens`, {
      method: "POST",
      headers: { Authorization: `Bearer ${vitrine.token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ name: "of a program", role: "editor" }),
    })).json();
    const byToken = await fetch(codes.verification_uri, { headers: { Authorization: `Bearer ${token.token}` } });
    assert.equal((await byToken.json()).code, "user_required");
  });

  it("slows those who guess codes", async () => {
    const jar = jars.ada;
    let answer;
    for (let i = 0; i < 12; ++i) {
      answer = await jar.fetch(`${vitrine.url}/device?user_code=BCDF-GHJK`);
      if (answer.status !== 404) break;
    }
    assert.equal(answer.status, 429);
    assert.ok(Number(answer.headers.get("Retry-After")) > 0);
  });

  it("rejects wrong requests as OAuth does", async () => {
    assert.equal((await begin({})).error, "invalid_request");
    assert.equal((await begin({ client_id: "farm", scope: "owner" })).error, "invalid_scope");
    const answer = await fetch(`${vitrine.url}/v1/device/token`, form({ grant_type: "password" }));
    assert.equal((await answer.json()).error, "unsupported_grant_type");
    const json = await fetch(`${vitrine.url}/v1/device/token`, { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } });
    assert.equal((await json.json()).error, "invalid_request");
  });

  // Returns the exit code and the output; `onText` gets all of stderr after each part.
  const run = (words, onText = () => {}) =>
    new Promise((resolve) => {
      const env = { ...process.env, XDG_CONFIG_HOME: join(folder, "config"), XDG_DATA_HOME: join(folder, "data"), VITRINE_TOKEN: "" };
      const child = spawn(program, words, { env, stdio: ["ignore", "pipe", "pipe"] });
      let out = "", error = "";
      child.stdout.on("data", (text) => (out += text));
      child.stderr.on("data", (text) => onText((error += text)));
      child.on("exit", (code) => resolve({ code, out, error }));
    });

  it("is what `vitrine login` uses, and `vitrine import` has the token then", async () => {
    let text = "";
    const server = ["--server", `${vitrine.url}/`];
    const ended = run(["login", ...server, "--name", "desk"], (all) => (text = all));
    const code = await until(() => /code ([B-Z]{4}-[B-Z]{4})/.exec(text)?.[1], "the code");
    assert.ok(text.includes(`${vitrine.url}/device?user_code=${code}`), text);
    await decide(jars.maya, code, "approve");
    const login = await ended;
    assert.equal(login.code, 0, login.error);
    const file = join(folder, "config/vitrine/logins.json");
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const token = JSON.parse(readFileSync(file))[vitrine.url];
    assert.ok(!(login.out + login.error).includes(token));
    assert.equal((await meOf(token)).name, "desk");
    const model = join(folder, "box.obj");
    writeFileSync(model, box);
    const imported = await run(["import", "--server", vitrine.url, model]);
    assert.equal(imported.code, 0, imported.error);
    const logout = await run(["logout", ...server]);
    assert.equal(logout.code, 0, logout.error);
    assert.equal((await meOf(token)).status, 401);
    assert.deepEqual(JSON.parse(readFileSync(file)), {});
    assert.equal((await run(["import", "--server", vitrine.url, model])).code, 1);
    assert.match((await run(["logout", ...server])).error, /not signed in/);
  });

  it("is not needed by a server that requires no token", async () => {
    const open = await openEmptyVitrine(program);
    const { code, error } = await run(["login", "--server", open.url]);
    await open.close();
    assert.equal(code, 1);
    assert.match(error, /requires no token/);
  });
});
