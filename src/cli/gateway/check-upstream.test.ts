import { describe, expect, it } from "vitest";
import { checkUpstream } from "./check-upstream.ts";

const server = `
const { createInterface } = require("node:readline");
process.stderr.write("HIDDEN=" + process.env.WAYBILL_TEST_HIDDEN + " GIVEN=" + process.env.GIVEN + "\\n");
const inputSchema = { type: "object", properties: {} };
const tools = [{ name: "now", description: "Says what time it is.", inputSchema, annotations: { readOnlyHint: true } }];
const answers = {
  initialize: () => ({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "clock", version: "1" } }),
  "tools/list": () => ({ tools }),
  "tools/call": () => ({ content: [{ type: "text", text: "noon" }] }),
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

const never = new AbortController().signal;

describe("the checker of a gateway's page", () => {
  it("checks a server with the variables that it has behind the gateway, and sums up its report", async () => {
    process.env["WAYBILL_TEST_HIDDEN"] = "x";
    const lines: string[] = [];
    const steps: string[] = [];
    const check = checkUpstream(
      () => ({ clock: { command: process.execPath, args: ["-e", server], env: { GIVEN: "y" } } }),
      (upstream, line) => lines.push(`${upstream}: ${line}`),
    );
    try {
      const report = await check("clock", (says) => steps.push(says), never);
      expect(report.score).toBeGreaterThan(0);
      expect(report.calls).toBeGreaterThan(0);
      const { error, warning, info } = report.counts;
      expect(report.findings).toHaveLength(error + warning + info);
      expect(steps[0]).toBe("Connecting");
      expect(steps.join()).toContain("Calling now (0 of 1 tools done)");
      expect(lines[0]).toBe("clock: HIDDEN=undefined GIVEN=y");
      // What is sent to the page has no calls and no replies in it.
      expect(Object.keys(report.findings[0] ?? {})).not.toContain("call");
    } finally {
      delete process.env["WAYBILL_TEST_HIDDEN"];
    }
  }, 60_000);

  it("fails for a server that is not there", async () => {
    const upstreams = { gone: { command: "no-such-command-here" } };
    const check = checkUpstream(
      () => upstreams,
      () => undefined,
    );
    await expect(check("gone", () => undefined, never)).rejects.toThrow(/^The server could not be reached: /);
    await expect(check("other", () => undefined, never)).rejects.toThrow(/names no server "other"/);
  }, 60_000);
});
