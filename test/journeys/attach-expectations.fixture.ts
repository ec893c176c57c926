import { expect } from "vitest";
import { validateResponse } from "../../src/core/pipeline/dialect/validate-response.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import type { AnyClient } from "./attach-clients.fixture.ts";
import { FORECAST, LEDGER, PNG, REPORT_URI } from "./attach-example.fixture.ts";

/** What a client sees of a tool: its envelope, and the blocks beside the envelope's text. */
interface Answer {
  readonly success: boolean;
  readonly error: unknown;
  readonly data: unknown;
  readonly blocks: readonly JsonObject[];
}

function success(data: object, blocks: readonly JsonObject[] = []): Answer {
  return { success: true, error: null, data, blocks };
}

function failure(error: string, data: object): Answer {
  return { success: false, error, data, blocks: [] };
}

const image = { type: "image", data: PNG, mimeType: "image/png" };
const link = { type: "resource_link", uri: REPORT_URI, name: "july", mimeType: "application/pdf" };
const failed = {
  error_code: "OPERATION_FAILED",
  error_type: "internal",
  remediation:
    "Check the arguments first, then read what failed and correct the cause; the same call would fail again.",
};
const toolsWithSchema = ["add", "forecast", "boom", "missing"];

const argsOf: Readonly<Record<string, JsonObject>> = {
  add: { a: 2, b: 3 },
  forecast: { city: "Bern" },
  greet: { name: "Ada" },
};

/** What each tool of the example answers under the contract. */
export const expectedAnswers: Readonly<Record<string, Answer>> = {
  add: success({ sum: 5 }),
  forecast: success(FORECAST),
  greet: success({ result: "Hello, Ada!" }),
  rows: success({ rows: [{ id: 1 }, { id: 2 }], next: null }),
  ledger: success({ result: LEDGER }),
  picture: success({}, [image]),
  report: success({ result: "The report is ready" }, [link]),
  refuse: failure("The printer is out of paper", failed),
  boom: failure("The disk is full", failed),
  missing: failure("Task not found: T-9", {
    error_code: "TASK_NOT_FOUND",
    error_type: "not_found",
    remediation: "List the tasks first.",
    details: { id: "T-9" },
  }),
  slow: success({ result: "Done" }),
  // Called with no arguments.
  waybill_retrieve: failure("Say which archive: a handle or hash from content_archive_hashes.", {
    error_code: "MISSING_REQUIRED",
    error_type: "validation",
    remediation:
      "archive: handle or hash from content_archive_hashes, e.g. 3f2a9c01b7de; over HTTP without sign-in the full hash; may be left out with ids of items, except without sign-in.",
    details: { field: "archive", constraint: "required unless ids are given" },
  }),
};

/** The envelope of a result, after checking that both channels say the same and that it keeps every rule. */
export function envelopeOf(result: JsonObject): JsonObject {
  const { content, structuredContent } = result as unknown as Delivered;
  expect(JSON.parse(content[0]?.text ?? "")).toEqual(structuredContent);
  expect(result["isError"] === true).toBe(structuredContent["success"] === false);
  const { violations } = validateResponse(result, { dialect: "response-v2", level: "result" });
  expect(violations).toEqual([]);
  return structuredContent;
}

interface Delivered {
  readonly content: readonly (JsonObject & { readonly text?: string })[];
  readonly structuredContent: JsonObject;
}

/** Lists the tools, so that the client checks results against their schemas, then calls every one. */
export async function readAnswers(client: AnyClient): Promise<Readonly<Record<string, Answer>>> {
  const answers: Record<string, Answer> = {};
  for (const { name, outputSchema } of await client.listTools()) {
    // A tool that promises nothing of its own is advertised without a promise; the others with the envelope's.
    if (toolsWithSchema.includes(name))
      expect(outputSchema).toMatchObject({ type: "object", required: ["success", "data", "error", "meta"] });
    else expect(outputSchema).toBeUndefined();
    const result = await client.call(name, argsOf[name] ?? {});
    const { success: isFine, error, data } = envelopeOf(result);
    const blocks = (result as unknown as Delivered).content.slice(1);
    answers[name] = { success: isFine === true, error, data, blocks };
  }
  return answers;
}
