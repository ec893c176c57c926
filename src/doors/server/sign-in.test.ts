import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "mcp-sdk-1-32/client/index.js";
import { StreamableHTTPClientTransport as OldHttp } from "mcp-sdk-1-32/client/streamableHttp.js";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { defineTool } from "../../engine/settings/tool-definition.ts";
import { contractClient } from "../client/contract-client.ts";
import type { ServeOptions, Served } from "./serve-options.ts";
import { serve } from "./serve.ts";

const inputSchema = z.object({});
const whoami = defineTool("whoami", { description: "Who calls", inputSchema }, (_args, ctx) => ({
  subject: ctx.auth?.subject ?? "nobody",
}));
const write = defineTool(
  "task_write",
  { description: "Writes", inputSchema, scopes: ["tasks:write"] },
  () => ({ written: true }),
);
const base = { name: "tasks", version: "1.0.0", config: false, logLevel: "silent", http: 0 } as const;
const token = "token-of-ada-0123456789";
const running: Served[] = [];

async function start(options: Partial<ServeOptions>): Promise<string> {
  const served = await serve({ ...base, tools: [whoami, write], ...options });
  running.push(served);
  return served.url ?? "";
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((served) => served.close()));
});

const call = (name: string, id = 1): object => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: {} },
});

function post(url: string, message: object, given: Record<string, string> = {}): Promise<Response> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}`, ...given };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(message) });
}

const refusalOf = async (options: object): Promise<unknown> =>
  start(options).catch((error: unknown) => (error as Error).message);

describe("tokens of the server's own", () => {
  it("name their callers, who have no issuer", async () => {
    const url = await start({ auth: { tokens: { ada: token } }, tools: [whoami] });
    expect(await (await post(url, call("whoami"))).text()).toContain('"subject":"ada"');
    const { origin, pathname } = new URL(url);
    expect((await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`)).status).toBe(404);
  });

  it("are asked for, and refused where they are unknown", async () => {
    const url = await start({ auth: { tokens: { ada: token } }, tools: [whoami] });
    const without = await post(url, call("whoami"), { authorization: "" });
    expect([without.status, without.headers.get("www-authenticate")]).toEqual([
      401,
      'Bearer realm="waybill"',
    ]);
    const wrong = await post(url, call("whoami"), { authorization: "Bearer guess-0123456789" });
    expect([wrong.status, await wrong.text()]).toEqual([401, expect.not.stringContaining("guess")]);
  });
});

describe("scopes over HTTP", () => {
  const auth: ServeOptions["auth"] = (request) => ({
    subject: "ada",
    scopes: (request.headers.get("x-scopes") ?? "").split(" "),
  });

  it("are those that the author's function gives", async () => {
    const url = await start({ auth });
    const given = { "x-scopes": "tasks:read tasks:write" };
    expect(await (await post(url, call("task_write"), given)).text()).toContain('"written":true');
    const refused = await post(url, call("task_write"), { "x-scopes": "tasks:read" });
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      403,
      'Bearer realm="waybill", error="insufficient_scope", scope="tasks:write", error_description="task_write needs the scope tasks:write, which this sign-in does not have"',
    ]);
    expect((await post(url, call("whoami"))).status).toBe(200);
  });

  it("refuse a whole batch for one call that lacks them", async () => {
    const url = await start({ auth });
    const refused = await post(url, [call("whoami", 1), call("task_write", 2)]);
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("tasks:write")]);
  });

  it("are refused at the start where no setting checks who calls, and have no effect on stdio", async () => {
    expect(await refusalOf({})).toBe(
      'serve: Tool task_write needs tasks:write, but no setting checks who calls over HTTP. Give auth, or leave "scopes" out.',
    );
    expect(await refusalOf({ auth: { tokens: { ada: token } } })).toBe(
      "serve: Tool task_write needs tasks:write, which no caller can have: auth.tokens gives no scopes. Give auth.jwt, or a function that returns { subject, scopes }.",
    );
    const { PassThrough } = await import("node:stream");
    const streams = { stdin: new PassThrough(), stdout: new PassThrough() };
    expect(await refusalOf({ http: undefined, stdio: streams })).toBe("");
  });
});

