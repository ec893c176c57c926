import { ToolSchemas } from "../../src/engine/call/tool-schemas.ts";
// What becomes of a foreign failure beyond its code: who decided, how sure, from what; and what is only noted.
import { describe, expect, it } from "vitest";
import { answerCall } from "../../src/engine/call/run-call.ts";
import type { CalledTool } from "../../src/engine/call/called-tool.ts";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";
import { createState } from "../../src/engine/call/contract-state.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";

const text = (said: unknown): JsonObject => ({
  content: [{ type: "text", text: typeof said === "string" ? said : JSON.stringify(said) }],
});

/** How a foreign result goes out under these options. */
async function sent(
  result: JsonObject,
  options: ContractOptions = {},
  listedSchema: JsonObject | null = null,
) {
  const state = createState({ logLevel: "silent", validate: "always", store: "memory", ...options });
  const tool: CalledTool = {
    name: "any",
    config: {},
    schemas: ToolSchemas.ofListed(listedSchema),
    listedSchema,
    parse: (_state, args) => args,
    run: () => ({ kind: "result", result }),
  };
  const answered = await answerCall(state, tool, {}, { meta: {} });
  const envelope = (answered.result["structuredContent"] ?? {}) as JsonObject;
  return { answered: answered.result, envelope, data: envelope["data"] as JsonObject };
}

