import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SignJWT, exportJWK, exportSPKI, generateKeyPair } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { admitBearer } from "./admit-bearer.ts";

const keyPair = async (kid: string) => {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  return { kid, publicKey, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256" } };
};
type Key = Awaited<ReturnType<typeof keyPair>>;

let first: Key;
let second: Key;
/** What the issuer's address answers with; tests replace it. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let fetched = 0;
const issuer = createServer((request, response) => {
  fetched++;
  answer(request, response);
});
const publish = (...keys: readonly Key[]): void => {
  answer = (_request, response) => response.end(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }));
};

beforeAll(async () => {
  [first, second] = await Promise.all([keyPair("first"), keyPair("second")]);
  await new Promise<void>((resolve) => issuer.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  issuer.closeAllConnections();
  await new Promise((resolve) => issuer.close(resolve));
});
afterEach(() => {
  fetched = 0;
});

const options = (extra: object = {}) => {
  const { port } = issuer.address() as AddressInfo;
  const jwks = `http://127.0.0.1:${port}/keys`;
  return { jwt: { jwks, issuer: "https://id.example", audience: "gateway" }, ...extra };
};

interface Wish {
  readonly key?: Key;
  readonly claims?: Record<string, unknown>;
  readonly issuer?: string;
  readonly audience?: string;
  readonly expires?: string;
  readonly subject?: string;
}

async function tokenOf(wish: Wish = {}): Promise<string> {
  const { key = first, claims = {}, audience = "gateway", expires = "5m", subject = "ada" } = wish;
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", kid: key.kid })
    .setIssuer(wish.issuer ?? "https://id.example")
    .setAudience(audience)
    .setSubject(subject)
    .setExpirationTime(expires)
    .sign(key.privateKey);
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("JSON Web Tokens", () => {
  it("name their subject, program and scopes, and bring their claims", async () => {
    publish(first);
    const token = await tokenOf({ claims: { client_id: "desk", scope: "read write", org: { id: 7 } } });
    const claims = {
      iss: "https://id.example",
      aud: "gateway",
      sub: "ada",
      exp: expect.any(Number),
      client_id: "desk",
      scope: "read write",
      org: { id: 7 },
    };
    expect(await admitBearer(bearer(token), options())).toEqual({
      kind: "ok",
      principal: "ada",
      authInfo: { clientId: "desk", scopes: ["read", "write"], extra: { sub: "ada", claims } },
      headers: {},
    });
  });

  it("are checked with the keys of an address under its former name", async () => {
    publish(first);
    const { jwks: jwksUrl, ...rest } = options().jwt;
    expect(await admitBearer(bearer(await tokenOf()), { jwt: { ...rest, jwksUrl } })).toMatchObject({
      principal: "ada",
    });
  });

  it("bring no more claims than fit into the longest token that is taken", async () => {
    publish(first);
    const ofLength = async (length: number): Promise<unknown> =>
      admitBearer(bearer(await tokenOf({ claims: { pad: "x".repeat(length) } })), options());
    expect(await ofLength(11_000)).toMatchObject({
      authInfo: { extra: { claims: { pad: "x".repeat(11_000) } } },
    });
    expect(await ofLength(12_288)).toMatchObject({ kind: "refused", reason: "too-long" });
  });

  it.each([
    ["of another issuer", { issuer: "https://evil.example" }, "ERR_JWT_CLAIM_VALIDATION_FAILED"],
    ["for another server", { audience: "mail" }, "ERR_JWT_CLAIM_VALIDATION_FAILED"],
    ["that is over", { expires: "-5m" }, "ERR_JWT_EXPIRED"],
    ["that is not yet valid", { claims: { nbf: 9_999_999_999 } }, "ERR_JWT_CLAIM_VALIDATION_FAILED"],
    ["of no user", { subject: "" }, "no-subject"],
  ] satisfies [string, Wish, string][])("are refused: one %s", async (_what, wish, reason) => {
    publish(first);
    const token = await tokenOf(wish);
    const refused = await admitBearer(bearer(token), options());
    expect(refused).toMatchObject({ kind: "refused", status: 401, reason });
    expect(JSON.stringify(refused)).not.toContain(token);
  });

  it("are refused when the public key was taken for a secret, when nothing signs them, and when they are no tokens", async () => {
    publish(first);
    const auth = options();
    const secret = new TextEncoder().encode(await exportSPKI(first.publicKey));
    const forged = await new SignJWT({})
      .setProtectedHeader({ alg: "HS256", kid: "first" })
      .setIssuer("https://id.example")
      .setAudience("gateway")
      .setSubject("ada")
      .setExpirationTime("5m")
      .sign(secret);
    const [, claims = ""] = forged.split(".");
    const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${claims}.`;
    for (const token of [forged, unsigned, "not-a-token", "a.b.c"])
      expect(await admitBearer(bearer(token), auth)).toMatchObject({ kind: "refused", status: 401 });
    expect(fetched).toBe(0);
  });

  it("signed with a new key are taken after one more look at the issuer's keys", async () => {
    publish(first);
    const auth = options();
    const times = { cooldownMs: 0 };
    expect(await admitBearer(bearer(await tokenOf()), auth, times)).toMatchObject({ kind: "ok" });
    expect(await admitBearer(bearer(await tokenOf()), auth, times)).toMatchObject({ kind: "ok" });
    expect(fetched).toBe(1);
    publish(second);
    const rotated = await tokenOf({ key: second });
    expect(await admitBearer(bearer(rotated), auth, times)).toMatchObject({ kind: "ok" });
    expect(await admitBearer(bearer(await tokenOf()), auth, times)).toMatchObject({ kind: "refused" });
  });

  it("with invented key ids do not make us ask the issuer each time", async () => {
    publish(first);
    const auth = options();
    for (let round = 0; round < 5; round++)
      await admitBearer(bearer(await tokenOf({ key: { ...first, kid: `made-up-${round}` } })), auth);
    expect(fetched).toBe(1);
  });

  it("cannot be judged while the issuer is silent, redirects, fails or sends something else", async () => {
    const answers: (typeof answer)[] = [
      () => undefined,
      (_request, response) => response.writeHead(302, { location: "/other" }).end(),
      (_request, response) => response.writeHead(500).end(),
      (_request, response) => response.end("<html>"),
      (_request, response) => response.end(JSON.stringify({ keys: [], pad: "x".repeat(2_000_000) })),
      (_request, response) => response.destroy(),
    ];
    for (const wrong of answers) {
      answer = wrong;
      const verdict = await admitBearer(bearer(await tokenOf()), options(), { timeoutMs: 100 });
      expect(verdict).toMatchObject({ kind: "refused", status: 503, wwwAuthenticate: undefined });
    }
  });

  it("are judged by the last known keys while the issuer is away", async () => {
    publish(first);
    const auth = options();
    const times = { cacheMs: 0, cooldownMs: 0, timeoutMs: 100 };
    expect(await admitBearer(bearer(await tokenOf()), auth, times)).toMatchObject({ kind: "ok" });
    answer = (_request, response) => response.writeHead(500).end();
    expect(await admitBearer(bearer(await tokenOf()), auth, times)).toMatchObject({ kind: "ok" });
    const unknown = await tokenOf({ key: second });
    expect(await admitBearer(bearer(unknown), auth, times)).toMatchObject({ kind: "refused" });
  });

  it("cannot take the name of somebody who has one of our own tokens", async () => {
    publish(first);
    const auth = options({ tokens: { ada: "ada-token-0123456789" } });
    expect(await admitBearer(bearer(await tokenOf()), auth)).toMatchObject({ reason: "name-taken" });
    expect(await admitBearer(bearer(await tokenOf({ subject: "eve" })), auth)).toMatchObject({ kind: "ok" });
  });
});