describe("the scopes of a reload", () => {
  const jwt = { issuer: "https://id.example", audience: "tasks", jwks: "https://id.example/keys" };
  const open = defineTool("task_write", { description: "Writes", inputSchema }, () => ({ written: true }));

  async function startWith(options: Partial<ServeOptions>): Promise<Served> {
    await start(options);
    return running.at(-1) as Served;
  }

  it("are asked for at once, and those that it drops no longer", async () => {
    let next: ServeOptions["tools"] = [whoami, write];
    const served = await startWith({ auth: () => "ada", tools: [whoami, open], reload: () => next });
    const { url = "" } = served;
    expect((await post(url, call("task_write"))).status).toBe(200);
    await served.reload();
    const refused = await post(url, call("task_write"));
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      403,
      expect.stringContaining('error="insufficient_scope", scope="tasks:write"'),
    ]);
    next = [whoami, open];
    await served.reload();
    expect(await (await post(url, call("task_write"))).text()).toContain('"written":true');
  });

  it("are in the metadata", async () => {
    const served = await startWith({ auth: { jwt }, tools: [whoami], reload: () => [whoami, write] });
    const { origin, pathname } = new URL(served.url ?? "");
    const described = async (): Promise<unknown> =>
      (await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`)).json();
    expect(await described()).not.toHaveProperty("scopes_supported");
    await served.reload();
    expect(await described()).toMatchObject({ scopes_supported: ["tasks:write"] });
  });

  it.each([
    ["nobody checks who calls", undefined, "but no setting checks who calls over HTTP"],
    ["no caller can have them", { tokens: { ada: token } }, "which no caller can have"],
  ])("refuse it where %s, and the tools of before are served on", async (_why, auth, sentence) => {
    const served = await startWith({ auth, tools: [whoami, open], reload: () => [write] });
    await expect(served.reload()).rejects.toThrow(sentence);
    const { url = "" } = served;
    expect(await (await post(url, call("task_write"))).text()).toContain('"written":true');
    expect(await (await post(url, call("whoami"))).text()).toContain('"subject"');
  });
});

describe("a client of the contract", () => {
  const auth: ServeOptions["auth"] = () => "ada";
  const refusal = {
    code: "FORBIDDEN",
    type: "authorization",
    message: "task_write needs the scope tasks:write, which this sign-in does not have",
    remediation: expect.stringContaining("the scope tasks:write"),
    details: { executed: "no" },
    data: { required_permission: "tasks:write" },
  };

  it.each(["2.4", "1.32"])("of the SDK %s reads the refusal as a failure with a remedy", async (sdk) => {
    const url = new URL(await start({ auth }));
    const about = { name: "reader", version: "1.0.0" };
    const client = sdk === "2.4" ? new Client(about) : new OldClient(about);
    const transport = sdk === "2.4" ? new StreamableHTTPClientTransport(url) : new OldHttp(url);
    await client.connect(transport);
    const answer = await contractClient(client).tryCall("task_write");
    expect(answer.ok ? undefined : answer.error).toMatchObject({ fault: refusal });
    await client.close();
  });
});

describe("the metadata of a server", () => {
  const jwt = { issuer: "https://id.example", audience: "tasks", jwks: "https://id.example/keys" };

  it("has the address that a client calls behind a proxy", async () => {
    const url = await start({ auth: { jwt }, trustProxy: 1, http: { port: 0, path: "/tools" } });
    const { origin, host } = new URL(url);
    const headers = { "x-forwarded-proto": "https" };
    const described = await fetch(`${origin}/.well-known/oauth-protected-resource/tools`, { headers });
    expect(await described.json()).toMatchObject({
      resource: `https://${host}/tools`,
      authorization_servers: [jwt.issuer],
    });
    const refused = await post(`${url}/`, call("whoami"), { ...headers, authorization: "" });
    expect(refused.headers.get("www-authenticate")).toBe(
      `Bearer realm="waybill", resource_metadata="https://${host}/.well-known/oauth-protected-resource/tools"`,
    );
    expect((await fetch(`${origin}/.well-known/oauth-protected-resource/other`)).status).toBe(404);
  });
});

describe("the options of sign-in", () => {
  const jwt = { issuer: "https://id.example", audience: "tasks", jwks: "https://id.example/keys" };

  it.each([
    [{}, 'serve: "auth" checks nothing: give tokens, jwt, or both.'],
    [{ tokens: {} }, 'serve: "auth" checks nothing: give tokens, jwt, or both.'],
    [[], 'serve: "auth" is an empty list. Write a function, or { tokens, jwt: { issuer, audience, jwks } }.'],
    ["jwt", 'serve: "auth" is "jwt". Write a function, or { tokens, jwt: { issuer, audience, jwks } }.'],
    [{ jwt: { ...jwt, jwks: "http://id.example/keys" } }, /"auth.jwt.jwks" is not https/],
    [
      { jwt: { ...jwt, jwks: undefined } },
      /"auth.jwt.jwks" is not a URL. Write the address of the issuer's key/,
    ],
    [
      { jwt: { ...jwt, jwksUrl: jwt.jwks } },
      /"auth.jwt.jwksUrl" is the former name of jwks, which is given too/,
    ],
    [{ jwt: { ...jwt, algorithms: ["HS256"] } }, /HS256/],
    [{ tokens: { ada: "short" } }, /"auth.tokens.ada" is too short/],
    [{ tokens: { ada: token, ben: token } }, /"auth.tokens" gives "ada" and "ben" the same token/],
  ])("refuse %j", async (auth, why) => {
    expect(await refusalOf({ auth })).toMatch(why);
  });
});