describe("a failure of another server", () => {
  it("names its rule, confidence and original in the debug profile, and nowhere else", async () => {
    const failed = { ...text({ ok: false, error: "channel_not_found" }), isError: true };
    const { data } = await sent(failed, { profile: "debug" });
    expect(data).toMatchObject({
      error_code: "NOT_FOUND",
      details: {
        upstream: {
          rule: "payload/flag, its own code",
          confidence: "high",
          original: '{"ok":false,"error":"channel_not_found"}',
        },
      },
    });
    for (const profile of ["minimal", "standard"])
      expect(JSON.stringify((await sent(failed, { profile })).answered)).not.toContain("upstream");
  });

  it("is one though MCP was not told, where its payload says nothing else", async () => {
    const { answered, envelope, data } = await sent(
      text({ success: false, error: "Table 'a' not found", table: "a" }),
    );
    expect(answered["isError"]).toBe(true);
    expect(envelope).toMatchObject({ success: false, error: "Table 'a' not found" });
    expect(data).toMatchObject({ error_code: "NOT_FOUND", details: { table: "a" } });
  });

  it.each<[string, JsonObject]>([
    ["a flag and words", { success: false, error: "Not found: x" }],
    ["an error alone", { error: "Not found: x" }],
    ["an error with a message", { error: { message: "Not found: x" } }],
    ["the wrapping of Python servers", { result: { ok: false, error: "Not found: x" } }],
  ])("is one in a structure alone, where no schema asks for it: %s", async (_name, structuredContent) => {
    const { answered, envelope, data } = await sent({ content: [], structuredContent });
    expect(answered["isError"]).toBe(true);
    expect(envelope).toMatchObject({ success: false, error: "Not found: x" });
    expect(data).toMatchObject({ error_code: "NOT_FOUND" });
    const { answered: bare } = await sent({ content: [], structuredContent }, { dialect: "auto" });
    expect(bare).toMatchObject({ isError: true });
  });

  it.each<[string, JsonObject]>([
    ["a flag and words", { success: false, error: "Not found: x" }],
    ["an error alone", { error: "Not found: x" }],
  ])("is one beside a short text, which stays: %s", async (_name, structuredContent) => {
    const { answered, data } = await sent({ ...text("done"), structuredContent }, { profile: "debug" });
    const original = JSON.stringify(structuredContent);
    expect(answered["isError"]).toBe(true);
    expect(data).toMatchObject({ error_code: "NOT_FOUND", details: { upstream: { original } } });
    expect(answered["content"]).toContainEqual({ type: "text", text: "done" });
  });

  it("is only noted beside a long text, which may be what was asked for", async () => {
    const structuredContent = { success: false, error: "Not found: x" };
    const { answered } = await sent({ ...text("A line of a page\n".repeat(100)), structuredContent });
    expect(answered["isError"]).toBeUndefined();
    expect(JSON.stringify(answered)).toContain("POSSIBLE_FAILURE");
  });

  it("is no failure in a structure that a schema asks for, unless a text repeats it", async () => {
    const schema: JsonObject = { type: "object" };
    const structuredContent = { success: false, error: "Not found: x" };
    for (const content of [[], [{ type: "text", text: "done" }]])
      expect((await sent({ content, structuredContent }, { dialect: "auto" }, schema)).answered).toEqual({
        content,
        structuredContent,
      });
    const repeated = { ...text(structuredContent), structuredContent };
    expect((await sent(repeated, {}, schema)).answered["isError"]).toBe(true);
  });

  it("is one where its mark in _meta says so, though isError is missing", async () => {
    const mark = { class: "reliability", code: "rate_limited", correlationId: "a", retryable: true };
    const marked = { ...text("slow down"), _meta: { "io.modelcontextprotocol/toolFailure": mark } };
    expect((await sent(marked)).data).toMatchObject({ error_code: "RATE_LIMIT_EXCEEDED" });
  });

  it("says that a retry cannot help where the server lacks its key", async () => {
    const { data } = await sent({ ...text("SEARCH_API_KEY environment variable is not set"), isError: true });
    expect(data).toMatchObject({ error_code: "OPERATION_FAILED", details: { retryable: false } });
    expect(data["remediation"]).toContain("the person who runs the server");
  });

  it.each([
    ["Rate limit exceeded, retry after 1m30s", 90],
    ["429 Too Many Requests, try again in 500ms", 1],
    ["Service unavailable. Retry-After: 20", 20],
    [JSON.stringify({ error: { code: "rate_limited", message: "slow down", retry_after: 7 } }), 7],
  ])("says how long to wait: %s", async (said, seconds) => {
    expect((await sent({ ...text(said), isError: true })).data).toMatchObject({
      retry_after_seconds: seconds,
    });
  });

  it("keeps its code open where words only suggest one, and notes what they suggest", async () => {
    const { envelope, data } = await sent({ ...text("The daemon is not running"), isError: true });
    expect(data["error_code"]).toBe("OPERATION_FAILED");
    expect(envelope["meta"]).toMatchObject({
      warning_details: [{ code: "POSSIBLE_CAUSE", severity: "info", context: { error_code: "UNAVAILABLE" } }],
    });
  });
});

describe("a success that reads like a failure", () => {
  const doubtful = text("Error: a was refused\nInfo: b was started");

  it("stays a success with a warning", async () => {
    const { answered, envelope } = await sent(doubtful);
    expect(answered["isError"]).toBeUndefined();
    expect(envelope).toMatchObject({
      success: true,
      data: { result: "Error: a was refused\nInfo: b was started" },
      meta: { warning_details: [{ code: "POSSIBLE_FAILURE", context: { rule: "unmarked/words" } }] },
    });
  });

  it("keeps its blocks under auto, and says so in one short block", async () => {
    const { answered } = await sent(doubtful, { dialect: "auto", profile: "minimal" });
    const [first, second, ...more] = answered["content"] as readonly JsonObject[];
    expect(first).toEqual((doubtful["content"] as readonly JsonObject[])[0]);
    expect(JSON.parse(second?.["text"] as string)).toMatchObject({
      meta: { warnings: ["The result reads like a failure, although the server did not mark it as one"] },
    });
    expect(more).toEqual([]);
  });

  it("is left alone where it carries data beside its error", async () => {
    const value = { ok: false, checks: [{ name: "db", ok: true }] };
    const { answered } = await sent(text(value), { dialect: "auto", profile: "minimal" });
    expect(answered).toEqual(text(value));
  });
});
