import { describe, expect, it } from "vitest";
import { CONTRACT_META_KEY } from "../../contract/wire-names.ts";
import type { JsonObject } from "../../json/json-value.ts";
import {
  type MadeCall,
  failure,
  judgeBy,
  madeRecord,
  madeTool,
  structure,
  text,
} from "../made-record.fixture.ts";
import type { ServerRecord } from "../server-record.ts";
import { channelRules, outputRules, truthRules } from "./output-rules.ts";
import { contractRules } from "./contract-rules.ts";
import { readerRules } from "./reader-rules.ts";

const rules = [...contractRules, ...outputRules, ...channelRules, ...truthRules, ...readerRules];

function judge(
  id: string,
  calls: readonly MadeCall[],
  changes: Partial<ServerRecord> = {},
): ReturnType<typeof judgeBy> {
  return judgeBy(rules, id, madeRecord(calls, changes));
}

const envelope = { success: true, data: { n: 1 }, error: null, meta: { version: "response-v2" } };
const rows = Array.from({ length: 45 }, (_, index) => ({
  name: `person-${index}`,
  city: `city number ${index}`,
  born: 1_900 + index,
}));

describe("the rules of waybill validate in a check", () => {
  it("report under their own ids, once for each tool and place, by the smallest call", async () => {
    const broken = { content: [{ type: "text" }] };
    const calls = [
      { result: broken, arguments: { query: "long" } },
      { result: broken },
      { result: broken, tool: "other" },
    ];
    const [first, ...more] = (await judge("result/content", calls)) as readonly string[];
    expect(first).toMatch(/^search: /);
    expect(first).not.toMatch(/Send text, image/);
    expect(more).toEqual([expect.stringMatching(/^other: /)]);
    const rule = contractRules.find(({ id }) => id === "result/content");
    const verdict = await rule?.judge(madeRecord(calls), { validate: never, countTokens: () => 0 });
    expect(verdict).toMatchObject([
      { call: 1, path: "/content/0/text" },
      { call: 2, tool: "other" },
    ]);
  });

  it("judge by response-v2 what says that it is, and nothing else", async () => {
    const lookalike = { success: true, data: { n: 1 }, error: null };
    expect(await judge("envelope/root-keys", [{ result: structure(lookalike) }])).toBe("untested");
    expect(await judge("meta/request-id-missing", [{ result: structure(envelope) }])).toHaveLength(1);
    expect(
      await judge("envelope/root-keys", [{ result: structure(lookalike) }], { dialect: "response-v2" }),
    ).not.toEqual([]);
  });

  it("are untested where no result speaks of what they are about", async () => {
    expect(await judge("pagination/shape", [{ result: structure(envelope) }])).toBe("untested");
    const paged = { ...envelope, meta: { ...envelope.meta, pagination: { cursor: "b", has_more: false } } };
    expect(await judge("pagination/has-more", [{ result: structure(paged) }])).toHaveLength(1);
    expect(await judge("error/code-type", [{ result: structure(envelope) }])).toBe("untested");
    expect(await judge("result/content", [])).toBe("untested");
    expect(await judge("result/content", [{ reply: { kind: "timeout", afterMs: 9 } }])).toBe("untested");
  });

  it("want a text that says what the structure says, in whatever words", async () => {
    const weather = { degrees: 22.5, sky: "Partly cloudy" };
    const told = { ...text("22.5 °C and partly cloudy"), structuredContent: weather };
    const silent = { ...text("Done."), structuredContent: weather };
    expect(await judge("result/mirror", [{ result: told }])).toEqual([]);
    expect(await judge("result/mirror", [{ result: silent }])).toHaveLength(1);
    const empty = { ...text("[]"), structuredContent: { entities: [] } };
    expect(await judge("result/mirror", [{ result: empty }])).toEqual([]);
  });

  it("allow any structure in the modern era", async () => {
    const list = { ...text("[1,2]"), structuredContent: [1, 2], resultType: "complete" };
    expect(await judge("result/structured-type", [{ result: list }])).toHaveLength(1);
    expect(await judge("result/structured-type", [{ result: list }], { era: "modern" })).toEqual([]);
  });

  it("judge no call that asks for input or became a task", async () => {
    const asking = { resultType: "input_required", inputRequests: {} };
    const task = { task: { taskId: "1" } };
    expect(await judge("result/content", [{ result: asking }, { result: task }])).toBe("untested");
  });
});

const never = (): never => {
  throw new Error("no schema is asked for");
};

