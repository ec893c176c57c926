// The forms of the five source documents as answers of a server behind the gateway: read, never wrapped again.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { until } from "../../engine/transport/until.fixture.ts";
import { type Serve, bridgeTo } from "./bridge/bridge.fixture.ts";

const seed = (name: string): JsonObject =>
  JSON.parse(
    readFileSync(new URL(`../../../test/fixtures/seeds/${name}.json`, import.meta.url), "utf8"),
  ) as JsonObject;

const asText = (json: JsonObject): JsonObject => ({
  content: [{ type: "text", text: JSON.stringify(json) }],
});

interface Asked {
  readonly answer: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly serverName?: string;
}

/** What a client gets for one call, and the schema that it was shown. */
async function ask(
  { answer, outputSchema, serverName = "server" }: Asked,
  options: ContractOptions,
): Promise<{ readonly result: JsonObject; readonly listed: JsonObject | undefined; readonly raw: string }> {
  const serve: Serve = ({ id, method }) => {
    if (id === undefined) return undefined;
    const tool = { name: "t", inputSchema: { type: "object" }, ...(outputSchema && { outputSchema }) };
    const results: Readonly<Record<string, JsonObject>> = {
      initialize: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: serverName, version: "1" },
      },
      "tools/list": { tools: [tool] },
    };
    return {
      jsonrpc: "2.0",
      id,
      result: (typeof method === "string" ? results[method] : undefined) ?? answer,
    };
  };
  const { client } = bridgeTo(serve, { profile: "minimal", ...options });
  const send = async (id: number, method: string, params: JsonObject): Promise<JsonObject> => {
    client.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    await until(() => client.heard.some((message) => (message as JsonObject)["id"] === id));
    return client.heard.find((message) => (message as JsonObject)["id"] === id) as JsonObject;
  };
  await send(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} });
  const { result: list } = (await send(2, "tools/list", {})) as { result: { tools: readonly JsonObject[] } };
  const { result } = (await send(3, "tools/call", { name: "t", arguments: {} })) as { result: JsonObject };
  client.close();
  const listed = list.tools[0]?.["outputSchema"];
  return { result, listed: isJsonObject(listed) ? listed : undefined, raw: JSON.stringify(result) };
}

const wordsOf = ({ structuredContent, content }: JsonObject): unknown => {
  if (structuredContent !== undefined) return structuredContent;
  const last = (content as readonly { text: string }[]).at(-1);
  try {
    return JSON.parse(last?.text ?? "") as unknown;
  } catch {
    return last?.text;
  }
};

const minimal = seed("002-L086-success-minimal");
const debug = seed("002-L097-success-debug");
const prefixed: JsonObject = (seed("003-L192-response-customers-retrieve-missing") as { result: JsonObject })
  .result;

