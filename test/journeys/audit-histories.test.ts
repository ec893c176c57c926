import { spawn } from "node:child_process";
import { chmodSync, closeSync, mkdtempSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { isJsonObject } from "../../src/core/json/json-value.ts";
import { GatewayTwin } from "../../src/doors/gateway/audit/gateway-twin.ts";
import { shapes } from "../clients/shapes.ts";

const LIMIT_MS = 60_000;

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command in a process of its own: with little memory, or as another user. */
function audit(home: string, nodeOptions: readonly string[], user: { uid?: number } = {}): Promise<Ended> {
  const words = [...nodeOptions, "--import", "tsx", "src/cli/main.ts", "audit", "--since", "2026-11-01"];
  const env = { ...process.env, HOME: home, CODEX_HOME: join(home, ".codex"), TMPDIR: home };
  const child = spawn(process.execPath, words, { env, ...user, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })));
}

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), "waybill-audit-"));
  onTestFinished(() => {
    chmodSync(join(home, ".codex"), 0o700);
    rmSync(home, { recursive: true, force: true });
  });
  mkdirSync(join(home, ".codex/sessions/2026"), { recursive: true });
  return home;
}

const lineOf = (id: string, text: string): string => {
  const result = { content: [{ type: "text", text }] };
  const item = { type: "McpToolCall", id, server: "shop", tool: "list", arguments: {}, result };
  const payload = { type: "item_completed", thread_id: "t", turn_id: "u", item };
  return `${JSON.stringify({ timestamp: "2026-11-10T08:00:00.000Z", type: "event_msg", payload })}\n`;
};

const MEGABYTE = 1_000_000;

describe("a history of 200 megabytes", () => {
  it(
    "is read in the memory of a small process, whatever its lines are",
    { timeout: 5 * LIMIT_MS },
    async () => {
      const home = newHome();
      const file = openSync(join(home, ".codex/sessions/rollout-1.jsonl"), "w");
      // A line that is longer than any call, then many that are of no server, and a call now and then.
      writeSync(file, '{"a":"');
      for (let written = 0; written < 70; written++) writeSync(file, "x".repeat(MEGABYTE));
      writeSync(file, '"}\n');
      const other = `${JSON.stringify({ type: "response_item", payload: { type: "message", text: "m".repeat(10_000) } })}\n`;
      const block = other.repeat(100);
      for (let index = 0; index < 130; index++) {
        writeSync(file, block);
        if (index % 10 === 0) writeSync(file, lineOf(`c${index}`, `row ${index}\n`.repeat(50)));
      }
      closeSync(file);
      const { code, stdout, stderr } = await audit(home, ["--max-old-space-size=160"]);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(/^shop +Codex +13 /m);
      expect(stdout).toContain("Codex: 1 line or document is over 64 MiB.");
    },
  );
});

describe("a folder that cannot be read", () => {
  it("is counted, and the rest is read", { timeout: LIMIT_MS }, async ({ skip }) => {
    const isRoot = process.getuid?.() === 0;
    skip(process.platform === "win32", "Windows has no such folders");
    const home = newHome();
    const file = openSync(join(home, ".codex/sessions/rollout-1.jsonl"), "w");
    writeSync(file, lineOf("c1", "two hats"));
    closeSync(file);
    chmodSync(home, 0o777);
    chmodSync(join(home, ".codex/sessions/2026"), 0o000);
    onTestFinished(() => chmodSync(join(home, ".codex/sessions/2026"), 0o700));
    // Root may read everything.
    const { code, stdout } = await audit(home, [], isRoot ? { uid: 65_534 } : {});
    expect(code).toBe(0);
    expect(stdout).toMatch(/^shop +Codex +1 /m);
    expect(stdout).toContain("Codex: 1 file or folder cannot be read.");
  });
});

const node = [process.execPath, "--import", "tsx"] as const;

describe("what an audit says of the gateway", () => {
  it.each(["codex-mcp-client", "Cline"])(
    "is what the gateway sends to a client named %s",
    { timeout: 2 * LIMIT_MS },
    async (name) => {
      const server = [...node, "test/clients/shape-server.ts"];
      const gateway = ["src/cli/main.ts", "gateway", "--name", "lab", "--store", "memory", "--", ...server];
      const client = new Client({ name, version: "0" });
      const [command, ...args] = [...node, ...gateway];
      await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }));
      onTestFinished(() => client.close());
      const twin = new GatewayTwin();
      onTestFinished(() => twin.close());
      // A history has no output schemas, and their tools would be cut by them.
      const untyped = shapes.filter(
        ({ outputSchema, answer }) => outputSchema === undefined && "result" in answer,
      );
      expect(untyped.length).toBeGreaterThan(15);
      for (const { name: tool, answer } of untyped) {
        const result = "result" in answer ? answer.result : undefined;
        if (!isJsonObject(result)) throw new Error(`${tool} has no result`);
        const call = { id: tool, session: "s", server: "lab", tool, args: {}, atMs: 0, given: undefined };
        const told = await twin.answer({ clientName: name }, { ...call, result, isCut: false }, result);
        const sent = await client.callTool({ name: tool, arguments: {} });
        const withoutIds = (value: unknown): unknown =>
          JSON.parse(JSON.stringify(value).replaceAll(/req_[0-9a-z]+/g, "req_1"));
        expect([tool, withoutIds(told?.result)]).toEqual([tool, withoutIds(sent)]);
      }
    },
  );
});
