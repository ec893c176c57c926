import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { SpanStatusCode, trace } from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { errorResponse } from "../../core/contract/tool-fault.ts";
import { successResponse } from "../../core/contract/success-responses.ts";
import { faults } from "../../core/contract/faults.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { listen, stopListening } from "../observe/open-telemetry.fixture.ts";
import { createContract } from "../../doors/server/create-contract.ts";
import { type RunToolOptions, runTool } from "../../doors/testing/run-tool.ts";
import type { ContractOptions } from "../settings/contract-options.ts";
import type { ToolContext } from "../settings/tool-context.ts";
import { defineTool } from "../settings/tool-definition.ts";

type Handler = (context: ToolContext) => unknown;

/** What a real client gets from a server under the contract. */
async function answerTo(handler: Handler, options: ContractOptions = {}): Promise<JsonObject> {
  const contract = createContract({ validate: "always", logLevel: "silent", ...options });
  const server = contract.server(new McpServer({ name: "s", version: "1.0.0" }));
  server.registerTool("t", { description: "t" }, (_, context) => handler(context));
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "c", version: "1.0.0" });
  await Promise.all([server.connect(far), client.connect(near)]);
  await client.listTools();
  const result = (await client.callTool({ name: "t", arguments: {} })) as unknown as JsonObject;
  await client.close();
  return result;
}

const dataOf = (result: JsonObject): unknown => (result["structuredContent"] as JsonObject)["data"];
const blocksOf = (result: JsonObject): JsonObject[] => (result["content"] as JsonObject[]).slice(1);

describe("a ready-made result", () => {
  const text = (words: string) => ({ type: "text", text: words });

  it.each([
    ["text", { content: [text("hello")] }, { result: "hello" }],
    ["JSON text", { content: [text('{"rows":[1,2]}')] }, { rows: [1, 2] }],
    [
      "JSON text that a parser would change",
      { content: [text('{"id":12345678901234567890}')] },
      { result: '{"id":12345678901234567890}' },
    ],
    ["several texts", { content: [text("a"), text("b")] }, { result: ["a", "b"] }],
    ["structure and its text", { content: [text('{"a":1}')], structuredContent: { a: 1 } }, { a: 1 }],
    ["structure and another text", { content: [text("one row")], structuredContent: { a: 1 } }, { a: 1 }],
    ["nothing", { content: [] }, {}],
  ])("of %s becomes data", async (_, result, data) => {
    const answer = await answerTo(() => result);
    expect(dataOf(answer)).toEqual(data);
    expect(answer["isError"]).toBeUndefined();
  });

  it("that is an error becomes a failure with its words and its structure", async () => {
    const result = { isError: true, content: [text("The disk is full")], structuredContent: { free: 0 } };
    const answer = await answerTo(() => result);
    expect(answer["isError"]).toBe(true);
    expect(answer["structuredContent"]).toMatchObject({
      success: false,
      error: "The disk is full",
      data: { error_code: "OPERATION_FAILED", error_type: "internal", details: { free: 0 } },
    });
  });

  it("keeps its images, audio, links and resources as they are", async () => {
    const blocks = [
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "audio", data: "aGk=", mimeType: "audio/wav" },
      { type: "resource_link", uri: "file:///a.txt", name: "a" },
      { type: "resource", resource: { uri: "file:///b.txt", text: "b" } },
    ];
    const answer = await answerTo(() => ({
      content: [text("see"), ...blocks],
      _meta: { "com.example/x": 1 },
    }));
    expect(blocksOf(answer)).toEqual(blocks);
    expect(dataOf(answer)).toEqual({ result: "see" });
    expect(answer["_meta"]).toMatchObject({
      "com.example/x": 1,
      "waybill/contract": { dialect: "response-v2", profile: "standard" },
    });
  });

  it("that is an envelope already is not wrapped again", async () => {
    const answer = await answerTo(() => errorResponse("Gone", { errorCode: "NOT_FOUND" }));
    expect(answer["isError"]).toBe(true);
    expect(answer["structuredContent"]).toMatchObject({ error: "Gone", data: { error_code: "NOT_FOUND" } });
  });
});