describe("a server behind the gateway that speaks scalpel", () => {
  it("has its nine keys read, not wrapped in data again", async () => {
    const { result } = await ask({ answer: asText(debug) }, { dialect: "scalpel" });
    expect(wordsOf(result)).toMatchObject({ data: debug["data"] });
    expect(wordsOf(result)).not.toMatchObject({ data: { data: {} } });
    const { result: v2 } = await ask({ answer: asText(debug) }, { dialect: "response-v2", profile: "debug" });
    const { data, meta } = wordsOf(v2) as { data: JsonObject; meta: JsonObject };
    expect(data).toEqual(debug["data"]);
    expect(meta).toMatchObject({
      tier: debug["tier"],
      tool_version: debug["tool_version"],
      request_id: debug["request_id"],
      telemetry: { duration_ms: debug["duration_ms"] },
    });
  });

  it("may mean anything by data alone, and is asked by its setting or its name", async () => {
    const answer = asText(minimal);
    const ofAny = await ask({ answer }, { dialect: "response-v2" });
    expect(wordsOf(ofAny.result)).toMatchObject({ data: minimal });
    const told = { dialect: "response-v2", upstream: { dialect: "scalpel" } } as const;
    const ofTool: ContractOptions = { dialect: "response-v2", toolSettings: { t: told } };
    const byName = { dialect: "response-v2" } as const;
    for (const asked of [
      await ask({ answer }, told),
      await ask({ answer }, ofTool),
      await ask({ answer, serverName: "Code Scalpel" }, byName),
      await ask({ answer, serverName: "code-scalpel-mcp" }, byName),
    ])
      expect(wordsOf(asked.result)).toMatchObject({ success: true, data: minimal["data"] });
    const same = await ask({ answer }, { dialect: "scalpel", upstream: { dialect: "scalpel" } });
    expect(wordsOf(same.result)).toEqual(minimal);
  });

  it("gives its failures their code once", async () => {
    const failure = seed("002-L116-error-minimal");
    const scalpel = await ask({ answer: asText(failure) }, { dialect: "scalpel" });
    expect(wordsOf(scalpel.result)).toEqual({ error: failure["error"] });
    const v2 = await ask({ answer: asText(failure) }, { dialect: "response-v2" });
    expect(wordsOf(v2.result)).toMatchObject({
      success: false,
      error: "File not found: /missing.py",
      data: { error_code: "NOT_FOUND", error_type: "not_found" },
    });
    expect(wordsOf(v2.result)).not.toHaveProperty("data.details");
    expect(wordsOf(v2.result)).toHaveProperty("data.remediation");
  });

  it("is cut without its envelope under auto, and passes as its own bytes where it fits", async () => {
    const items = Array.from({ length: 400 }, (_, id) => ({ id, name: `finding number ${id}` }));
    const large = asText({ ...debug, data: { items } });
    const { result, raw } = await ask({ answer: large }, { dialect: "auto", budget: { tokens: 500 } });
    expect(wordsOf(result)).toMatchObject({ success: true, error: null });
    expect(wordsOf(result)).toHaveProperty("data.items.0", { id: 0, name: "finding number 0" });
    expect(raw).not.toContain(String.raw`\"data\":{\"data\"`);
    const small = await ask({ answer: asText(debug) }, { dialect: "auto" });
    expect(small.result).toEqual(asText(debug));
  });

  it("lists a schema that holds for what is read out of its envelope", async () => {
    const nothing = { anyOf: [{ type: "string" }, { type: "null" }] };
    const outputSchema: JsonObject = {
      type: "object",
      properties: { tier: nothing, tool_id: nothing, data: {}, error: {}, upgrade_hints: {} },
      required: ["data"],
    };
    const answer: JsonObject = {
      ...asText({ data: [1, 2], tier: "pro" }),
      structuredContent: { data: [1, 2], tier: "pro" },
    };
    const v2 = await ask({ answer, outputSchema }, { dialect: "response-v2" });
    expect(wordsOf(v2.result)).toMatchObject({ data: { result: [1, 2] } });
    expect(v2.listed).toMatchObject({ properties: { data: { type: "object" } } });
    expect(v2.listed).not.toHaveProperty("properties.data.required");
    const auto = await ask({ answer, outputSchema }, { dialect: "auto" });
    expect(auto.result).toEqual(answer);
    // A schema of other fields was promised for the data as it is, so it stays as it is.
    const other = { type: "object", properties: { rows: { type: "array" } }, required: ["rows"] };
    const kept = await ask({ answer, outputSchema: other }, { dialect: "response-v2" });
    expect(wordsOf(kept.result)).toMatchObject({ data: { data: [1, 2], tier: "pro" } });
  });
});

describe("a server behind the gateway that speaks drf", () => {
  const message = "ViewSet returned error";

  it("has its prefix once", async () => {
    const text = ((prefixed["content"] as readonly JsonObject[])[0] ?? {})["text"] as string;
    const { result } = await ask({ answer: prefixed }, { dialect: "drf" });
    expect(wordsOf(result)).toBe(text);
    for (const dialect of ["response-v2", "auto"] as const) {
      const { result: v2, raw } = await ask({ answer: prefixed }, { dialect });
      expect(wordsOf(v2)).toMatchObject({ success: false, data: { error_code: "NOT_FOUND" } });
      expect((wordsOf(v2) as JsonObject)["error"]).toContain(message);
      expect(raw).not.toContain("Error executing tool");
    }
  });

  it("fails by its prefix alone, which is taken off only where it is known to speak drf", async () => {
    const { isError: _, ...unmarked } = prefixed;
    const guessed = await ask({ answer: unmarked }, { dialect: "response-v2" });
    expect(wordsOf(guessed.result)).toMatchObject({ success: false });
    expect(guessed.raw).toContain("Error executing tool");
    const told = await ask({ answer: unmarked }, { dialect: "response-v2", upstream: { dialect: "drf" } });
    expect(wordsOf(told.result)).toMatchObject({ success: false });
    expect(told.raw).not.toContain("Error executing tool");
  });
});