describe("structuredContent and outputSchema", () => {
  const schema = { type: "object", required: ["n"] };
  const tools = [madeTool("search", { outputSchema: schema })];

  it("of a success agree", async () => {
    expect(await judge("result/output-schema", [{ result: structure({ n: 1 }) }], { tools })).toEqual([]);
    expect(await judge("result/output-schema", [{ result: structure({ m: 1 }) }], { tools })).toEqual([
      "search: structuredContent breaks the outputSchema: n is missing",
    ]);
    expect(await judge("result/output-schema", [{ result: structure({ m: 1 }) }])).toBe("untested");
  });

  it("of a failure agree where there is a structure", async () => {
    const broken = { ...failure("no"), structuredContent: { m: 1 } };
    const rule = "result/output-schema-on-error";
    expect(await judge(rule, [{ result: broken }], { tools })).toHaveLength(1);
    expect(await judge(rule, [{ result: { ...broken, structuredContent: { n: 0 } } }], { tools })).toEqual(
      [],
    );
    expect(await judge(rule, [{ result: failure("no") }], { tools })).toBe("untested");
    expect(await judge("result/output-schema", [{ result: broken }], { tools })).toBe("untested");
  });

  it("are both there in a success, and need not be in a failure", async () => {
    const rule = "result/structured-missing";
    expect(await judge(rule, [{ result: text("1") }], { tools })).toHaveLength(1);
    expect(await judge(rule, [{ result: structure({ m: 1 }) }], { tools })).toEqual([]);
    expect(await judge(rule, [{ result: failure("no") }], { tools })).toBe("untested");
  });

  it("are untested where the schema cannot be used", async () => {
    const far = [madeTool("search", { outputSchema: { $ref: "https://example.com/schema" } })];
    expect(await judge("result/output-schema", [{ result: structure({ n: 1 }) }], { tools: far })).toBe(
      "untested",
    );
  });
});

describe("the two channels", () => {
  const table = rows.map(({ name, city, born }) => `| ${name} | ${city} | ${born} | a cell of filling |`);
  const twice = { ...text(table.join("\n")), structuredContent: { rows } };

  it("do not say the same at length in two formats", async () => {
    expect(table.join("\n").length).toBeGreaterThan(2_000);
    expect(await judge("result/channels-repeat", [{ result: twice }])).toHaveLength(1);
    const both = text(table.join("\n"), JSON.stringify({ rows }));
    expect(
      await judge("result/channels-repeat", [{ result: { ...both, structuredContent: { rows } } }]),
    ).toHaveLength(1);
    const same = text(table.join("\n"), table.join("\n"));
    expect(await judge("result/channels-repeat", [{ result: same }])).toHaveLength(1);
  });

  it("may mirror each other, indented or not, and carry a summary or a longer document", async () => {
    const rule = "result/channels-repeat";
    const indented = { ...text(JSON.stringify({ rows }, undefined, 2)), structuredContent: { rows } };
    const summary = { ...text("45 people"), structuredContent: { rows } };
    const page = "A long page about other things. ".repeat(400);
    const facts = { ...text(`${page}${table.join("\n")}`), structuredContent: { rows } };
    const field = { ...text(table.join("\n")), structuredContent: { content: table.join("\n") } };
    for (const result of [structure({ rows }), indented, summary, facts, field])
      expect(await judge(rule, [{ result }])).toEqual([]);
    expect(await judge(rule, [])).toBe("untested");
  });

  it("say no number, id or quoted word that the structure does not have", async () => {
    const rule = "result/text-only-facts";
    const structuredContent = { id: "parcel-17", stops: ["Ghent", "Ostend"] };
    const more = { ...text('Parcel parcel-17 waits for form "C-88" at gate 4711'), structuredContent };
    expect(await judge(rule, [{ result: more }])).toEqual([expect.stringContaining("4711")]);
    const same = { ...text('parcel-17: 2 stops, the last in "Ostend"'), structuredContent };
    const noted = { ...text("On its way", '{"meta":{"request_id":"req_1234567890ab"}}'), structuredContent };
    expect(await judge(rule, [{ result: same }, { result: noted }])).toEqual([]);
    const failed = { ...more, isError: true };
    const mirrored = structure(structuredContent);
    expect(await judge(rule, [{ result: failed }, { result: mirrored }])).toEqual([]);
    expect(await judge(rule, [])).toBe("untested");
  });

  it("spend little on indentation", async () => {
    const wide = rows.map((row) => ({ ...row, more: { deep: [1, 2, 3] } }));
    const rule = "result/indented-json";
    expect(await judge(rule, [{ result: text(JSON.stringify(wide, undefined, 4)) }])).toHaveLength(1);
    expect(await judge(rule, [{ result: text(JSON.stringify(wide)) }])).toEqual([]);
    expect(await judge(rule, [{ result: text(`{ not JSON ${" ".repeat(5_000)}`) }])).toEqual([]);
    expect(await judge(rule, [])).toBe("untested");
  });
});

