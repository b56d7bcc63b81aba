// A real OpenID Connect provider (npm's oidc-provider) on a free port, and a browser without a page that signs in there.
import { createPrivateKey, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer } from "node:http";

import { Provider } from "oidc-provider";

export const clientSecret = "the secret of vitrine & others";

const makeKey = (kid, alg) => {
  const pair =
    alg === "ES256"
      ? generateKeyPairSync("ec", { namedCurve: "P-256" })
      : generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...pair.privateKey.export({ format: "jwk" }), kid, alg, use: "sig" };
};

const part = (object) => Buffer.from(JSON.stringify(object)).toString("base64url");

const claimsOf = (token) => JSON.parse(Buffer.from(token.split(".")[1], "base64url"));

// The token with other claims, signed by the key of the provider as it would sign it.
function signAgain(token, key, alter) {
  const [header, claims] = token.split(".").slice(0, 2).map((text) => JSON.parse(Buffer.from(text, "base64url")));
  const altered = alter({ header, claims });
  const text = `${part(altered.header)}.${part(altered.claims)}`;
  const secret = { key: createPrivateKey({ format: "jwk", key }), dsaEncoding: "ieee-p1363" };
  return `${text}.${sign("sha256", Buffer.from(text), secret).toString("base64url")}`;
}

export const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

// Posts a logout token to Vitrine, as a form.
export const sendLogout = (vitrine, token) =>
  fetch(`${vitrine}/v1/oidc/backchannel-logout`, { method: "POST", body: new URLSearchParams({ logout_token: token }) });

// `people`: claims by the name of the login. It answers 503 until serve().
export async function openIdentityProvider(people) {
  let answer = null;
  let sockets = new Set();
  const listener = createServer((request, response) => {
    if (answer) return answer(request, response);
    response.writeHead(503).end();
  });
  listener.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${listener.address().port}`;
  const provider = { url, alter: null, requests: [], idToken: null, logouts: [] };
  let key = null;

  // `back`: the address of Vitrine. A second call replaces the key. `isPublic`: the client has no secret.
  provider.serve = (back, { kid = "first", alg = "RS256", isPublic = false } = {}) => {
    key = makeKey(kid, alg);
    const instance = new Provider(url, {
      clients: [
        {
          client_id: "vitrine",
          ...(isPublic ? { token_endpoint_auth_method: "none" } : { client_secret: clientSecret }),
          redirect_uris: [`${back}/v1/oidc/callback`],
          post_logout_redirect_uris: [`${back}/`],
          id_token_signed_response_alg: alg,
          backchannel_logout_uri: `${back}/v1/oidc/backchannel-logout`,
          backchannel_logout_session_required: true,
        },
      ],
      jwks: { keys: [key] },
      cookies: { keys: ["of the test"] },
      features: { backchannelLogout: { enabled: true } },
      claims: { openid: ["sub"], profile: ["name", "preferred_username"], email: ["email", "email_verified"], groups: ["groups"] },
      findAccount: (_, id) => people[id] && { accountId: id, claims: () => ({ sub: id, ...people[id] }) },
      async loadExistingGrant(context) {
        const grant = new context.oidc.provider.Grant({ clientId: "vitrine", accountId: context.oidc.session.accountId });
        grant.addOIDCScope("openid profile email groups");
        await grant.save();
        return grant;
      },
    });
    instance.use(async (context, next) => {
      provider.requests.push(context.path);
      await next();
      if (provider.alter && context.path === "/token" && context.body?.id_token)
        context.body.id_token = signAgain(context.body.id_token, key, provider.alter);
      if (context.path === "/token" && context.body?.id_token) provider.idToken = claimsOf(context.body.id_token);
    });
    instance.on("backchannel.success", () => provider.logouts.push("success"));
    instance.on("backchannel.error", (_context, error) => provider.logouts.push(error.message));
    answer = instance.callback();
  };
  // A logout token of the provider; `alter`: as of the ID tokens.
  provider.logoutToken = (members, alter = (parts) => parts) => {
    const seconds = Math.floor(Date.now() / 1000);
    const claims = { iss: url, aud: "vitrine", iat: seconds, exp: seconds + 120, jti: randomUUID(), events: { [logoutEvent]: {} }, ...members };
    return signAgain(`${part({ alg: key.alg, kid: key.kid, typ: "logout+jwt" })}.${part(claims)}`, key, alter);
  };
  provider.fail = () => (answer = null);
  provider.close = () => {
    listener.close();
    for (const socket of sockets) socket.destroy();
  };
  return provider;
}

// Cookies by origin, without their attributes.
export class CookieJar {
  #cookies = new Map();

  async fetch(url, options = {}) {
    const { origin } = new URL(url);
    const own = this.#cookies.get(origin) ?? new Map();
    const cookie = [...own].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, {
      redirect: "manual",
      ...options,
      headers: { Accept: "text/html", ...(cookie && { Cookie: cookie }), ...options.headers },
    });
    for (const field of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(field);
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(field)) own.delete(name);
      else own.set(name, value);
    }
    this.#cookies.set(origin, own);
    return answer;
  }

  forget(url) {
    this.#cookies.delete(new URL(url).origin);
  }

  // Follows redirects until an address that `stops`; returns that address, or the last response.
  async follow(url, stops) {
    for (let step = 0; step < 12; ++step) {
      if (stops(url)) return { url };
      const answer = await this.fetch(url);
      const location = answer.headers.get("Location");
      if (!location) return { url, answer };
      url = new URL(location, url).href;
    }
    throw new Error(`too many redirects, the last one to ${url}`);
  }
}

// From the start to the address of the callback, which is returned and not fetched.
export async function signInAtProvider(jar, vitrine, login, next = "/") {
  const isCallback = (url) => url.startsWith(`${vitrine}/v1/oidc/callback`);
  let step = await jar.follow(`${vitrine}/v1/oidc/sign-in?next=${encodeURIComponent(next)}`, isCallback);
  if (step.answer?.status === 200) {
    const form = /action="([^"]+)"/.exec(await step.answer.text())[1];
    const sent = await jar.fetch(new URL(form, step.url).href, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ prompt: "login", login, password: "any" }).toString(),
    });
    step = await jar.follow(new URL(sent.headers.get("Location"), step.url).href, isCallback);
  }
  return step;
}
