import { resolve } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { AccessLine } from "../../src/doors/gateway/access-log/access-line.ts";
import { createGateway } from "../../src/doors/gateway/create-gateway.ts";
import type { UpstreamAuth } from "../../src/doors/gateway/gateway-options.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import type { Era } from "./attach-clients.fixture.ts";
import { browse } from "./authorization-server.fixture.ts";
import { type Browser, signIn } from "./dashboard.fixture.ts";
import { type World, openWorld } from "./oauth-world.fixture.ts";

const TIMEOUT_MS = 60_000;
const WAIT = { timeout: 20_000, interval: 100 };
const allTools = ["read", "write", "large", "pid", "echo", "waybill_retrieve"];
const openServer = ["--import", "tsx", resolve("test/journeys/pid-server.fixture.ts")];
const tokens = { ada: "ada-token-0123456789", ben: "ben-token-0123456789" };

interface Served {
  readonly url: URL;
  /** Where this server and one that is a command are one server. */
  readonly merged: URL;
  readonly page: Browser;
  readonly lines: readonly AccessLine[];
}

/** A gateway over HTTP with its page, before the server of a world; its log goes to what was written. */
async function gatewayOf(world: World, trustProxy?: number): Promise<Served> {
  vi.stubEnv("XDG_STATE_HOME", world.home);
  vi.stubEnv("WAYBILL_KEYRING", "off");
  onTestFinished(() => void vi.unstubAllEnvs());
  const note = (fields: object, event: string): void =>
    void world.written.push(event, JSON.stringify(fields));
  const lines: AccessLine[] = [];
  const gateway = createGateway({
    upstreams: {
      guarded: { url: world.server.url, auth: { gateway: { tokens }, oauth: true } },
      open: { command: process.execPath, args: openServer, auth: { gateway: { tokens } } },
    },
    http: { port: 0, trustProxy },
    dashboard: { port: 0, bodies: true, actions: true },
    store: "memory",
    accessLog: (line) => lines.push(line),
    logger: { debug: note, info: note, warn: note, error: note },
  });
  onTestFinished(() => gateway.close());
  const { urls, dashboard = "" } = await gateway.listen();
  const url = new URL(urls["guarded"] ?? "");
  return { url, merged: new URL("/mcp", url), page: await signIn(dashboard), lines };
}

/** All that the page can show goes to what was written. */
async function readPage({ page }: Served, world: World): Promise<void> {
  const { rows } = await page.calls();
  expect(rows.length).toBeGreaterThan(2);
  const calls = rows.map(({ seq }) => `/api/calls/${seq}`);
  for (const path of ["/api/hello", "/api/config", "/api/tools", "/api/calls", ...calls])
    world.written.push(JSON.stringify(await page.get(path)));
}

