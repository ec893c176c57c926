import { inspect } from "node:util";
import { Script } from "node:vm";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ResponseError } from "../../core/contract/response-error.ts";
import { errorResponse } from "../../core/contract/tool-fault.ts";
import { successResponse } from "../../core/contract/success-responses.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { createContract } from "../../doors/server/create-contract.ts";
import { runTool } from "../../doors/testing/run-tool.ts";
import { validatePayload } from "../digest/payload/serialize-payload.ts";
import { acceptingSchema, type StandardSchema } from "../settings/standard-schema.ts";
import { type AnyTool, defineTool } from "../settings/tool-definition.ts";

const counted = z.object({ n: z.number() });

/** A handler without types, as a server in JavaScript has it. */
function toolOf(outputSchema: StandardSchema | undefined, returned: unknown): AnyTool {
  const tool = defineTool("t", { description: "t" }, () => returned);
  return { ...tool, config: { ...tool.config, ...(outputSchema && { outputSchema }) } };
}

async function answerOf(outputSchema: StandardSchema | undefined, returned: unknown) {
  const logged: JsonObject[] = [];
  const note = (fields: object): void => void logged.push(fields as JsonObject);
  const logger = { debug: note, info: note, warn: note, error: note };
  const contract = { logger, logLevel: "warn", validate: "always" } as const;
  const { outcome, result } = await runTool(toolOf(outputSchema, returned), {}, { contract });
  const said = inspect(logged, { depth: 5 });
  return { outcome, result, said, logged };
}

const text = { type: "text", text: "Three" };
const emptyFailure = { ...errorResponse("x"), error: "" };

describe("data that breaks the tool's output schema", () => {
  it.each([
    ["nothing", undefined, "at n"],
    ["null", null, "at the root"],
    ["a value of another type", { n: "three" }, "at n"],
    ["a result that has only text", { content: [text] }, "at the root"],
    [
      "a result that has only an image",
      { content: [{ type: "image", data: "", mimeType: "image/png" }] },
      "at n",
    ],
    ["a ready-made structure", { content: [], structuredContent: { n: "3" } }, "at n"],
    ["an envelope of its own", successResponse({ m: 3 }), "at n"],
    ["a result around an envelope", { content: [], structuredContent: successResponse({ m: 3 }) }, "at n"],
    ["data that only resembles an envelope", { success: true, error: null, meta: { rows: 3 } }, "at n"],
    ["a Map", new Map([["n", 3]]), "is a Map"],
    ["NaN", { n: Number.NaN }, "is NaN"],
  ])("is INTERNAL_ERROR after the tool has run, with a line in the log: %s", async (_, returned, why) => {
    const { outcome, said, logged } = await answerOf(counted, returned);
    expect(outcome).toMatchObject({
      ok: false,
      fault: {
        code: "INTERNAL_ERROR",
        details: { executed: "yes" },
        remediation: expect.stringMatching(/^Do not repeat the call: the tool ran/),
      },
    });
    expect(logged).toHaveLength(1);
    expect(said).toContain(why);
  });

  it("is not looked for in failures, questions and tasks", async () => {
    const failed = { content: [text], structuredContent: { m: 3 }, isError: true };
    expect((await answerOf(counted, failed)).outcome).toMatchObject({ fault: { code: "OPERATION_FAILED" } });
    const told = errorResponse("Gone", { errorCode: "NOT_FOUND" });
    expect((await answerOf(counted, told)).outcome).toMatchObject({ fault: { code: "NOT_FOUND" } });
  });

  it("is reported too when the schema itself throws", async () => {
    const broken = z.object({ n: z.number() }).refine(() => {
      throw new Error("no such thing");
    });
    const { outcome, said } = await answerOf(broken, { n: 1 });
    expect(outcome).toMatchObject({ fault: { code: "INTERNAL_ERROR", details: { executed: "yes" } } });
    expect(said).toContain("no such thing");
  });
});

describe("a mistake in the code of a tool", () => {
  const thrown: readonly (readonly [string, () => unknown])[] = [
    ["a result that JSON cannot carry, in an envelope", () => successResponse({ n: new Map() as never })],
    ["a failure without a message", () => errorResponse("")],
    ["a name that is not there", () => new Script("missingName").runInThisContext()],
  ];

  it.each(thrown)("is not announced as worth a retry: %s", async (_, handler) => {
    const tool = defineTool("t", { description: "t" }, handler as () => never);
    const { outcome, result } = await runTool(tool, {}, { contract: { logLevel: "silent" } });
    expect(outcome).toMatchObject({
      fault: {
        code: "INTERNAL_ERROR",
        details: { executed: "unknown", retryable: false },
        remediation: expect.stringMatching(/^Do not repeat the call: the server has a mistake in its code\./),
      },
    });
    expect(JSON.stringify(result)).not.toMatch(/backoff|Map|missingName|output-check/);
    if (outcome.ok) throw new Error("it failed");
    expect(new ResponseError(outcome.fault).retryRule).toBe("never");
  });

  it.each<readonly [string, () => unknown]>([
    [
      "a list that is an error page for now",
      () => ({ items: "<html>" as unknown as string[] }).items.map(String),
    ],
    ["a page of a proxy in place of JSON", () => JSON.parse("<html>")],
    ["a date that is not there yet", () => new Date("").toISOString()],
  ])("is not assumed of an error that data may cause: %s", async (_, handler) => {
    const tool = defineTool("t", { description: "t" }, handler as () => never);
    const { outcome } = await runTool(tool, {}, { contract: { logLevel: "silent" } });
    expect(outcome).toMatchObject({ fault: { remediation: expect.stringMatching(/^Retry with backoff/) } });
  });

  it("is not one of the server's if it read what others wrote", async () => {
    const tool = defineTool("t", { description: "t" }, () => validatePayload({}) as never);
    const { outcome } = await runTool(tool, {}, { contract: { logLevel: "silent" } });
    expect(outcome).toMatchObject({ fault: { remediation: expect.stringMatching(/^Retry with backoff/) } });
  });

  it("is logged with the line where the tool is defined", async () => {
    const logged: object[] = [];
    const note = (fields: object): void => void logged.push(fields);
    const logger = { info: note, warn: note, error: note };
    const tool = defineTool("t", { description: "t" }, () => new Map() as never);
    await runTool(tool, {}, { contract: { logger, logLevel: "error" } });
    expect(logged[0]).toMatchObject({
      tool: "t",
      defined_at: expect.stringMatching(/output-check\.test\.ts:\d+:\d+$/),
    });
  });
});

