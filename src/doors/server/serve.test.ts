import { request } from "node:http";
import { PassThrough } from "node:stream";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "mcp-sdk-1-32/client/index.js";
import { StreamableHTTPClientTransport as OldHttp } from "mcp-sdk-1-32/client/streamableHttp.js";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { defineTool } from "../../engine/settings/tool-definition.ts";
import { serve } from "./serve.ts";

import type { ServeOptions, Served } from "./serve-options.ts";
import { watchServe } from "./serve-watch.ts";

const whoami = defineTool(
  "whoami",
  { description: "Who calls", inputSchema: z.object({}), annotations: { readOnlyHint: true } },
  (_args, ctx) => ({ subject: ctx.auth?.subject ?? "nobody", scopes: [...(ctx.auth?.scopes ?? [])] }),
);

const base = {
  name: "served",
  version: "1.2.3",
  tools: [whoami],
  config: false,
  logLevel: "silent",
} as const;
const soon = { timeout: 30_000 };
const running: Served[] = [];

async function start(options: Partial<ServeOptions> = {}): Promise<Served & { url: string }> {
  const served = await serve({ ...base, http: 0, ...options });
  running.push(served);
  return { ...served, url: served.url ?? "" };
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((served) => served.close()));
});

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

interface Got {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

/** fetch would not let a test choose its own Host. */
function send(url: string, { method = "POST", path, headers, body }: Sent = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(path === undefined ? url : new URL(path, url), {
      method,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
    });
    sent.once("error", reject);
    sent.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.once("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    sent.end(method === "POST" ? (body ?? list) : undefined);
  });
}

const statusOf = async (url: string, sent?: Sent): Promise<number | undefined> =>
  (await send(url, sent)).status;

async function callNew(url: string, token?: string): Promise<unknown> {
  const client = new Client(
    { name: "new", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  const requestInit = token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  const { structuredContent } = await client.callTool({ name: "whoami", arguments: {} });
  const info = client.getServerVersion();
  await client.close();
  return { data: (structuredContent as { data?: unknown }).data, info };
}

async function callOld(url: string): Promise<unknown> {
  const client = new OldClient({ name: "old", version: "1.0.0" });
  await client.connect(new OldHttp(new URL(url)));
  const { structuredContent } = await client.callTool({ name: "whoami", arguments: {} });
  await client.close();
  return (structuredContent as { data?: unknown }).data;
}

describe("serve over HTTP", () => {
  it("answers clients of both eras under one name and version", async () => {
    const { url } = await start({ title: "Served tools" });
    const info = { name: "served", version: "1.2.3", title: "Served tools" };
    expect(await callNew(url)).toEqual({ data: { subject: "nobody", scopes: [] }, info });
    expect(await callOld(url)).toEqual({ subject: "nobody", scopes: [] });
  });

  it("takes local hosts and origins only, and more where they are named", async () => {
    const { url } = await start();
    expect(await statusOf(url)).toBe(200);
    expect(await statusOf(url, { headers: { origin: "http://localhost:5173" } })).toBe(200);
    expect(await statusOf(url, { headers: { origin: "https://evil.example" } })).toBe(403);
    expect(await statusOf(url, { headers: { host: "evil.example" } })).toBe(403);
    const open = await start({
      http: { port: 0, allowedHosts: ["a.example"], allowedOrigins: ["b.example"] },
    });
    const named = { host: "a.example", origin: "https://b.example" };
    const got = await send(open.url, { headers: named });
    expect([got.status, got.headers["access-control-allow-origin"]]).toEqual([200, "https://b.example"]);
  });

  it("says that it lives at /healthz, to any caller", async () => {
    const { url } = await start();
    const got = await send(url, { method: "GET", path: "/healthz", headers: { host: "10.0.0.7" } });
    expect([got.status, got.text]).toEqual([200, '{"status":"ok"}\n']);
    expect(await statusOf(url, { path: "/healthz" })).toBe(405);
  });

  it("answers at its path alone, and says where that is", async () => {
    const { url } = await start({ http: { port: 0, path: "/tools" } });
    expect(new URL(url).pathname).toBe("/tools");
    expect(await statusOf(url)).toBe(200);
    const got = await send(url, { path: "/mcp" });
    expect([got.status, got.text]).toEqual([404, expect.stringContaining("this server answers at /tools")]);
  });

  it("leaves what is no JSON, and what is too long, to clear refusals", async () => {
    const { url } = await start();
    const broken = await send(url, { body: "{" });
    expect([broken.status, broken.text]).toEqual([400, expect.stringContaining("-32700")]);
    expect(await statusOf(url, { body: "x".repeat(4 * 1024 * 1024 + 1) })).toBe(413);
    expect(await statusOf(url, { headers: { "content-type": "text/plain" } })).toBe(415);
    expect(await statusOf(url, { method: "TRACE" })).toBe(405);
    expect(await statusOf(url, { method: "GET" })).toBe(405);
  });

  it("closes once, and takes no connection after that", async () => {
    const { url, close } = await start();
    await Promise.all([close(), close()]);
    await expect(send(url)).rejects.toThrow("ECONNREFUSED");
  });

  it("lets a call end that runs when it is closed, and refuses what comes later", async () => {
    let finish: () => void = () => undefined;
    let begun: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const slow = defineTool("slow", { description: "Waits" }, async () => {
      begun();
      await new Promise<void>((resolve) => (finish = resolve));
      return { done: true };
    });
    const { url, close } = await start({ tools: [slow] });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "slow" } });
    const answer = send(url, { body });
    await hasBegun;
    const closed = close();
    await expect(send(url)).rejects.toThrow("ECONNREFUSED");
    finish();
    expect((await answer).text).toContain('"done":true');
    await closed;
  });
});

