import { describe, expect, it } from "vitest";
import type { DialectId } from "../../src/core/contract/dialect-id.ts";
import { errorResponse } from "../../src/core/contract/tool-fault.ts";
import { resolveConfig } from "../../src/engine/settings/resolve-config.ts";
import { readResult } from "../../src/doors/client/read-result.ts";
import { contractClient } from "../../src/doors/client/contract-client.ts";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { validateResponse } from "../../src/core/pipeline/dialect/validate-response.ts";
import { type Door, doors, toolName, visit } from "./text-beside-structure.fixture.ts";

const words = { type: "text", text: "Found 3 issues", annotations: { audience: ["user"], priority: 1 } };
const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" };
const found = { content: [words], structuredContent: { n: 3 } };
const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };

async function answerOf(
  result: JsonObject,
  options: ContractOptions & { readonly door?: Door; readonly schema?: JsonObject } = {},
): Promise<JsonObject & { readonly content: readonly JsonObject[] }> {
  const { door = "contract.server", schema = outputSchema, ...rest } = options;
  const client = await visit([{ outputSchema: schema, results: [result] }], {
    door,
    client: "2.4.0",
    era: "legacy",
    options: { logLevel: "silent", ...rest },
  });
  const answer = await client.call(toolName(0));
  await client.close();
  return answer as never;
}

function textsOf({ content }: JsonObject): readonly unknown[] {
  return (content as readonly JsonObject[]).map(({ text }) => text);
}

describe.each(doors)("text beside a structure, under %s,", (door) => {
  it("stays a block before the envelope, which has exactly the structure as its data", async () => {
    const { content, structuredContent } = await answerOf(found, { door });
    expect(structuredContent).toMatchObject({ success: true, data: { n: 3 }, error: null });
    expect(content).toEqual([words, { type: "text", text: JSON.stringify(structuredContent) }]);
  });

  it("keeps its place among images and other texts", async () => {
    const more = { type: "text", text: "Two are new." };
    const { content } = await answerOf({ ...found, content: [words, image, more] }, { door });
    expect(content.slice(0, 3)).toEqual([words, image, more]);
    expect(content).toHaveLength(4);
  });

  it("goes when it repeats the structure, and the envelope comes first", async () => {
    const lists = { type: "object", properties: { items: { type: "array" } } };
    const whole = { structuredContent: { n: 3 }, schema: outputSchema, text: '{ "n": 3 }' };
    const onlyField = { structuredContent: { items: [1, 2] }, schema: lists, text: "[1, 2]" };
    for (const { structuredContent: said, schema, text } of [whole, onlyField]) {
      const result = { structuredContent: said, content: [{ type: "text", text }, image] };
      const { content, structuredContent } = await answerOf(result, { door, schema });
      expect(content).toEqual([{ type: "text", text: JSON.stringify(structuredContent) }, image]);
    }
  });

  it.each<[DialectId, readonly string[]]>([
    ["response-v1", ["Found 3 issues", '{"n":3}']],
    ["scalpel", ["Found 3 issues", '{"data":{"n":3}}']],
    ["plain", ["Found 3 issues", '{"n":3}']],
    ["drf", ['"Found 3 issues"', '{"n":3}']],
  ])("comes first in %s too", async (dialect, texts) => {
    const answer = await answerOf(found, { door, dialect });
    expect(textsOf(answer)).toEqual(texts);
    expect(validateResponse(answer, { dialect }).violations).toEqual([]);
  });

  it.each([{ page: 2 }, { version: 7 }, {}])(
    "stays beside data in drf that looks like notes: %j",
    async (meta) => {
      const result = { content: [words], structuredContent: { meta } };
      const answer = await answerOf(result, { door, dialect: "drf", schema: { type: "object" } });
      expect(textsOf(answer)).toEqual(['"Found 3 issues"', JSON.stringify({ meta }), '{"meta":{}}']);
      expect(validateResponse(answer, { dialect: "drf" }).violations).toEqual([]);
      const read = await readResult(answer, { tool: "t", args: {} });
      expect(read).toMatchObject({ data: { meta }, blocks: [words] });
    },
  );

  it("comes before the envelope in delivery `text`, where a client finds both", async () => {
    const answer = await answerOf(found, { door, delivery: "text" });
    expect(answer["structuredContent"]).toBeUndefined();
    expect(validateResponse(answer).violations).toEqual([]);
    const read = await readResult(answer, { tool: "t", args: {} });
    expect(read).toMatchObject({ data: { n: 3 }, blocks: [words], dialect: "response-v2" });
  });

  it("comes before the short text of delivery `brief`, which is not a block of the author's", async () => {
    const answer = await answerOf(found, { door, delivery: "brief" });
    expect(textsOf(answer)).toEqual(["Found 3 issues", "OK: n 3"]);
    const read = await readResult(answer, { tool: "t", args: {} });
    expect(read).toMatchObject({ data: { n: 3 }, blocks: [words] });
  });

  it("stays beside a failure that is an envelope already, with secrets masked", async () => {
    const failed = errorResponse("No such spec", { errorCode: "SPEC_NOT_FOUND" }) as unknown as JsonObject;
    const said = { type: "text", text: "I looked everywhere with ghp_abcdefghijklmnopqrstuvwxyz0123456789" };
    const answer = await answerOf({ content: [said], structuredContent: failed, isError: true }, { door });
    const { content, structuredContent, isError } = answer;
    expect(structuredContent).toMatchObject({ success: false, data: { error_code: "SPEC_NOT_FOUND" } });
    expect(isError).toBe(true);
    expect(content[0]?.["text"]).toMatch(/^I looked everywhere with /);
    expect(content[0]?.["text"]).not.toContain("abcdefghijklmnop");
    expect(content[1]?.["text"]).toBe(JSON.stringify(structuredContent));
  });

  it("is the message of any other failure, and what repeats the structure is not", async () => {
    const content = [words, { type: "text", text: '{"n":3}' }];
    const answer = await answerOf({ ...found, content, isError: true }, { door });
    expect(answer["structuredContent"]).toMatchObject({
      error: "Found 3 issues",
      data: { details: { n: 3 } },
    });
    expect(answer.content).toHaveLength(1);
  });
});