async function connect(
  world: World,
  url: URL,
  caller: keyof typeof tokens,
  era: Era = world.era,
): Promise<Client> {
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client({ name: "journey", version: "1" }, { versionNegotiation: { mode } as never });
  onTestFinished(() => client.close());
  const requestInit = { headers: { authorization: `Bearer ${tokens[caller]}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return client;
}

/** One call, without a greeting, as a caller who is known to the gateway. */
async function refusedCall(url: URL, caller: keyof typeof tokens): Promise<string> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${tokens[caller]}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "read", arguments: {} },
    }),
  });
  expect(response.status).toBe(200);
  return response.text();
}

async function toolsOf(client: Client): Promise<readonly string[]> {
  const { tools } = await client.listTools();
  return tools.map(({ name }) => name);
}

async function signInCall(client: Client): Promise<string> {
  return JSON.stringify(await client.callTool({ name: "guarded_sign_in", arguments: {} }));
}

const addressIn = (text: string): string => /http:\/\/127\.0\.0\.1:\d+\/sign-in/.exec(text)?.[0] ?? "";

async function read(client: Client): Promise<unknown> {
  const { content } = await client.callTool({ name: "read", arguments: {} });
  return content;
}

describe.each<Era>(["legacy", "modern"])("a gateway over HTTP before a server of the %s era", (era) => {
  it(
    "signs in for each caller apart, and shows no caller's tokens for another",
    async () => {
      const world = await openWorld(era);
      const served = await gatewayOf(world);
      const { url } = served;
      const refused = await refusedCall(url, "ada");
      expect(refused).toContain("UNAUTHORIZED");
      expect((await browse(addressIn(refused))).text).toContain("You are signed in.");
      const ada = await connect(world, url, "ada");
      expect(await read(ada)).toEqual([{ type: "text", text: "read by ada" }]);
      expect(await refusedCall(url, "ben")).toContain("UNAUTHORIZED");
      expect((await world.login(["--caller", "ben"])).code).toBe(0);
      const ben = await connect(world, url, "ben");
      expect(await read(ben)).toEqual([{ type: "text", text: "read by ada" }]);
      expect(new Set(world.server.shown).size).toBe(2);
      expect((await world.run(["logins"])).stdout).toMatch(/ada .*\n.*ben /);
      await world.run(["logout", world.server.url, "--caller", "ada"]);
      expect(world.loginFiles()).toHaveLength(1);
      await readPage(served, world);
      expect(world.written.join("")).toContain("read by ada");
      expect(world.leaks()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  // At the address of several servers a client of the modern era has a list asked for first, which then is sent again.
  it.each(era === "modern" ? (["url"] as const) : (["url", "merged"] as const))(
    "counts in the access log how often a call was sent again (%s)",
    async (at) => {
      const world = await openWorld(era);
      const served = await gatewayOf(world);
      expect((await world.login(["--caller", "ada"])).code).toBe(0);
      const ada = await connect(world, served[at], "ada");
      await read(ada);
      // The server forgets the token before its time: it refuses the call, which is sent again with another.
      await (await world.authorization.provider.AccessToken.find(world.server.shown.at(-1) ?? ""))?.destroy();
      await read(ada);
      await vi.waitFor(() => expect(served.lines).toHaveLength(2), WAIT);
      expect(served.lines).toMatchObject([
        { caller: "sub:guarded/ada", tool: "read", outcome: "success" },
        { caller: "sub:guarded/ada", tool: "read", outcome: "success", retries: 1 },
      ]);
      expect(served.lines[0]).not.toHaveProperty("retries");
    },
    TIMEOUT_MS,
  );

  it.each<Era>(isFullRun ? ["legacy", "modern"] : [era])(
    "signs in for each caller apart at the address of several servers, clients of the %s era",
    async (clientEra) => {
      const world = await openWorld(era);
      const { merged } = await gatewayOf(world);
      const ada = await connect(world, merged, "ada", clientEra);
      expect(await toolsOf(ada)).toEqual(["guarded_sign_in", "pid", "echo", "waybill_retrieve"]);
      const refused = await signInCall(ada);
      expect(refused).toContain("UNAUTHORIZED");
      expect((await browse(addressIn(refused))).text).toContain("You are signed in.");
      await vi.waitFor(async () => expect(await toolsOf(ada)).toEqual(allTools), WAIT);
      expect(await read(ada)).toEqual([{ type: "text", text: "read by ada" }]);
      // Ben is not let in by Ada's sign-in; his own is made beside his open connection.
      const ben = await connect(world, merged, "ben", clientEra);
      expect(await toolsOf(ben)).toEqual(["guarded_sign_in", "pid", "echo", "waybill_retrieve"]);
      expect(await signInCall(ben)).toContain("--caller ben");
      expect((await world.login(["--caller", "ben"])).code).toBe(0);
      await vi.waitFor(
        async () => expect(await read(ben)).toEqual([{ type: "text", text: "read by ada" }]),
        WAIT,
      );
      expect(await toolsOf(ben)).toEqual(allTools);
      expect(await toolsOf(ada)).toEqual(allTools);
      expect(new Set(world.server.shown).size).toBe(2);
      // The next start knows the server by its own tools.
      await vi.waitFor(() => expect(world.keptFiles().join("")).toContain('"read"'), WAIT);
      expect(world.keptFiles().join("")).not.toContain("guarded_sign_in");
      expect(world.leaks()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    "says at the address of several servers how callers sign in who are elsewhere",
    async () => {
      const world = await openWorld(era);
      const ada = await connect(world, (await gatewayOf(world, 1)).merged, "ada");
      expect(await toolsOf(ada)).toContain("guarded_sign_in");
      const refused = await signInCall(ada);
      expect(refused).toContain("UNAUTHORIZED");
      expect(refused).toContain(`waybill login ${world.server.url} --caller ada`);
      expect(addressIn(refused)).toBe("");
      expect((await world.login(["--caller", "ada"])).code).toBe(0);
      await vi.waitFor(async () => expect(await toolsOf(ada)).toEqual(allTools), WAIT);
    },
    TIMEOUT_MS,
  );

  it(
    "opens no sign-in on its own machine for callers who are elsewhere",
    async () => {
      const world = await openWorld(era);
      const refused = await refusedCall((await gatewayOf(world, 1)).url, "ada");
      expect(refused).toContain("UNAUTHORIZED");
      expect(refused).toContain(`waybill login ${world.server.url} --caller ada`);
      expect(addressIn(refused)).toBe("");
      // A probe reads the metadata, and nothing else is asked for.
      const { asked } = world.authorization;
      expect(asked.filter((line) => !line.includes("/.well-known/"))).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

describe("createGateway", () => {
  const problemOf = (auth: UpstreamAuth, http?: { port: number }): string => {
    try {
      createGateway({ upstreams: { a: { url: "https://a.example/mcp", auth } }, http, store: "memory" });
      return "";
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
  };

  it("refuses to sign in for callers whom it does not check", () => {
    expect(problemOf("oauth", { port: 0 })).toContain("does not check who calls");
    expect(problemOf({ oauth: { clientId: "c" } }, { port: 0 })).toContain("does not check who calls");
    expect(problemOf({ gateway: { tokens }, oauth: true })).toContain("has no effect on stdio");
    expect(problemOf({ gateway: { tokens }, oauth: true }, { port: 0 })).toBe("");
    expect(problemOf("oauth")).toBe("");
    expect(problemOf({ oauth: { clientMetadataUrl: "http://a.example" } })).toContain(
      "client-id metadata document",
    );
  });

  it("refuses to sign in to a command", () => {
    expect(() => createGateway({ upstreams: { a: { command: "node", auth: "oauth" } } })).toThrow(
      "Only a url can be signed in to",
    );
  });
});