describe("the auth of serve", () => {
  const people = new Map([["t-ada", "ada"]]);
  const auth: ServeOptions["auth"] = (asked) => {
    const token = asked.headers.get("authorization")?.replace("Bearer ", "") ?? "";
    const subject = people.get(token);
    return subject === undefined ? undefined : { subject, scopes: ["read"] };
  };

  it("tells the tools who calls", async () => {
    const { url } = await start({ auth });
    expect(await callNew(url, "t-ada")).toMatchObject({ data: { subject: "ada", scopes: ["read"] } });
  });

  it("refuses everybody else with 401 and a challenge", async () => {
    const { url } = await start({ auth });
    const without = await send(url);
    expect([without.status, without.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
    const wrong = await send(url, { headers: { authorization: "Bearer wrong" } });
    expect([wrong.status, wrong.headers["www-authenticate"]]).toEqual([401, 'Bearer error="invalid_token"']);
  });

  it("takes null for no user, as a look-up in a database gives it", async () => {
    const { url } = await start({ auth: () => Promise.resolve(null) });
    expect(await statusOf(url)).toBe(401);
  });

  it.each([
    ["throws", () => Promise.reject(new Error("database at /var/db is down"))],
    ["gives no principal", () => true as never],
    ["gives an empty subject", () => ""],
    ["gives a subject that is null", () => ({ subject: null }) as never],
  ])("lets no caller in when it %s, and says no more than that", async (_what, broken) => {
    const { url } = await start({ auth: broken });
    const got = await send(url);
    expect([got.status, JSON.parse(got.text)]).toEqual([
      500,
      { jsonrpc: "2.0", error: { code: -32603, message: "Internal server error" }, id: null },
    ]);
  });

  it("logs a client's mistake in one line, without a stack", async () => {
    const said: object[] = [];
    const warn = (fields: object, event: string): void => void said.push({ event, ...fields });
    const logger = { info: () => undefined, warn, error: warn };
    const { url } = await start({ logger, logLevel: "warn" });
    const got = await send(url, { headers: { "content-type": "text/plain" }, body: list });
    expect(got.status).toBe(415);
    const reason = expect.stringMatching(/^Unsupported Media Type/);
    expect(said).toEqual([{ event: "serve-error", reason }]);
  });

  it("is needed where other machines can reach the server", async () => {
    const refused = serve({ ...base, http: { port: 0, host: "0.0.0.0" } });
    await expect(refused).rejects.toThrow(
      'serve: Other machines can reach "0.0.0.0", but the server does not check who calls. Give auth, or listen on 127.0.0.1.',
    );
  });
});

describe("serve over stdio", () => {
  it("answers line by line, and answers what it has begun before it closes", async () => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    let finish: () => void = () => undefined;
    const slow = defineTool("slow", { description: "Waits" }, async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return { done: true };
    });
    const served = await serve({ ...base, tools: [slow], stdio: { stdin, stdout } });
    running.push(served);
    expect(served.url).toBeUndefined();
    const lines: string[] = [];
    stdout.on("data", (chunk: Buffer) => lines.push(...chunk.toString().split("\n").filter(Boolean)));
    const write = (message: object): boolean =>
      stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const clientInfo = { name: "lines", version: "1.0.0" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    write({ id: 1, method: "initialize", params });
    write({ id: 2, method: "tools/call", params: { name: "slow", arguments: {} } });
    await expect.poll(() => lines.length, soon).toBe(1);
    const closed = served.close();
    write({ id: 3, method: "tools/list" });
    await expect.poll(() => lines.length, soon).toBe(2);
    finish();
    await closed;
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ id: 1, result: expect.objectContaining({ serverInfo: expect.anything() }) }),
      { jsonrpc: "2.0", id: 3, error: { code: -32000, message: "The server is shutting down" } },
      expect.objectContaining({
        id: 2,
        result: expect.objectContaining({ structuredContent: expect.anything() }),
      }),
    ]);
  });
});