describe("text beside a structure over the budget", () => {
  const items = Array.from({ length: 40 }, (_, id) => ({ id, title: `Issue ${id}` }));
  const schema = { type: "object", properties: { items: { type: "array" } }, required: ["items"] };
  const report = "The roof leaks in two places. ".repeat(60);
  const large = { content: [{ type: "text", text: report }], structuredContent: { items } };

  it.each(doors)(
    "lets go of the text that repeats the structure, and nothing is missing, %s",
    async (door) => {
      const answer = await answerOf(large, { door, schema, budget: { tokens: 800 } });
      const { structuredContent } = answer as unknown as { structuredContent: JsonObject };
      expect(structuredContent).toMatchObject({ data: { items } });
      expect(structuredContent["meta"]).not.toHaveProperty("content_fidelity");
      expect(textsOf(answer)).toEqual([report, JSON.stringify({ meta: structuredContent["meta"] })]);
      expect(validateResponse(answer).violations).toEqual([]);
      const read = await readResult(answer, { tool: "t", args: {} }, { strict: true });
      expect(read).toMatchObject({ data: { items }, blocks: large.content, fidelity: "full" });
    },
  );

  it.each<DialectId>(["response-v1", "plain"])(
    "does so where no cut could be told, in %s",
    async (dialect) => {
      const answer = await answerOf(large, { dialect, schema, budget: { tokens: 800 } });
      expect(answer["structuredContent"]).toEqual({ items });
      expect(textsOf(answer)).toEqual([report]);
      expect(validateResponse(answer, { dialect }).violations).toEqual([]);
    },
  );

  it("never does so in delivery `text`", async () => {
    const options = { schema, budget: { tokens: 800 }, delivery: "text" } as const;
    const read = await readResult(await answerOf(large, options), { tool: "t", args: {} });
    expect(read.data).toHaveProperty("items");
    expect(read.fidelity).toBe("partial");
  });

  const many = Array.from({ length: 400 }, (_, id) => ({ id, title: `Issue ${id}` }));

  it.each(doors)(
    "cuts the data where the structure alone is too long, and readers of texts see the same, %s",
    async (door) => {
      const result = { content: [words], structuredContent: { items: many } };
      const answer = await answerOf(result, { door, schema, budget: { tokens: 1_000 } });
      expect(answer["structuredContent"]).toMatchObject({ meta: { content_fidelity: "partial" } });
      const mirror = { type: "text", text: JSON.stringify(answer["structuredContent"]) };
      expect(answer.content).toEqual([words, mirror]);
      const { structuredContent: _, ...texts } = answer;
      const read = await readResult(texts, { tool: "t", args: {} });
      expect((read.data as { items: unknown[] }).items.length).toBeGreaterThan(50);
    },
  );

  it("leaves no text that repeats the structure where the author's takes more than half of the budget", async () => {
    const result = { content: [{ type: "text", text: report }], structuredContent: { items: many } };
    const answer = await answerOf(result, { schema, budget: { tokens: 800 } });
    expect(textsOf(answer)[0]).toBe(report);
    expect(answer["structuredContent"]).toMatchObject({ meta: { content_fidelity: "partial" } });
    expect(textsOf(answer)[1]).toMatch(/^\{"meta":/);
  });

  it("moves a text that is too long itself into the archive, and the envelope's text comes back", async () => {
    const content = [{ type: "text", text: "The roof leaks in two places. ".repeat(600) }];
    const answer = await answerOf(
      { content, structuredContent: { items: [] } },
      { schema, budget: { tokens: 800 } },
    );
    const { structuredContent } = answer as unknown as { structuredContent: JsonObject };
    expect(structuredContent).toMatchObject({
      data: { items: [] },
      meta: { dropped_content_ids: ["#content/0"] },
    });
    expect(answer.content[0]).toEqual({ type: "text", text: JSON.stringify(structuredContent) });
    expect(answer.content[1]).toMatchObject({ type: "resource_link", name: "text-0" });
  });
});

describe("text beside a structure whose fields are hidden", () => {
  const filtered = { tools: { [toolName(0)]: { exclude: ["secret"] } } };
  const { settings: config } = resolveConfig({
    waybill: { file: "waybill.config.json", text: JSON.stringify(filtered) },
    environment: {},
  });

  it.each(doors)("is left out, with a note, under %s", async (door) => {
    const result = { content: [words, image], structuredContent: { n: 3, secret: "Found 4" } };
    const answer = await answerOf(result, { door, config });
    const { structuredContent } = answer as unknown as { structuredContent: JsonObject };
    expect(structuredContent).toMatchObject({
      data: { n: 3 },
      meta: { warning_details: [{ code: "CONTENT_DROPPED", severity: "warning" }] },
    });
    expect(answer.content).toEqual([{ type: "text", text: JSON.stringify(structuredContent) }, image]);
  });
});

describe("a client", () => {
  it("finds the envelope behind other texts and gives those as blocks", async () => {
    const envelope = { success: true, data: { n: 3 }, error: null, meta: { version: "response-v2" } };
    const mirror = { type: "text", text: JSON.stringify(envelope) };
    for (const structure of [{}, { structuredContent: envelope }]) {
      const tools = contractClient(() => Promise.resolve({ content: [words, image, mirror], ...structure }));
      const answer = await tools.call("t", {});
      expect(answer).toMatchObject({ data: { n: 3 }, blocks: [words, image] });
    }
  });
});