describe("delivery", () => {
  const handler: Handler = () => ({ rows: [1, 2], title: "Sales" });

  it("mirrors the envelope in both channels by default", async () => {
    const answer = await answerTo(handler);
    expect(answer["content"]).toEqual([{ type: "text", text: JSON.stringify(answer["structuredContent"]) }]);
  });

  it("sends one channel as text", async () => {
    const answer = await answerTo(handler, { delivery: "text" });
    expect(answer).not.toHaveProperty("structuredContent");
    const [block] = answer["content"] as { text: string }[];
    expect(JSON.parse(block?.text ?? "")).toMatchObject({ success: true, data: { rows: [1, 2] } });
  });

  it("sends a short text beside the structure as brief", async () => {
    const answer = await answerTo(handler, { delivery: "brief" });
    expect(answer["content"]).toEqual([{ type: "text", text: 'OK: rows (2 items), title "Sales"' }]);
    expect(dataOf(answer)).toEqual({ rows: [1, 2], title: "Sales" });
    const failed = await answerTo(
      () => {
        throw faults.notFound("spec", "x");
      },
      { delivery: "brief" },
    );
    expect((failed["content"] as { text: string }[])[0]?.text).toMatch(/^NOT_FOUND: Spec not found: x/);
  });
});

async function run(handler: Handler, args: JsonObject = {}, options: RunToolOptions = {}) {
  const tool = defineTool("t", { description: "t", waybillArgument: true }, (_, context) => handler(context));
  return runTool(tool, args, options);
}

describe("runCall", () => {
  it("leaves a request for input untouched", async () => {
    const asked = { resultType: "input_required", inputRequests: { name: { method: "elicitation/create" } } };
    const contract = createContract({ validate: "always" });
    const tool = defineTool("t", { description: "t" }, () => asked);
    expect((await runTool(tool, {}, { contract })).result).toBe(asked);
  });

  it("gives builders inside a handler the call's own id, also after it waited", async () => {
    const meta = { "waybill/request_id": "mine-7" };
    // Calls are followed behind a wait from the first envelope on that a handler builds.
    await run(() => successResponse({}));
    const { envelope } = await run(
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        return { inner: successResponse({ a: 1 }).meta["request_id"] ?? null };
      },
      {},
      { meta },
    );
    expect(envelope).toMatchObject({ data: { inner: "mine-7" }, meta: { request_id: "mine-7" } });
  });

  it("keeps the fields the model asks for, and takes _waybill off", async () => {
    const handler: Handler = () => ({ rows: [{ id: 1, body: "long" }], more: true });
    const { envelope } = await run(handler, { _waybill: { fields: ["rows[*].id"] } });
    expect(envelope).toMatchObject({ data: { rows: [{ id: 1 }] } });
    expect((envelope as JsonObject)["data"]).toEqual({ rows: [{ id: 1 }] });
  });

  it("says which parts of _waybill it does not understand", async () => {
    const odd = { fields: ["rows[[["], nonsense: 1 } as const;
    const { envelope } = await run(() => ({ rows: [1] }), { _waybill: odd as never });
    expect(envelope).toMatchObject({ success: true, data: { rows: [1] } });
    expect((envelope as { meta: JsonObject }).meta["warnings"]).toEqual([
      "_waybill.nonsense is not understood and was ignored",
      "_waybill.fields is not understood and was ignored",
    ]);
  });

  it("refuses everybody while the server cannot say who calls, and reveals nothing", async () => {
    const broken = (): never => {
      throw new Error("db at /srv/private is down");
    };
    for (const contract of [{ tenant: broken }, { requestIds: broken }] as ContractOptions[]) {
      const { envelope, result } = await run(() => ({ fine: true }), {}, { contract });
      expect(envelope).toMatchObject({ success: false, data: { error_code: "INTERNAL_ERROR" } });
      expect(JSON.stringify(result)).not.toContain("private");
    }
    const tenant = (): never => {
      throw faults.unauthorized();
    };
    const { envelope } = await run(() => ({}), {}, { contract: { tenant } });
    expect(envelope).toMatchObject({ data: { error_code: "UNAUTHORIZED" } });
  });

  it("asks mapError about errors that are no fault, and survives one that fails", async () => {
    const boom: Handler = () => {
      throw new RangeError("row 7");
    };
    const mapError = (error: unknown) =>
      error instanceof RangeError ? faults.validation("Out of range") : undefined;
    const mapped = await run(boom, {}, { contract: { mapError } });
    expect(mapped.envelope).toMatchObject({
      error: "Out of range",
      data: { error_code: "VALIDATION_ERROR" },
    });
    const failing = await run(boom, {}, { contract: { mapError: () => faults.validation("") } });
    expect(failing.envelope).toMatchObject({ data: { error_code: "INTERNAL_ERROR" } });
  });

  it("logs why a fault was thrown, and tells the model only the fault", async () => {
    const events: object[] = [];
    const note = (fields: object): void => void events.push(fields);
    const logger = { debug: note, info: note, warn: note, error: note };
    const { result } = await run(
      () => {
        throw faults.unavailable("The index is down", { cause: new Error("ECONNREFUSED 10.0.0.7") });
      },
      {},
      { contract: { logger, logLevel: "warn" } },
    );
    expect(JSON.stringify(result)).not.toContain("10.0.0.7");
    expect(events).toMatchObject([{ tool: "t", error_code: "UNAVAILABLE" }]);
    expect(JSON.stringify(events)).toContain("ECONNREFUSED 10.0.0.7");
  });

  it("answers a caller who gave up before the call with UNAVAILABLE", async () => {
    const { envelope } = await run(() => ({}), {}, { signal: AbortSignal.abort() });
    expect(envelope).toMatchObject({ error: "The call was cancelled", data: { error_code: "UNAVAILABLE" } });
  });

  it("passes the URL elicitation error to the client as it is", async () => {
    const error = Object.assign(new Error("open a page"), { code: -32042 });
    const thrown = run(() => {
      throw error;
    });
    await expect(thrown).rejects.toBe(error);
  });

  it("refuses data that breaks the tool's own output schema", async () => {
    const tool = defineTool(
      "t",
      { description: "t", outputSchema: z.object({ rows: z.array(z.number()) }) },
      () => ({ rows: "none" as never }),
    );
    expect((await runTool(tool)).envelope).toMatchObject({ data: { error_code: "INTERNAL_ERROR" } });
  });
});

