import { describe, expect, it } from "vitest";
import type { WatchedGateway } from "../dashboard-parts.ts";
import { openPage } from "./dashboard.fixture.ts";
import { TokenSignIn } from "./sign-in.ts";

const auth = { tokens: { ada: "ada-token-0123456789", ben: "ben-token-0123456789" } } as const;
const form = { "content-type": "application/x-www-form-urlencoded" };
const sent = (token: string, headers: Readonly<Record<string, string>> = {}) => ({
  method: "POST",
  headers: { ...form, ...headers },
  body: `token=${encodeURIComponent(token)}`,
});

/** A gateway on a Redis that gives every replica the same secret. */
const replica: WatchedGateway = {
  transport: "http",
  urls: () => ({}),
  upstreams: () => [],
  redis: () =>
    Promise.resolve({
      prefix: "waybill",
      secret: () => Promise.resolve("one-secret-for-all"),
      connection: {
        location: "redis://nowhere",
        isCluster: false,
        send: () => Promise.reject(new Error("away")),
        run: () => Promise.reject(new Error("away")),
        close: () => Promise.resolve(),
      },
    }),
};

describe("the sign-in of a team", () => {
  it("has a form in place of a link, and takes a token of the gateway's own", async () => {
    const page = await openPage({ auth });
    expect(page.token).toBe("");
    const asked = await page.ask("/");
    expect(asked.status).toBe(401);
    expect(asked.body).toContain('<form method="post" action="/sign-in">');
    expect(asked.headers["content-security-policy"]).toContain("form-action 'self'");
    // Under "no-referrer" a browser would send the form with the origin "null", which is refused.
    expect(asked.headers["referrer-policy"]).toBe("same-origin");
    expect(await page.ask("/sign-in", sent("ada-token-0123456789", { origin: "null" }))).toMatchObject({
      status: 403,
    });
    expect(page.announced).toEqual([]);
    const entered = await page.ask("/sign-in", sent("ada-token-0123456789"));
    expect(entered).toMatchObject({ status: 303, headers: { location: "/" } });
    const [set = ""] = entered.headers["set-cookie"] ?? [];
    expect(set).toMatch(/; HttpOnly; SameSite=Strict; Path=\/; Max-Age=43200$/);
    expect(set).not.toContain("ada-token");
    const [cookie = ""] = set.split(";");
    expect(await page.ask("/api/hello", { headers: { cookie } })).toMatchObject({ status: 200 });
    expect(await page.ask("/", { headers: { cookie } })).toMatchObject({ status: 200 });
  });

  it("refuses any other token, without a word of it, and no token in an address", async () => {
    const page = await openPage({ auth });
    const refused = await page.ask("/sign-in", sent("<b>some-other-token-123"));
    expect(refused.status).toBe(401);
    expect(refused.body).toContain("not known");
    expect(refused.body).not.toContain("some-other");
    expect(refused.headers["set-cookie"]).toBeUndefined();
    const inAddress = await page.ask("/?token=ada-token-0123456789");
    expect(inAddress).toMatchObject({ status: 401 });
    expect(inAddress.headers["set-cookie"]).toBeUndefined();
    expect((await page.ask("/api/hello")).status).toBe(401);
  });

  it("takes a form of no other page, and no form that is too long", async () => {
    const page = await openPage({ auth });
    const foreign = sent("ada-token-0123456789", { origin: "http://evil.example" });
    expect((await page.ask("/sign-in", foreign)).status).toBe(403);
    expect((await page.ask("/sign-in", sent("x".repeat(40_000)))).status).toBe(413);
  });

  it("looks at twenty wrong tokens a minute", async () => {
    const page = await openPage({ auth });
    for (let at = 0; at < 20; at++)
      expect((await page.ask("/sign-in", sent(`wrong-${at}`))).status).toBe(401);
    const busy = await page.ask("/sign-in", sent("ada-token-0123456789"));
    expect(busy).toMatchObject({ status: 429, headers: { "retry-after": "60" } });
  });

  it("is known at every replica with the same secret and tokens, until it ends", async () => {
    let now = 1_000;
    const at = (tokens: Readonly<Record<string, string>>): TokenSignIn =>
      new TokenSignIn(3334, { tokens }, "one-secret-for-all", () => now);
    const one = at(auth.tokens);
    const entered = await one.enter("ben-token-0123456789", true);
    const cookie = entered.kind === "ok" ? entered.cookie : "";
    expect(cookie).toMatch(/; Secure$/);
    const [sentBack = ""] = cookie.split(";");
    expect(at(auth.tokens).isIn(sentBack)).toBe(true);
    expect(at({ ada: auth.tokens.ada }).isIn(sentBack)).toBe(false);
    expect(new TokenSignIn(3334, auth, "another-secret", () => now).isIn(sentBack)).toBe(false);
    const [name = "", value = ""] = sentBack.split("=");
    const forged = Buffer.from('{"who":"ada","until":9e15}').toString("base64url");
    expect(one.isIn(`${name}=${forged}.${value.split(".")[1]}`)).toBe(false);
    expect([one.isIn(undefined), one.isIn(`${name}=`), one.isIn(`${name}=.`)]).toEqual([false, false, false]);
    now += 12 * 3_600_000;
    expect(one.isIn(sentBack)).toBe(false);
  });

  it("is that of the store's secret where replicas share one", async () => {
    const page = await openPage({ auth }, replica);
    const { headers } = await page.ask("/sign-in", sent("ada-token-0123456789"));
    const [cookie = ""] = headers["set-cookie"]?.[0]?.split(";") ?? [];
    expect(new TokenSignIn(page.port, auth, "one-secret-for-all").isIn(cookie)).toBe(true);
    const { body } = await page.ask("/api/hello", { headers: { cookie } });
    expect(JSON.parse(body)).toMatchObject({ replica: expect.any(String), replicas: [{ isAlive: true }] });
  });

  it("takes the names that it was given, and no other", async () => {
    const page = await openPage({ auth, allowedHosts: ["dash.example"] });
    const named = { host: "dash.example", origin: "https://dash.example" };
    expect((await page.ask("/sign-in", sent("ada-token-0123456789", named))).status).toBe(303);
    expect((await page.ask("/", { headers: { host: "other.example" } })).status).toBe(403);
  });
});
