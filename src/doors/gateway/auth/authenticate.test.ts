import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ContractError } from "../../../core/contract/contract-error.ts";
import { checkOptions } from "../../../core/options/check-options.ts";
import { object } from "../../../core/options/option-kinds.ts";
import { upstreamAuth, publicAddressProblems } from "./auth-options.ts";
import { authenticate } from "./authenticate.ts";
import { isLoopbackHost } from "../../../core/text/network-address.ts";

const ada = "ada-token-0123456789";
const ben = "ben-token-0123456789";
const auth = {
  gateway: { tokens: { ada, ben: `sha256:${createHash("sha256").update(ben).digest("hex")}` } },
};
const bearer = (token: string) => ({ authorization: `Bearer ${token}`, accept: "application/json" });

describe("authenticate with tokens of the gateway", () => {
  it("names whose token it is, and hands the headers on without it", async () => {
    expect(await authenticate(bearer(ada), auth)).toEqual({
      kind: "ok",
      principal: "ada",
      authInfo: { clientId: "ada", scopes: [], extra: { sub: "ada" } },
      headers: { accept: "application/json" },
    });
  });

  it("takes a token that is written down by its hash, but not the hash itself", async () => {
    expect(await authenticate(bearer(ben), auth)).toMatchObject({ kind: "ok", principal: "ben" });
    expect(await authenticate(bearer(auth.gateway.tokens.ben), auth)).toMatchObject({ kind: "refused" });
  });

  it("asks for a token where none came", async () => {
    for (const headers of [{}, { authorization: "Basic YWRhOmFkYQ==" }, { authorization: "Bearer" }])
      expect(await authenticate(headers, auth)).toMatchObject({
        status: 401,
        wwwAuthenticate: 'Bearer realm="waybill"',
      });
  });

  it("refuses an unknown token without repeating it", async () => {
    const refused = await authenticate(bearer("guess-0123456789abc"), auth);
    expect(refused).toMatchObject({ status: 401, reason: "unknown-token" });
    expect(refused).toHaveProperty("wwwAuthenticate", expect.stringContaining('error="invalid_token"'));
    expect(JSON.stringify(refused)).not.toContain("guess");
  });

  it("refuses a token of any length, and one that is a name of the prototype", async () => {
    expect(await authenticate(bearer("x".repeat(20_000)), auth)).toMatchObject({ reason: "too-long" });
    expect(await authenticate(bearer("constructor"), auth)).toMatchObject({ reason: "unknown-token" });
  });
});

describe("authenticate without checks of the gateway", () => {
  it("knows no caller, and leaves the token in the headers", async () => {
    for (const way of ["none", "passthrough", undefined] as const)
      expect(await authenticate(bearer(ada), way)).toEqual({
        kind: "ok",
        principal: "anonymous",
        authInfo: undefined,
        headers: bearer(ada),
      });
  });
});

const refusalOf = (value: unknown): string => {
  try {
    checkOptions("createGateway", object({ auth: upstreamAuth }), { auth: value });
    return "";
  } catch (error) {
    return ContractError.isInstance(error) ? JSON.stringify(error.details) : String(error);
  }
};
const jwt = { jwks: "https://id.example/keys", issuer: "https://id.example", audience: "gateway" };

describe("the options of authentication", () => {
  it("are taken where they check somebody", () => {
    const { jwks: jwksUrl, ...rest } = jwt;
    const former = { gateway: { jwt: { ...rest, jwksUrl } } };
    for (const good of ["none", "passthrough", auth, { gateway: { jwt } }, former])
      expect(refusalOf(good)).toBe("");
  });

  it.each([
    [{ gateway: {} }, /checks nothing/],
    [{ gateway: { tokens: { ada: "short" } } }, /too short/],
    [{ gateway: { tokens: { ada: "sha256:abc" } } }, /not a hash/],
    [{ gateway: { jwt: { ...jwt, jwks: "http://id.example/keys" } } }, /not https/],
    [{ gateway: { jwt: { ...jwt, jwks: undefined, jwksUrl: "http://id.example/keys" } } }, /not https/],
    [{ gateway: { jwt: { ...jwt, jwks: undefined } } }, /jwks.*not a URL/],
    [{ gateway: { jwt: { ...jwt, jwksUrl: jwt.jwks } } }, /former name of jwks/],
    [{ gateway: { jwt: { ...jwt, algorithms: ["HS256"] } } }, /HS256/],
    [{ gateway: { jwt: { ...jwt, audience: "" } } }, /audience/],
    ["bearer", /passthrough/],
  ])("refuse %j", (given, why) => expect(refusalOf(given)).toMatch(why));

  it("never show a token in what is wrong with it", () => {
    expect(refusalOf({ gateway: { tokens: { ada: "p4ss wörd" } } })).not.toContain("p4ss");
  });
});

describe("a public address", () => {
  const upstreams = { files: { command: "files" }, mail: { command: "mail", auth } };

  it("is one that others can reach", () => {
    const own = ["localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]"];
    const others = ["0.0.0.0", "::", "10.0.0.7", "gateway.example", "localhost.example", ""];
    expect(own.filter(isLoopbackHost)).toEqual(own);
    expect(others.filter(isLoopbackHost)).toEqual([]);
  });

  it("needs a check of the gateway for every upstream, and a passthrough is no such check", () => {
    expect(publicAddressProblems({ http: { host: "0.0.0.0" }, upstreams })).toMatchObject([
      { path: ["upstreams", "files", "auth"] },
    ]);
    const open = { web: { url: "https://mcp.example", auth: "passthrough" } } as const;
    expect(publicAddressProblems({ http: { host: "::" }, upstreams: open })).toHaveLength(1);
    expect(publicAddressProblems({ http: {}, upstreams })).toEqual([]);
    expect(publicAddressProblems({ http: { host: "::1" }, upstreams })).toEqual([]);
  });
});