describe("the span of a call", () => {
  let heard: ReturnType<typeof listen>;
  beforeEach(() => {
    heard = listen();
  });
  afterEach(stopListening);

  // shows 001.17
  it("is one, with the tool, the id and the client's trace as parent, and active in the handler", async () => {
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let inHandler: string | undefined;
    await run(
      () => {
        inHandler = trace.getActiveSpan()?.spanContext().spanId;
        return {};
      },
      {},
      { meta: { traceparent, "waybill/request_id": "mine-1" }, contract: { name: "shop" } },
    );
    const [span, ...others] = heard.spans();
    expect(others).toEqual([]);
    expect(span?.spanContext().traceId).toBe("0af7651916cd43dd8448eb211c80319c");
    expect(span?.parentSpanContext?.spanId).toBe("b7ad6b7169203331");
    expect(inHandler).toBe(span?.spanContext().spanId);
    expect(span?.attributes).toMatchObject({
      "mcp.tool.name": "t",
      "waybill.request_id": "mine-1",
      "waybill.dialect": "response-v2",
      "waybill.profile": "standard",
    });
  });

  it("names the code of the failure that went out, however it came about", async () => {
    const results: Handler[] = [
      () => ({ isError: true, content: [{ type: "text", text: "no" }] }),
      () => errorResponse("Gone", { errorCode: "NOT_FOUND" }),
      () => {
        throw new Error("x");
      },
    ];
    for (const handler of results) await run(handler);
    expect(heard.spans().map(({ attributes }) => attributes["waybill.error_code"])).toEqual([
      "OPERATION_FAILED",
      "NOT_FOUND",
      "INTERNAL_ERROR",
    ]);
    expect(heard.spans().map(({ status }) => status.code === SpanStatusCode.ERROR)).toEqual([
      true,
      false,
      true,
    ]);
  });
});
