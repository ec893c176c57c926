import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { type DevProject, makeDevProject } from "./dev-project.fixture.ts";

const waybill = ["--import", "tsx", "src/cli/main.ts"];
const inTime = { timeout: 60_000, interval: 50 };

function clientOf(era: "legacy" | "modern"): Client {
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  return new Client({ name: "journey", version: "1.0.0" }, { versionNegotiation: { mode } });
}

/** What the tool says now; undefined where the call fails, as it does while the server is broken. */
async function ask(client: Client): Promise<unknown> {
  try {
    const { structuredContent } = await client.callTool({ name: "say", arguments: {} });
    return (structuredContent as { readonly data?: { readonly says?: unknown } }).data?.says;
  } catch {
    return undefined;
  }
}

/** Collects what a stream says, and waits for a part of it. */
function heard(stream: NodeJS.ReadableStream | null) {
  let text = "";
  stream?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return (part: string | RegExp): Promise<string> =>
    vi.waitFor(() => {
      expect(text).toMatch(part);
      return text;
    }, inTime);
}

/** A client that starts `waybill dev` itself, and what that says on stderr. */
async function connect(era: "legacy" | "modern", file: string) {
  const args = [...waybill, "dev", file];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: "pipe" });
  const said = heard(transport.stderr as NodeJS.ReadableStream | null);
  const client = clientOf(era);
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, said };
}

/** `waybill dev` on its own, as in a shell whose output goes to a file. */
function start(project: DevProject, ...options: readonly string[]) {
  const child = spawn(process.execPath, [...waybill, "dev", project.file, ...options], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, said: heard(child.stderr) };
}

async function addressIn(said: ReturnType<typeof heard>): Promise<string> {
  return /listens on (http\S+)/.exec(await said("listens on http"))?.[1] ?? "";
}

