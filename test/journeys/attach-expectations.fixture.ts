import { expect } from "vitest";
import { validateResponse } from "../../src/pipeline/dialect/validate-response.ts";
import type { JsonObject } from "../../src/json/json-value.ts";
import type { AnyClient } from "./attach-clients.fixture.ts";
import { FORECAST, LEDGER, PNG, REPORT_URI } from "./attach-example.fixture.ts";

interface Expected {
  readonly args?: JsonObject;
  readonly success: boolean;
  readonly data: object;
  readonly error?: unknown;
  /** The blocks beside the envelope's text. */
  readonly blocks?: readonly JsonObject[];
}

const image = { type: "image", data: PNG, mimeType: "image/png" };
const link = { type: "resource_link", uri: REPORT_URI, name: "july", mimeType: "application/pdf" };

/** What each tool of the example answers under the contract. */
export const expectations: Readonly<Record<string, Expected>> = {
  add: { args: { a: 2, b: 3 }, success: true, data: { sum: 5 } },
  forecast: { args: { city: "Bern" }, success: true, data: FORECAST },
  greet: { args: { name: "Ada" }, success: true, data: { result: "Hello, Ada!" } },
  rows: { success: true, data: { rows: [{ id: 1 }, { id: 2 }], next: null } },
  ledger: { success: true, data: { result: LEDGER } },
  picture: { success: true, data: {}, blocks: [image] },
  report: { success: true, data: { result: "The report is ready" }, blocks: [link] },
  refuse: {
    success: false,
    error: "The printer is out of paper",
    data: { error_code: "OPERATION_FAILED", error_type: "internal" },
  },
  boom: {
    success: false,
    error: "The disk is full",
    data: { error_code: "OPERATION_FAILED", error_type: "internal" },
  },
  missing: {
    success: false,
    error: "Task not found: T-9",
    data: {
      error_code: "TASK_NOT_FOUND",
      error_type: "not_found",
      remediation: "List the tasks first.",
      details: { id: "T-9" },
    },
  },
};

/** The envelope of a result, after checking that both channels say the same and that it keeps every rule. */
export function envelopeOf(result: JsonObject): JsonObject {
  const { content, structuredContent } = result as { content: JsonObject[]; structuredContent: JsonObject };
  expect(JSON.parse(String(content[0]?.["text"]))).toEqual(structuredContent);
  expect(result["isError"] === true).toBe(structuredContent["success"] === false);
  const { violations } = validateResponse(result, { dialect: "response-v2", level: "result" });
  expect(violations).toEqual([]);
  return structuredContent;
}

/** Lists the tools, so that the client checks results against their schemas, then calls every one. */
export async function expectEnvelopes(client: AnyClient): Promise<void> {
  const tools = await client.listTools();
  for (const { name, outputSchema } of tools) {
    expect(outputSchema, name).toMatchObject({
      type: "object",
      required: ["success", "data", "error", "meta"],
    });
  }
  for (const [name, { args = {}, success, data, error = null, blocks = [] }] of Object.entries(
    expectations,
  )) {
    const result = await client.call(name, args);
    const envelope = envelopeOf(result);
    expect(envelope, name).toMatchObject({ success, error, meta: { version: "response-v2" } });
    expect(envelope["data"], name).toEqual(data);
    expect((result["content"] as JsonObject[]).slice(1), name).toEqual(blocks);
  }
}
