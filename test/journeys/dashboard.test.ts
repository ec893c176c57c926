import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { OwnCall } from "../../src/doors/gateway/dashboard/protocol/places.ts";
import type { CallDetail, RetrieveReply } from "../../src/doors/gateway/dashboard/protocol/result.ts";
import type { Hello } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";
import { createGateway } from "../../src/doors/gateway/create-gateway.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { type Browser, linesServer, signIn } from "./dashboard.fixture.ts";

const TIMEOUT_MS = 60_000;
const waybill = ["--import", "tsx", "src/cli/main.ts", "gateway", "--store", "memory"];
const server = ["--", process.execPath, linesServer];

async function connect(url: string | undefined): Promise<Client> {
  const client = new Client({ name: "journey", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url ?? "")));
  onTestFinished(() => client.close());
  return client;
}

/** The first link to a dashboard in what a gateway writes. */
function linkIn(text: string): string {
  const [link] = /http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+/.exec(text) ?? [];
  if (link === undefined) throw new Error(`No link yet: ${text}`);
  return link;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A call that fits, one that is cut, and one that fails: what a page shows of each. */
async function callThrice(client: Client, { calls }: Browser): Promise<void> {
  await client.callTool({ name: "lines", arguments: { count: 3 } });
  await client.callTool({ name: "lines", arguments: { count: 5_000 } });
  await client.callTool({ name: "lines", arguments: {} });
  const { rows } = await calls();
  expect(rows.map(({ tool, ending, fidelity }) => [tool, ending, fidelity])).toEqual([
    ["lines", "failed", "full"],
    ["lines", "ok", "partial"],
    ["lines", "ok", "full"],
  ]);
  expect(rows[1]?.tokensOut).toBeLessThan(rows[1]?.tokensIn ?? 0);
}

describe("a gateway with a dashboard", () => {
  it(
    "shows every call from the first one on, and is gone with the gateway",
    { timeout: TIMEOUT_MS },
    async () => {
      const gateway = createGateway({
        upstreams: { lines: { command: process.execPath, args: [linesServer] } },
        http: { port: 0 },
        dashboard: { port: 0 },
        store: "memory",
        logLevel: "silent",
      });
      onTestFinished(() => gateway.close());
      const { urls, dashboard = "" } = await gateway.listen();
      const browser = await signIn(dashboard);
      // The server is started once, to find out whether it can be.
      await expect
        .poll(async () => browser.get<Hello>("/api/hello"), { timeout: TIMEOUT_MS })
        .toMatchObject({ upstreams: [{ state: "idle" }] });
      await callThrice(await connect(urls["lines"]), browser);
      expect(await browser.get<Hello>("/api/hello")).toMatchObject({
        transport: "http",
        urls,
        hasActions: false,
        hasBodies: false,
        upstreams: [{ name: "lines", kind: "command", state: "up", restarts: 0 }],
      });
      await gateway.close();
      await expect(browser.calls()).rejects.toThrow("fetch failed");
    },
  );

  it(
    "gives back what was cut, and calls tools in a process that ends with it",
    { timeout: TIMEOUT_MS },
    async () => {
      const gateway = createGateway({
        upstreams: { lines: { command: process.execPath, args: [linesServer] } },
        http: { port: 0 },
        dashboard: { port: 0, actions: true, bodies: true },
        store: "memory",
        logLevel: "silent",
      });
      onTestFinished(() => gateway.close());
      const { dashboard = "" } = await gateway.listen();
      const { get, post, calls } = await signIn(dashboard);
      const call = async (tool: string, args: object): Promise<OwnCall> =>
        (
          await post("/api/tools/call", { upstream: "lines", tool, arguments: args })
        ).json() as Promise<OwnCall>;
      const { seq } = await call("lines", { count: 5_000 });
      expect((await calls()).rows).toMatchObject([{ seq, fidelity: "partial", isOwn: true }]);
      const { archives, bodies } = await get<CallDetail>(`/api/calls/${seq}`);
      expect(bodies?.after.text).toContain("line 1 of 5000");
      const retrieved = await post(`/api/calls/${seq}/retrieve`, { hash: archives[0]?.hash });
      const whole = (await retrieved.json()) as RetrieveReply;
      expect(whole).toMatchObject({ isVerified: true, hash: archives[0]?.hash });
      expect(whole.bytes).toBeGreaterThan(80_000);
      const [, pid] = /process (\d+)/.exec((await call("pid", {})).body?.text ?? "") ?? [];
      expect(isRunning(Number(pid))).toBe(true);
      await gateway.close();
      await vi.waitFor(() => expect(isRunning(Number(pid))).toBe(false), { timeout: 10_000 });
    },
  );

  it("starts nothing where the port of its dashboard is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const gateway = createGateway({
      upstreams: { lines: { command: process.execPath, args: [linesServer] } },
      http: { port: 0 },
      dashboard: { port },
      store: "memory",
      logLevel: "silent",
    });
    await expect(gateway.listen()).rejects.toThrow("EADDRINUSE");
    await gateway.close();
  });
});

describe.runIf(isFullRun)("waybill gateway --dashboard", () => {
  it("prints its link on stderr and leaves stdout to the client", { timeout: TIMEOUT_MS }, async () => {
    const args = [...waybill, "--dashboard", "0", "--dashboard-bodies", ...server];
    const transport = new StdioClientTransport({ command: process.execPath, args, stderr: "pipe" });
    let stderr = "";
    transport.stderr?.on("data", (chunk: Buffer) => (stderr += String(chunk)));
    const client = new Client({ name: "journey", version: "1" });
    onTestFinished(() => client.close());
    await client.connect(transport);
    const browser = await signIn(await vi.waitFor(() => linkIn(stderr), { timeout: 20_000 }));
    await callThrice(client, browser);
    expect(await browser.get<Hello>("/api/hello")).toMatchObject({ transport: "stdio", hasBodies: true });
    // A browser without a link makes the gateway print a new one.
    const printed = stderr.length;
    expect((await fetch(browser.base)).status).toBe(401);
    await vi.waitFor(() => expect(linkIn(stderr.slice(printed))).toContain(browser.base));
    await client.close();
    await vi.waitFor(() => expect(browser.calls()).rejects.toThrow("fetch failed"), { timeout: 20_000 });
  });

  const start = (
    ...line: readonly string[]
  ): { readonly child: ChildProcess; readonly stderr: () => string } => {
    const child = spawn(process.execPath, [...waybill, ...line, ...server], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let stderr = "";
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    return { child, stderr: () => stderr };
  };

  it("shows a gateway over HTTP, and ends with it", { timeout: TIMEOUT_MS }, async () => {
    const { child, stderr } = start("--http", "0", "--dashboard", "0");
    const url = await vi.waitFor(
      () => {
        const [found] = /http:\S+\/server\/mcp/.exec(stderr()) ?? [];
        if (found === undefined) throw new Error(stderr());
        return found;
      },
      { timeout: 20_000 },
    );
    const browser = await signIn(linkIn(stderr()));
    await callThrice(await connect(url), browser);
    child.kill("SIGTERM");
    const [code] = (await once(child, "exit")) as [number];
    expect(code).toBe(0);
  });

  it("says which port is taken and which option chooses another", { timeout: TIMEOUT_MS }, async () => {
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { child, stderr } = start("--http", "0", "--dashboard", String(port));
    const [code] = (await once(child, "exit")) as [number];
    expect(stderr()).toBe(
      `waybill: Something else listens on port ${port} of 127.0.0.1 already.\nStop it, or choose another port with --dashboard; 0 takes a free one.\n`,
    );
    expect(code).toBe(1);
  });
});