async function connectHttp(era: "legacy" | "modern", url: string): Promise<Client> {
  const client = clientOf(era);
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

const watching = "is started again when a file of";

describe.runIf(isFullRun)("waybill dev", { timeout: 120_000 }, () => {
  it("keeps the session of a client on stdio while the server is edited, broken and mended", async () => {
    const project = makeDevProject();
    const { client, said } = await connect("legacy", project.file);
    expect(await ask(client)).toBe("one");
    const printed = await said(/deliver .* tokens\n/);
    expect(printed).toMatch(/^say: ok, [\d.]+ ms, \d+ bytes, response-v2, req_\w+\n {2}outcome /m);
    await said(watching);
    project.breaks();
    await said("the server ended with exit code 1; it is started again when a file changes.");
    expect(await ask(client)).toBeUndefined();
    project.says("two");
    await vi.waitFor(async () => expect(await ask(client)).toBe("two"), inTime);
  });

  it("says in one sentence what is wrong with a tool", async () => {
    const project = makeDevProject();
    project.misspells();
    const child = spawn(process.execPath, [...waybill, "dev", project.file, "--http", "0"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const text = await heard(child.stderr)("the server ended with exit code 1");
    expect(text).toContain('Tool say: "timeoutMS" is not a known key. Did you mean "timeoutMs"?\n');
    expect(text.split("\n").filter((line) => !line.startsWith("waybill dev:") && line !== "")).toHaveLength(
      1,
    );
  });

  it("goes on for a client that never greets", async () => {
    const project = makeDevProject();
    const { client, said } = await connect("modern", project.file);
    expect(await ask(client)).toBe("one");
    await said(watching);
    project.says("two");
    await vi.waitFor(async () => expect(await ask(client)).toBe("two"), inTime);
  });

  it("keeps clients of both eras over HTTP: no call fails while the server is edited", async () => {
    const project = makeDevProject();
    const { said } = start(project, "--http", "0");
    await said(watching);
    const url = await addressIn(said);
    const clients = await Promise.all([connectHttp("legacy", url), connectHttp("modern", url)]);
    const askAll = (): Promise<unknown[]> => Promise.all(clients.map((client) => ask(client)));
    const answers = await askAll();
    project.says("two");
    await vi.waitFor(async () => {
      answers.push(...(await askAll()));
      expect(answers.slice(-2)).toEqual(["two", "two"]);
    }, inTime);
    expect([...new Set(answers)]).toEqual(["one", "two"]);
    await said(/server\.ts changed, the server is started again\n/);
    project.breaks();
    await said("the server ended with exit code 1");
    expect(await askAll()).toEqual([undefined, undefined]);
    project.says("three");
    await vi.waitFor(async () => expect(await askAll()).toEqual(["three", "three"]), inTime);
  });

  it("listens where the code of the server says, and says in one sentence that it cannot", async () => {
    const project = makeDevProject();
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    project.says("one", `http: { port: ${port}, path: "/own" }, `);
    const { said } = start(project, "--http");
    await said(`Something else listens on port ${port} of 127.0.0.1 already.`);
    project.says("two", 'http: { port: 0, path: "/own" }, ');
    const url = await addressIn(said);
    expect(url).toMatch(/\/own$/);
    expect(await ask(await connectHttp("modern", url))).toBe("two");
  });

  it("prints what the model behind a client reads, logs JSON to a pipe, and ends with 0", async () => {
    const project = makeDevProject();
    const { child, said } = start(project, "--http", "0", "--reader", "codex");
    const url = await addressIn(said);
    const client = await connectHttp("legacy", url);
    expect(await ask(client)).toBe("one");
    const printed = await said(/│ .*"says":"one"/);
    expect(printed).toMatch(
      /deliver .* tokens\n {2}Codex \(codex\) shows its model the structure: \d+ tokens\n/,
    );
    project.throws();
    await vi.waitFor(async () => expect(await ask(client)).toBeUndefined(), inTime);
    const json = await said(/"msg":"tool-failed".*server\.ts:\d+:\d+/);
    expect(json).toMatch(/"defined_at":"[^"]*server\.ts:3:\d+"/);
    child.kill("SIGTERM");
    const [code] = (await once(child, "exit")) as [number | null];
    expect(code).toBe(0);
    await expect(fetch(url)).rejects.toThrow("fetch failed");
  });

  it("opens a page in front of the server, which goes on while that is edited", async () => {
    const project = makeDevProject();
    const { child, said } = start(project, "--http", "0", "--dashboard");
    const [, link = ""] = /the dashboard opens once with (\S+)/.exec(await said("opens once with")) ?? [];
    const entered = await fetch(link, { redirect: "manual" });
    expect(entered.headers.get("set-cookie")).toContain("waybill");
    const client = await connectHttp("legacy", await addressIn(said));
    expect(await ask(client)).toBe("one");
    project.says("two");
    await vi.waitFor(async () => expect(await ask(client)).toBe("two"), inTime);
    await said(/^say: ok, /m);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});

/** Runs the command with a terminal of its own, by util-linux. */
function startInTerminal(
  project: DevProject,
  variables: Readonly<Record<string, string>>,
  ...options: readonly string[]
) {
  const words = [process.execPath, ...waybill, "dev", project.file, ...options];
  const { NO_COLOR: _none, ...env } = process.env;
  const child = spawn("script", ["-qec", words.map((word) => `'${word}'`).join(" "), "/dev/null"], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...env, TERM: "xterm", ...variables },
  });
  onTestFinished(async () => {
    child.stdin.write("\u0003");
    await once(child, "exit");
  });
  return heard(child.stdout);
}

const hasScript = spawnSync("script", ["--version"]).status === 0;

describe.runIf(isFullRun && hasScript)("waybill dev on a terminal", { timeout: 120_000 }, () => {
  it("prints calls and the log for people, in colours, with the lines of the author's file", async () => {
    const project = makeDevProject();
    project.throws();
    const said = startInTerminal(project, {}, "--http", "0");
    await ask(await connectHttp("legacy", await addressIn(said)));
    const printed = await said(/server\.ts:3:\d+\)?\r?\n[^]*deliver/);
    expect(printed).toContain("\u001B[31merror tool-failed\u001B[39m \u001B[1msay\u001B[22m");
    expect(printed).toMatch(/ {4}at .*[( ]\.cache\/dev-\w+\/server\.ts:3:\d+\)?\r?\n/);
    expect(printed).not.toContain('"msg"');
    expect(printed).not.toContain("\\u001b");
  });

  it("opens the browser with the link to the page, and does not print it", async () => {
    const project = makeDevProject();
    const opened = `${project.file}.opened`;
    const browser = `${project.file}.browser`;
    writeFileSync(browser, `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`, { mode: 0o755 });
    const said = startInTerminal(project, { BROWSER: browser }, "--http", "0", "--dashboard");
    const printed = await said("the dashboard is open in your browser, at http://127.0.0.1:");
    await vi.waitFor(
      () => expect(readFileSync(opened, "utf8")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=/),
      inTime,
    );
    expect(printed).not.toContain("token=");
  });
});
