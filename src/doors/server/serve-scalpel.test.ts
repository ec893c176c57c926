import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createTempFolder } from "../../engine/settings/temp-folder.fixture.ts";
import { followConfig } from "../../engine/settings/watch-config.ts";
import { defineTool } from "../../engine/settings/tool-definition.ts";
import { createContract } from "./create-contract.ts";
import { serve } from "./serve.ts";
import type { ServeOptions } from "./serve-options.ts";

const scan = defineTool("security_scan", { description: "Scans" }, () => ({ risk_level: "high", raw: 1 }));
const file = {
  global: { profile: "minimal", include_tool_id: true },
  tool_overrides: { security_scan: { exclude_fields: ["raw"] } },
};

function recorder() {
  const notices: string[] = [];
  const warn = (fields: unknown): void => {
    const { notice } = (fields ?? {}) as { notice?: string };
    if (notice !== undefined) notices.push(notice);
  };
  return { notices, logger: { debug: () => undefined, info: warn, warn, error: warn } };
}

function writeFile(): string {
  const path = createTempFolder().write("repo/.code-scalpel/response_config.json", file);
  vi.stubEnv("CODE_SCALPEL_RESPONSE_CONFIG", path);
  return path;
}

/** What a server beside the file answers to a call, and what its log says of configuration. */
async function answerOf(options: Partial<ServeOptions>) {
  const { notices, logger } = recorder();
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const base = { name: "scalpel", version: "3.3.0", tools: [scan], logger, stdio: { stdin, stdout } };
  const served = await serve({ ...base, ...options });
  onTestFinished(() => served.close());
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const ask = async (
    method: string,
    params: object,
  ): Promise<{ result: { structuredContent?: unknown } }> => {
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`);
    return JSON.parse((await lines.next()).value as string) as { result: object };
  };
  const clientInfo = { name: "c", version: "1" };
  await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  const { result } = await ask("tools/call", { name: "security_scan", arguments: {} });
  return { envelope: result.structuredContent, notices };
}

afterEach(() => void vi.unstubAllEnvs());

describe("serve beside a file of Code Scalpel", () => {
  it("answers in the scalpel dialect, and says so in one line", async () => {
    const path = writeFile();
    const { envelope, notices } = await answerOf({});
    expect(envelope).toEqual({ data: { risk_level: "high" } });
    expect(notices).toEqual([
      `${path}: results are written in the scalpel dialect, because this file is here and nothing chooses a dialect. To choose another, give serve() a dialect, or write one into waybill.config.json.`,
      `${path}:4: "global.include_tool_id" is not known here and is ignored.`,
    ]);
  });

  it("keeps the dialect that the code chooses, and proposes nothing", async () => {
    writeFile();
    const { envelope, notices } = await answerOf({ dialect: "response-v2" });
    expect(envelope).toMatchObject({ success: true, data: { risk_level: "high" } });
    expect(notices.join("\n")).not.toContain("dialect");
  });
});

describe("any other door beside a file of Code Scalpel", () => {
  const proposed = (options: object): readonly string[] => {
    const { notices, logger } = recorder();
    const config = followConfig();
    onTestFinished(() => config.close());
    createContract({ config, logger, ...options });
    return notices.filter((notice) => notice.includes("dialect"));
  };

  it("proposes the scalpel dialect in one line, unless code chooses one", () => {
    writeFile();
    expect(proposed({})).toEqual([expect.stringContaining("createContract do not: for those, write")]);
    expect(proposed({ dialect: "response-v2" })).toEqual([]);
  });
});