describe("the streams of serve over stdio", () => {
  const sentence =
    'serve: This process serves "served" over stdio already, which has one client and one server. Give all tools to one serve(), or serve "other" over HTTP.';

  it("belong to one server until that is closed", async () => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const first = await serve({ ...base, stdio: { stdin, stdout } });
    running.push(first);
    const other = { ...base, name: "other" };
    await expect(serve({ ...other, stdio: { stdin, stdout } })).rejects.toThrow(sentence);
    await expect(serve({ ...other, stdio: { stdin: new PassThrough(), stdout } })).rejects.toThrow(sentence);
    await first.close();
    running.push(await serve({ ...other, stdio: { stdin, stdout } }));
  });
});

describe("a client of stdio that goes away", () => {
  it("closes the server, which then listens for no signal any more", async () => {
    const before = process.listenerCount("SIGTERM");
    const stdin = new PassThrough();
    const served = await serve({ ...base, stdio: { stdin, stdout: new PassThrough() } });
    running.push(served);
    expect(process.listenerCount("SIGTERM")).toBe(before + 1);
    stdin.end();
    await expect.poll(() => process.listenerCount("SIGTERM"), soon).toBe(before);
  });
});

describe("what serve is given", () => {
  it.each([
    [{ tools: [] }, 'serve: "tools" is an empty list. Give at least one tool made by defineTool().'],
    [{ tools: [whoami, whoami] }, 'serve: Two tools are called "whoami". Give each a name of its own'],
    [{ tools: [whoami, undefined] }, "serve: tools[1] is undefined. Give a tool made by defineTool()."],
    [{ tools: [() => 1] }, "serve: tools[0] is a function. Give a tool made by defineTool()."],
    [
      { tools: [{ ...whoami, name: "waybill_retrieve" }] },
      "Tool waybill_retrieve: The name waybill_retrieve is taken: Waybill adds a tool of that name",
    ],
    [{ tools: undefined }, 'serve: "tools" is missing. Write a list of tools made by defineTool().'],
    [{ name: undefined }, 'serve: "name" is missing. Write a string.'],
    [{ version: 1 }, 'serve: "version" is 1. Write a string.'],
    [{ http: "8080" }, 'serve: "http" is "8080". Write true, a port, or'],
    [{ http: { prot: 1 } }, 'serve: "http.prot" is not a known key. Did you mean "port"?'],
    [{ http: { path: "mcp" } }, 'serve: "http.path" is not a path: write one that begins with a slash'],
    [{ http: 70_000 }, 'serve: "http" is 70000.'],
    [{ http: 1, stdio: true }, 'serve: "http" and "stdio" are both given.'],
    [{ auth: "token" }, 'serve: "auth" is "token". Write a function'],
    [{ stdio: { stdin: 1 } }, 'serve: "stdio.stdin" has no method on: give a readable stream.'],
    [{ config: true }, 'serve: "config" is true. Write false, or what followConfig() returns.'],
    [{ dialct: "plain" }, 'serve: "dialct" is not a known key. Did you mean "dialect"?'],
  ])("is refused where it is wrong: %j", async (wrong, sentence) => {
    await expect(serve({ ...base, http: 0, ...wrong } as never)).rejects.toThrow(sentence);
  });

  it("names a port that is in use", async () => {
    const { url } = await start();
    const port = Number(new URL(url).port);
    await expect(serve({ ...base, http: port })).rejects.toThrow(
      `serve: Something else listens on port ${port} of 127.0.0.1 already. Stop it, or choose another port: 0 takes a free one.`,
    );
  });

  it("is told to a watch, which can keep it from starting", async () => {
    const told: unknown[] = [];
    watchServe({
      called: ({ tools }) => {
        told.push(tools.map(({ name }) => name));
        return "hold";
      },
    });
    try {
      const { contract, url } = await serve({ ...base, http: 0 });
      expect([told, contract.tools.length, url]).toEqual([[["whoami"]], 1, undefined]);
    } finally {
      watchServe(undefined);
    }
  });
});
