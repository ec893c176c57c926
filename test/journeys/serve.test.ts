// `serve` as somebody starts it: a process of its own, with its signals, environment and files.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "mcp-sdk-1-32/client/index.js";
import { StdioClientTransport as OldStdio } from "mcp-sdk-1-32/client/stdio.js";
import { afterEach, describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";

const tsx = import.meta.resolve("tsx");
const program = fileURLToPath(new URL("./serve.fixture.ts", import.meta.url));
const args = ["--import", tsx, program];
const folders: string[] = [];
const children: ChildProcess[] = [];

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-serve-"));
  folders.push(folder);
  return folder;
}

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Running {
  readonly child: ChildProcess;
  readonly said: () => string;
  readonly printed: () => string;
  readonly exit: Promise<number | null>;
}

interface Start {
  readonly line?: readonly string[];
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

function start({ line = [], env = {}, cwd = emptyFolder() }: Start = {}): Running {
  const { NODE_OPTIONS: _options, PORT: _port, ...rest } = process.env;
  const child = spawn(process.execPath, [...args, ...line], { cwd, env: { ...rest, ...env } });
  children.push(child);
  let said = "";
  let printed = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (said += chunk));
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (printed += chunk));
  const exit = once(child, "exit").then(([code]) => code as number | null);
  return { child, said: () => said, printed: () => printed, exit };
}

const soon = { timeout: 60_000, interval: 50 };

async function urlOf({ said }: Running): Promise<string> {
  await expect.poll(said, soon).toMatch(/listens on http:/);
  return /listens on (\S+)/.exec(said())?.[1] ?? "";
}

const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };

async function post(url: string, name: string): Promise<string> {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: {} },
  });
  const response = await fetch(url, { method: "POST", headers, body });
  return response.text();
}

/** What a client of stdio writes first. */
const greeting = [
  {
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "lines", version: "1.0.0" },
    },
  },
  { method: "notifications/initialized" },
];

function write({ child }: Running, ...messages: readonly object[]): void {
  for (const message of messages) child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

describe.runIf(isFullRun)("a program that calls serve", () => {
  it("answers clients of both eras over stdio", async () => {
    const { NODE_OPTIONS: _options, PORT: _port, ...env } = process.env as Record<string, string>;
    const command = { command: process.execPath, args, env, cwd: emptyFolder(), stderr: "ignore" } as const;
    const call = { name: "ping", arguments: {} };
    const answer = expect.objectContaining({ success: true, data: { pong: true } });
    const modern = new Client(
      { name: "new", version: "1.0.0" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    await modern.connect(new StdioClientTransport(command));
    expect((await modern.callTool(call)).structuredContent).toEqual(answer);
    await modern.close();
    const old = new OldClient({ name: "old", version: "1.0.0" });
    await old.connect(new OldStdio(command));
    expect((await old.callTool(call)).structuredContent).toEqual(answer);
    await old.close();
  });

  it("ends with 0 when its client has gone", async () => {
    const running = start();
    write(running, ...greeting);
    await expect.poll(running.printed, soon).toContain('"serverInfo"');
    running.child.stdin?.end();
    expect(await running.exit).toBe(0);
  });

  it("answers what it has begun, over stdio, before it ends with 0 on SIGINT", async () => {
    const running = start();
    write(running, ...greeting, { id: 2, method: "tools/call", params: { name: "slow", arguments: {} } });
    await expect.poll(running.said, soon).toContain("begun");
    running.child.kill("SIGINT");
    expect(await running.exit).toBe(0);
    expect(running.printed()).toContain('"done":true');
  });

  it("listens where PORT says, and answers what it has begun before it ends with 0 on SIGTERM", async () => {
    const running = start({ env: { PORT: "0" } });
    const url = await urlOf(running);
    const answer = post(url, "slow");
    await expect.poll(running.said, soon).toContain("begun");
    running.child.kill("SIGTERM");
    expect(await answer).toContain('"done":true');
    expect(await running.exit).toBe(0);
  });

  it("ends at once on a second signal", async () => {
    const running = start({ line: ["--http", "0"] });
    const answer = post(await urlOf(running), "stuck").catch(() => "cut off");
    await expect.poll(running.said, soon).toContain("begun");
    running.child.kill("SIGTERM");
    running.child.kill("SIGINT");
    expect([130, 143]).toContain(await running.exit);
    expect(await answer).toBe("cut off");
  });

  it("says in one sentence that its port is taken, and ends with 1", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    try {
      const running = start({ line: ["--http", String(port)] });
      expect(await running.exit).toBe(1);
      expect(running.said()).toBe(
        `serve: Something else listens on port ${port} of 127.0.0.1 already. Stop it, or choose another port: 0 takes a free one.\n`,
      );
    } finally {
      taken.close();
    }
  });

  it("says of a wrong variable one sentence and nothing else", async () => {
    const running = start({ env: { PORT: "abc" } });
    expect(await running.exit).toBe(1);
    expect(running.said()).toBe('serve: PORT is "abc". Write a port from 0 to 65535.\n');
  });

  it("keeps what its handlers print off the protocol, and says what it does not read", async () => {
    const running = start({ line: ["--htpp", "80"] });
    write(running, ...greeting, { id: 2, method: "tools/call", params: { name: "chatty", arguments: {} } });
    await expect.poll(running.printed, soon).toContain('"chatted":true');
    running.child.stdin?.end();
    expect(await running.exit).toBe(0);
    const lines = running.printed().trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { id: unknown }).id)).toEqual([1, 2]);
    expect(running.said()).toContain("serve: --htpp is not read. Did you mean --http?\n");
    expect(running.said()).toMatch(/"console-on-stdout".*\nfound it\n/);
  });

  it("logs an uncaught error, without its secrets, and ends with 1", async () => {
    const running = start({ line: ["--http", "0"] });
    await post(await urlOf(running), "loses").catch(() => "cut off");
    expect(await running.exit).toBe(1);
    const line = running
      .said()
      .split("\n")
      .find((text) => text.includes('"serve-error"'));
    expect(line).toMatch(/"message":"lost with [^"]*REDACTED[^"]*".*"origin":"unhandledRejection"/);
  });

  it("follows the configuration file that it finds, and takes no store from it", async () => {
    const cwd = emptyFolder();
    const file = join(cwd, "waybill.config.json");
    writeFileSync(file, JSON.stringify({ dialect: "drf", store: "./archive" }));
    const running = start({ line: ["--http=0"], cwd });
    const url = await urlOf(running);
    expect(await post(url, "ping")).not.toContain("success");
    expect(running.said()).toMatch(/config-notice.*store.*is ignored/);
    writeFileSync(file, JSON.stringify({ dialect: "response-v2" }));
    await expect.poll(() => post(url, "ping"), soon).toContain("success");
  });
});
