import { spawn } from "node:child_process";
import { once } from "node:events";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { makeDevProject } from "./dev-project.fixture.ts";

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

  it("serves over HTTP on the same port from start to start, and ends with 0", async () => {
    const project = makeDevProject();
    const child = spawn(process.execPath, [...waybill, "dev", project.file, "--http", "0"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const said = heard(child.stderr);
    await said(watching);
    const [, url = ""] = /listens on (http\S+)/.exec(await said("listens on")) ?? [];
    const client = clientOf("legacy");
    onTestFinished(() => client.close());
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    expect(await ask(client)).toBe("one");
    project.says("two");
    await vi.waitFor(async () => expect(await ask(client)).toBe("two"), inTime);
    await said(/server\.ts changed, the server is started again\n/);
    child.kill("SIGTERM");
    const [code] = (await once(child, "exit")) as [number | null];
    expect(code).toBe(0);
    await expect(fetch(url)).rejects.toThrow("fetch failed");
  });
});
