// `waybill gateway --dashboard` from the line to the page: its tools, calls, settings and checks, over real HTTP and with
// a real server, while a client of the SDK calls too.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../src/cli/run.ts";
import { ask } from "../../src/doors/gateway/dashboard/serve/dashboard.fixture.ts";
import type {
  ChecksReport,
  ConfigReport,
  OwnCall,
  ToolsReport,
} from "../../src/doors/gateway/dashboard/protocol/places.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";

const server = `
const { createInterface } = require("node:readline");
const pages = Array.from({ length: 300 }, (_, id) => ({ id, title: "Page number " + id, draft: null }));
const inputSchema = { type: "object", properties: { words: { type: "string", description: "What to look for." } } };
const annotations = { readOnlyHint: true };
const tools = [{ name: "search", description: "Finds pages by their words.", inputSchema, annotations }];
const answers = {
  initialize: () => ({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "pages", version: "1" } }),
  "tools/list": () => ({ tools }),
  "tools/call": () => ({ content: [{ type: "text", text: JSON.stringify(pages) }] }),
  ping: () => ({}),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const body = answer ? { result: answer() } : { error: { code: -32601, message: "Method not found" } };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...body }) + "\\n");
});
`;

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

interface Running {
  readonly url: URL;
  readonly get: <Answer>(path: string) => Promise<Answer>;
  readonly post: <Answer>(path: string, body: object) => Promise<Answer>;
  readonly stop: () => Promise<number>;
}

/** The command line as a person writes it; stopped with the test. */
async function start(...more: readonly string[]): Promise<Running> {
  let stderr = "";
  let stop = (): void => undefined;
  const words = [
    "gateway",
    "--name",
    "pages",
    "--http",
    "0",
    "--store",
    "memory",
    "--dashboard",
    "0",
    ...more,
  ];
  const ended = runCli(["node", "waybill", ...words, "--", process.execPath, "-e", server], {
    stdin: (async function* () {})(),
    stdout: { write: () => true },
    stderr: { write: (text) => (stderr += text) },
    env: { HOME: "/nonexistent", PATH: process.env["PATH"] },
    cwd: process.cwd(),
    onStop: (listener) => (stop = listener),
    isTTY: { stdin: false, stdout: false, stderr: false },
  });
  const stopped = async (): Promise<number> => {
    stop();
    return ended;
  };
  onTestFinished(async () => void (await stopped()));
  const found = (pattern: RegExp): string | undefined => pattern.exec(stderr)?.[1];
  while (found(/pages listens on (\S+)/) === undefined) await pause();
  const link = new URL(found(/dashboard opens once with (\S+)/) ?? "");
  const signedIn = await ask(Number(link.port), link.pathname + link.search);
  const cookie = signedIn.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  const read = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const posted = { "content-type": "application/json", "x-waybill": "page" };
    const answer = await ask(Number(link.port), path, {
      method: body === undefined ? "GET" : "POST",
      headers: { cookie, ...(body === undefined ? {} : posted) },
      body: body && JSON.stringify(body),
    });
    return JSON.parse(answer.body) as Answer;
  };
  return {
    url: new URL(found(/pages listens on (\S+)/) ?? ""),
    get: (path) => read(path),
    post: (path, body) => read(path, body),
    stop: stopped,
  };
}

describe.runIf(isFullRun)("the page of a gateway", () => {
  it("lists and calls tools, changes what clients get next, and checks the server", async () => {
    const { url, get, post, stop } = await start("--dashboard-actions", "--dashboard-bodies");
    const client = new Client({ name: "journey", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(url));
    onTestFinished(() => client.close());
    const clientGets = async (): Promise<string> =>
      JSON.stringify(await client.callTool({ name: "search", arguments: {} }));
    const whole = await clientGets();

    const { upstreams } = await get<ToolsReport>("/api/tools");
    expect(upstreams[0]).toMatchObject({ upstream: "pages", state: "listed" });
    expect(upstreams[0]?.tools[0]).toMatchObject({ name: "search", typical: { calls: 1 } });
    const call = { upstream: "pages", tool: "search", arguments: { words: "number" } };
    const own = await post<OwnCall>("/api/tools/call", call);
    expect(own).toMatchObject({ seq: 2, isError: false });
    expect(own.body?.text).toContain("Page number 299");

    const path = "tools.search.budget.tokens";
    const changed = await post<ConfigReport>("/api/config", { upstream: "pages", path, value: 400 });
    const setting = changed.upstreams[0]?.settings.find((one) => one.path === path);
    expect(setting).toMatchObject({ value: 400, origin: "page" });
    expect((await clientGets()).length).toBeLessThan(whole.length / 4);
    await post("/api/config", { upstream: "pages", path, value: null });
    expect(await clientGets()).toBe(whole);

    await post("/api/check", { upstream: "pages" });
    const checked = async () => (await get<ChecksReport>("/api/check")).checks[0];
    while ((await checked())?.state === "running") await pause();
    expect(await checked()).toMatchObject({ state: "done", report: { calls: expect.any(Number) as number } });
    expect(await stop()).toBe(0);
  }, 60_000);

  it("lets no page act or read contents without its flags", async () => {
    const { get, post } = await start();
    const code = async (path: string, body: object) =>
      (await post<{ error?: { code: string } }>(path, body)).error?.code;
    expect(await code("/api/tools/call", { upstream: "pages", tool: "search" })).toBe("actions-off");
    expect(await code("/api/config", { upstream: "pages", path: "profile", value: "debug" })).toBe(
      "actions-off",
    );
    expect(await code("/api/check", { upstream: "pages" })).toBe("actions-off");
    expect((await get<ToolsReport>("/api/tools")).upstreams[0]).toMatchObject({ state: "listed" });
    expect((await get<ConfigReport>("/api/config")).upstreams[0]?.upstream).toBe("pages");
  }, 60_000);

  it("ends a check and its own process when the gateway is stopped", async () => {
    const { get, post, stop } = await start("--dashboard-actions");
    await get("/api/tools");
    await post("/api/check", { upstream: "pages" });
    expect(await stop()).toBe(0);
  }, 60_000);
});
