import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "mcp-sdk-1-18/client/index.js";
import { StreamableHTTPClientTransport as OldHttp } from "mcp-sdk-1-18/client/streamableHttp.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGateway } from "../../src/doors/gateway/index.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { gatewayArgs, makeFolder, published } from "./published-servers.fixture.ts";

const about = { name: "doors", version: "1.0.0" };
const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

function nodeArgsOf(name: string, folder: string): readonly string[] {
  return published.find(({ server }) => server === name)?.nodeArgs(folder) ?? [];
}

/** The command in a process of its own; it is ended with the test. */
function start(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ["--import", "tsx", main, ...words], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = once(child, "exit").then(([code]) => ({ code: code as number | null, stderr }));
  onTestFinished(async () => {
    if (child.exitCode === null) child.kill("SIGKILL");
    await ended;
  });
  const printed = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const [found] = pattern.exec(stderr) ?? [];
      if (found !== undefined) return found;
      if (child.exitCode !== null) throw new Error(stderr);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return { child, ended, printed };
}

const echo = { name: "echo", arguments: { message: "hi" } };
const echoed = { content: [{ type: "text", text: "Echo: hi" }] };

describe("the gateway in code", () => {
  it("serves two servers over HTTP, each at its own path, and ends the processes it started", async () => {
    const folder = makeFolder();
    const gateway = createGateway({
      upstreams: {
        everything: { command: process.execPath, args: [...nodeArgsOf("server-everything", folder)] },
        files: {
          command: process.execPath,
          args: [...nodeArgsOf("server-filesystem", folder)],
          hide: ["write_file"],
        },
      },
      http: { port: 0 },
      store: "memory",
      logLevel: "silent",
    });
    onTestFinished(() => gateway.close());
    const { urls } = await gateway.listen();
    const client = new Client(about);
    await client.connect(new StreamableHTTPClientTransport(new URL(urls["everything"] ?? "")));
    expect(await client.callTool(echo)).toEqual(echoed);
    const old = new OldClient(about);
    await old.connect(new OldHttp(new URL(urls["files"] ?? "")) as never);
    const names = (await old.listTools()).tools.map(({ name }) => name);
    expect(names).toContain("waybill_retrieve");
    expect(names).not.toContain("write_file");
    expect(await gateway.summary()).toMatchObject({ calls: 1, tokensIn: 3, tokensOut: 3, cuts: 0 });
    const answerTo = async (name: string): Promise<string> =>
      JSON.stringify(await old.callTool({ name, arguments: { path: "x", content: "y" } }).catch(String))
        .replaceAll(/req_\w+|"duration_ms":[\d.]+/g, "")
        .replaceAll(name, "it");
    // What is hidden cannot be told from what the server does not have.
    expect(await answerTo("write_file")).toBe(await answerTo("write_fila"));
    expect(readdirSync(folder)).not.toContain("x");
    await client.close();
    await old.close();
    await gateway.close();
    expect(await gateway.ended()).toEqual({ by: "close", reason: "It was stopped." });
    await expect(fetch(urls["files"] ?? "")).rejects.toThrow("fetch failed");
  });
});

describe.runIf(isFullRun)("waybill gateway", () => {
  it("serves a command over HTTP until it is asked to stop, and says what was saved", async () => {
    const words = ["gateway", "--http", "0", "--summary", "--store", "memory", "--", process.execPath];
    const { child, ended, printed } = start([...words, ...nodeArgsOf("server-everything", makeFolder())]);
    const url = await printed(/http:\/\/127\.0\.0\.1:\d+\/server\/mcp/);
    const client = new Client(about);
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    expect(await client.callTool(echo)).toEqual(echoed);
    await client.close();
    child.kill("SIGTERM");
    const { code, stderr } = await ended;
    expect(stderr).toMatch(/calls +1\ntokens from the server +3\n/);
    expect(code).toBe(0);
  });

  it("brings a server behind a URL to a client on stdio", async () => {
    const server = spawn(
      process.execPath,
      [...nodeArgsOf("server-everything", "").slice(0, 1), "streamableHttp"],
      { env: { ...process.env, PORT: "33417" }, stdio: ["ignore", "ignore", "pipe"] },
    );
    onTestFinished(() => void server.kill("SIGKILL"));
    await once(server.stderr, "data");
    const args = ["--import", "tsx", main, "gateway", "--upstream", "http://127.0.0.1:33417/mcp"];
    const client = new Client(about);
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [...args, "--store", "memory"],
        stderr: "ignore",
      }),
    );
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("waybill_retrieve");
    expect(await client.callTool(echo)).toEqual(echoed);
    const { structuredContent, isError } = await client.callTool({ name: "get-sum", arguments: { a: "x" } });
    expect({ structuredContent, isError }).toEqual({ structuredContent: undefined, isError: true });
  });

  it("keeps what it cuts in a folder that only its owner can read", async () => {
    const state = mkdtempSync(join(tmpdir(), "waybill-state-"));
    onTestFinished(() => rmSync(state, { recursive: true, force: true }));
    const args = [...gatewayArgs(["--budget", "256"], [process.execPath, ...nodeArgsOf("fastmcp", "")])];
    const client = new Client(about);
    const env = { ...(process.env as Record<string, string>), XDG_STATE_HOME: state };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }),
    );
    onTestFinished(() => client.close());
    const { content } = await client.callTool({ name: "rows", arguments: { count: 500 } });
    expect(JSON.stringify(content)).toContain("content_archive_hashes");
    const paths = readdirSync(state, { recursive: true, encoding: "utf8" });
    const modes = paths.map((path) => {
      const stats = statSync(join(state, path));
      return `${stats.isDirectory() ? "d" : "-"}${(stats.mode & 0o777).toString(8)}`;
    });
    expect(new Set(modes)).toEqual(new Set(["d700", "-600"]));
    expect(paths.some((path) => path.startsWith(join("waybill", "archive")))).toBe(true);
  });

  it.each([
    [
      "a command that does not exist",
      ["gateway", "--", "no-such-command-anywhere"],
      3,
      'the command "no-such-command-anywhere" was not found on PATH',
    ],
    ["a wrong option", ["gateway", "--budget", "many", "--", process.execPath], 2, "whole number of tokens"],
    [
      "two servers",
      ["gateway", "--upstream", "http://127.0.0.1:1/mcp", "--", "x"],
      2,
      "Two servers are named",
    ],
    ["a name that is no part of a path", ["gateway", "--name", "a b", "--", process.execPath], 2, "a b"],
  ])("ends with its exit code and a reason for %s", async (_what, words, expected, reason) => {
    const { code, stderr } = await start(words).ended;
    expect(stderr).toContain(reason);
    expect(code).toBe(expected);
  });
});