describe("work whose answer breaks the schema", () => {
  it("is not done again for a repeated idempotency key", async () => {
    let runs = 0;
    const tool = defineTool("pay", { description: "Pays", outputSchema: counted }, () => {
      runs += 1;
      return { n: "paid" as never };
    });
    const contract = createContract({ logLevel: "silent" });
    const meta = { "waybill/idempotency_key": "order-1" };
    for (const _ of [1, 2]) {
      const { outcome } = await runTool(tool, {}, { contract, meta });
      expect(outcome).toMatchObject({ fault: { code: "INTERNAL_ERROR", details: { executed: "yes" } } });
    }
    expect(runs).toBe(1);
  });
});

describe("what is sent under an output schema", () => {
  const filled = z.object({
    n: z.coerce.number().pipe(z.number()),
    unit: z.string().default("m"),
    at: z.string().optional(),
  });

  it("is the schema's own output, so that defaults and coercions apply", async () => {
    const { outcome } = await answerOf(filled, { n: "3" });
    expect(outcome).toMatchObject({ ok: true, data: { n: 3, unit: "m" } });
  });

  it("is that output in an envelope of the handler's own", async () => {
    const { outcome } = await answerOf(filled, successResponse({ n: "3" }, { warnings: ["careful"] }));
    expect(outcome).toMatchObject({
      data: { n: 3, unit: "m" },
      notes: { warnings: [{ message: "careful" }] },
    });
  });

  it("is `{}` with its defaults where the handler gives nothing", async () => {
    const { outcome } = await answerOf(z.object({ unit: z.string().default("m") }), undefined);
    expect(outcome).toMatchObject({ ok: true, data: { unit: "m" } });
  });

  it("is a ready-made structure as it is", async () => {
    const structure = { n: 3, unit: "m", extra: [1] };
    const { result } = await answerOf(filled, { content: [], structuredContent: structure });
    expect(result["structuredContent"]).toMatchObject({ data: structure });
  });

  it("is the JSON of a text that conforms", async () => {
    const { outcome } = await answerOf(counted, { content: [{ type: "text", text: '{"n":3}' }] });
    expect(outcome).toMatchObject({ ok: true, data: { n: 3 } });
  });

  it("is judged once", async () => {
    let judged = 0;
    const counting = z.object({ n: z.number() }).refine(() => ++judged > 0);
    await answerOf(counting, { n: 1 });
    expect(judged).toBe(1);
  });

  it("is a list under `result`, also in an envelope of the handler's own", async () => {
    const names = z.array(z.string());
    for (const returned of [["a"], successResponse(["a"])])
      expect((await answerOf(names, returned)).outcome).toMatchObject({ data: { result: ["a"] } });
    expect((await answerOf(names, successResponse([1]))).outcome.ok).toBe(false);
  });

  it("is the JSON of what has a toJSON, before the schema or behind it", async () => {
    const iso = "1970-01-01T00:00:00.000Z";
    const dated = z.object({ at: z.string() });
    const piped = z.object({
      at: z
        .date()
        .transform((at) => at.toISOString())
        .pipe(z.string()),
    });
    for (const schema of [dated, piped])
      expect((await answerOf(schema, { at: new Date(0) })).outcome).toMatchObject({ data: { at: iso } });
    const loose = z.object({ at: z.any() });
    expect((await answerOf(loose, { at: new Date(0) })).outcome).toMatchObject({ data: { at: iso } });
    const structured = { content: [], structuredContent: { at: new Date(0) } };
    expect((await answerOf(dated, structured)).outcome).toMatchObject({ data: { at: iso } });
  });
});

describe("an envelope with an empty error", () => {
  it.each([
    ["a failure", emptyFailure],
    ["a success", { ...successResponse({ n: 3 }), error: " " }],
    ["one in a result", { content: [], structuredContent: emptyFailure }],
  ])("is refused, with or without a schema: %s", async (_, returned) => {
    for (const schema of [undefined, counted]) {
      const { outcome, said } = await answerOf(schema, returned);
      expect(outcome).toMatchObject({ fault: { code: "INTERNAL_ERROR", details: { executed: "yes" } } });
      expect(said).toContain("empty error");
    }
  });
});

describe("a schema that says less than it shows", () => {
  const shown = acceptingSchema({ type: "object", properties: { n: { type: "number" } }, required: ["n"] });

  it("is judged by what it shows where every result is checked", async () => {
    await expect(runTool(toolOf(shown, { n: "three" }))).rejects.toMatchObject({ code: "INVALID_ENVELOPE" });
    await expect(runTool(toolOf(shown, { n: 3 }))).resolves.toMatchObject({ outcome: { ok: true } });
  });
});