describe("the success flag", () => {
  const json = (value: JsonObject): JsonObject => text(JSON.stringify(value));

  it.each([
    [json({ success: false, error: "No such table" })],
    [json({ error: "quota exceeded" })],
    [text("Error executing tool search: boom")],
    [structure({ ...envelope, success: false, data: {}, error: "broken" })],
  ])("is not left out of a failure: %j", async (result) => {
    expect(await judge("truth/success-flag", [{ result }])).toHaveLength(1);
    expect(await judge("truth/success-flag", [{ result: { ...result, isError: true } }])).not.toHaveLength(1);
  });

  it.each([
    [text("Error handling in Go is explicit.")],
    [text("Error: 0.23")],
    [json({ items: [{ error: "timeout", job: 1 }], total: 1 })],
    [json({ success: true, data: [] })],
    [text("fine")],
  ])("may be left out of a success: %j", async (result) => {
    expect(await judge("truth/success-flag", [{ result }])).toEqual([]);
  });

  it("is wanted where an invalid call is refused in words that may be a failure", async () => {
    const refused = { result: text("Error: query is missing?") };
    expect(await judge("truth/success-flag", [{ ...refused, purpose: "invalid" }])).toHaveLength(1);
    expect(await judge("truth/success-flag", [refused])).toEqual([]);
    expect(await judge("truth/reads-like-failure", [refused])).toHaveLength(1);
    expect(await judge("truth/reads-like-failure", [{ result: text("fine") }])).toEqual([]);
    expect(await judge("truth/reads-like-failure", [{ result: failure("no") }])).toBe("untested");
  });

  it("does not call a success a failure", async () => {
    const rule = "truth/failure-flag";
    expect(await judge(rule, [{ result: { ...json({ success: true }), isError: true } }])).toHaveLength(1);
    expect(await judge(rule, [{ result: failure("no") }])).toEqual([]);
    expect(await judge(rule, [{ result: text("fine") }])).toBe("untested");
  });

  it("is the dialect's own business in a result that names one", async () => {
    for (const mark of ["response-v2", { dialect: "response-v2", profile: "standard" }]) {
      const named = { _meta: { [CONTRACT_META_KEY]: mark } };
      const hidden = { ...structure({ ...envelope, success: false, data: {}, error: "broken" }), ...named };
      expect(await judge("truth/success-flag", [{ result: hidden }])).toBe("untested");
      expect(await judge("result/is-error", [{ result: hidden }])).toHaveLength(1);
    }
    expect(await judge("truth/success-flag", [{ result: text("x") }], { dialect: "scalpel" })).toBe(
      "untested",
    );
  });
});

describe("blocks and the clients that get them", () => {
  const said = { type: "text", text: "See file:///a.txt" };
  const link = (uri: string): JsonObject => ({ type: "resource_link", uri, name: "a" });

  it("are reported if clients drop them or end their run, unless a text names them", async () => {
    const rule = "reader/blocks";
    expect(await judge(rule, [{ result: { content: [said, link("file:///b.txt")] } }])).toEqual([
      "search: opencode does not show its model resource_link, LangChain adapters ends its run at resource_link, Roo Code does not show its model resource_link",
    ]);
    expect(await judge(rule, [{ result: { content: [said, link("file:///a.txt")] } }])).toEqual([]);
    expect(await judge(rule, [])).toBe("untested");
  });

  it("are reported if they are pictures that models refuse", async () => {
    const rule = "reader/pictures";
    const gif = (width: number): JsonObject => {
      const data = Buffer.from([...Buffer.from("GIF89a"), width & 0xff, width >> 8, 1, 0, 0]).toString(
        "base64",
      );
      return { type: "image", mimeType: "image/gif", data };
    };
    expect(await judge(rule, [{ result: { content: [gif(9_000)] } }])).toEqual([
      "search: Models refuse this picture: 9,000 × 1 pixels, more than 8,000 a side",
    ]);
    expect(await judge(rule, [{ result: { content: [gif(900)] } }])).toEqual([]);
    expect(await judge(rule, [{ result: text("x") }])).toEqual([]);
  });
});