describe("a server behind the gateway that follows the guide of 000", () => {
  const data = { tasks: [1], _meta: { pagination: { has_more: false } }, _warnings: ["The index is old"] };
  const success: JsonObject = { success: true, data, error: null, meta: { version: "response-v2" } };

  it("has its warnings in meta.warnings and its metadata in meta", async () => {
    const { result } = await ask({ answer: asText(success) }, { dialect: "response-v2" });
    expect(wordsOf(result)).toEqual({
      success: true,
      data: { tasks: [1] },
      error: null,
      meta: {
        version: "response-v2",
        warnings: ["The index is old"],
        pagination: { has_more: false },
      },
    });
    const untouched = await ask({ answer: asText(success) }, { dialect: "auto" });
    expect(untouched.result).toEqual(asText(success));
  });

  it("keeps them in its data where it is known to speak response-v2, or nothing", async () => {
    const v2 = await ask(
      { answer: asText(success) },
      { dialect: "response-v2", upstream: { dialect: "response-v2" } },
    );
    expect(wordsOf(v2.result)).toMatchObject({ data });
    const bare = await ask(
      { answer: asText(success) },
      { dialect: "response-v2", upstream: { dialect: "plain" } },
    );
    expect(wordsOf(bare.result)).toMatchObject({ data: success });
  });

  it("has the code that the legacy form gets for the same words", async () => {
    const error = "Spec not found: missing-spec-001";
    const guide: JsonObject = { success: false, data: {}, error, meta: { version: "response-v2" } };
    for (const dialect of ["response-v2", "auto"] as const) {
      const of000 = await ask({ answer: asText(guide) }, { dialect });
      const legacy = await ask({ answer: asText({ error }) }, { dialect });
      expect(wordsOf(of000.result)).toMatchObject({ data: { error_code: "NOT_FOUND" } });
      expect((wordsOf(of000.result) as JsonObject)["data"]).toEqual(
        (wordsOf(legacy.result) as JsonObject)["data"],
      );
      expect(wordsOf(of000.result)).toHaveProperty("data.remediation");
    }
  });

  it("may give its code in meta", async () => {
    const meta = { version: "response-v2", error_code: "TASK_NOT_FOUND", error_type: "not_found" };
    const coded = { success: false, data: {}, error: "No such task", meta };
    const { result } = await ask({ answer: asText(coded) }, { dialect: "response-v2" });
    expect(wordsOf(result)).toMatchObject({ data: { error_code: "TASK_NOT_FOUND" } });
    expect(wordsOf(result)).not.toHaveProperty("meta.error_code");
  });
});

describe("a server behind the gateway that speaks response-v2", () => {
  it("may leave error out of a page, as source 004 prints it", async () => {
    const page = { success: true, data: { a: 1 }, meta: { version: "response-v2" } };
    const { result } = await ask({ answer: asText(page) }, { dialect: "response-v2" });
    expect(wordsOf(result)).toMatchObject({ data: { a: 1 } });
  });

  it("gets a code by its words for a failure that has none", async () => {
    const failure = {
      success: false,
      data: { tried: 3 },
      error: "no such table: users",
      meta: { version: "response-v2" },
    };
    const { result } = await ask({ answer: asText(failure) }, { dialect: "response-v2" });
    expect(wordsOf(result)).toMatchObject({ data: { error_code: "NOT_FOUND", tried: 3 } });
  });
});

describe("what is not sure", () => {
  it("stays data", async () => {
    for (const json of [
      { data: [1], meta: { page: 1 } },
      { data: [1], error: null },
      { data: [1], request_id: "r", meta: {} },
      { data: [1], tier: 5 },
      { data: [1], tier: "pro", rows: 3 },
    ] as readonly JsonObject[]) {
      const { result } = await ask({ answer: asText(json) }, { dialect: "response-v2" });
      expect(wordsOf(result)).toMatchObject({ data: json });
    }
  });
});
