import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import type { JsonObject } from "../json/json-value.ts";
import { madeRecord, madeTool, madeTools } from "./made-record.fixture.ts";
import { type CallRecord, type RecordedReply, type ServerRecord, callPurposes } from "./server-record.ts";
import { serverRules } from "./server-rules.ts";

const words = fc.constantFrom(
  "success error meta data version response-v2 content text type isError structuredContent _meta waybill/contract",
  "nextCursor cursor pagination has_more items id message code retry_after content_archive_hashes",
);
const key = fc.oneof(
  words.chain((list) => fc.constantFrom(...list.split(" "))),
  fc.string({ maxLength: 8 }),
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, -32602, "", "text", "response-v2", "Error: no", "{", '{"a":[1'),
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.double({ noNaN: true }),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(key, tie("json"), { maxKeys: 6 }),
  ),
}));
const object = fc.dictionary(key, json, { maxKeys: 6 }) as fc.Arbitrary<JsonObject>;
const block = fc.oneof(
  fc.record({
    type: fc.constant("text"),
    text: fc.oneof(
      fc.string(),
      object.map((each) => JSON.stringify(each)),
    ),
  }),
  object,
);
const result = fc.oneof(
  object,
  fc.record(
    {
      content: fc.array(block, { maxLength: 3 }),
      structuredContent: json,
      isError: fc.boolean(),
      _meta: object,
    },
    { requiredKeys: ["content"] },
  ),
) as fc.Arbitrary<JsonObject>;

const reply: fc.Arbitrary<RecordedReply> = fc.oneof(
  { weight: 6, arbitrary: result.map((each): RecordedReply => ({ kind: "result", result: each })) },
  object.map((error): RecordedReply => ({ kind: "error", error })),
  fc.constantFrom<RecordedReply>(
    { kind: "timeout", afterMs: 9 },
    { kind: "closed", reason: "gone" },
    { kind: "oversized", bytes: 1e9 },
  ),
);
const call = fc.record({
  tool: fc.constantFrom("search", "waybill_retrieve", "__proto__", ""),
  purpose: fc.constantFrom(...callPurposes),
  arguments: object,
  follows: fc.option(fc.integer({ min: -1, max: 5 }), { nil: undefined }),
  wrong: fc.option(
    fc.record({ path: fc.string(), why: fc.string(), keyword: fc.constantFrom("type", "format", undefined) }),
    { nil: undefined },
  ),
  cancel: fc.option(
    fc.record({ afterMs: fc.nat(), answeredAfterMs: fc.option(fc.nat(), { nil: undefined }), next: reply }),
    {
      nil: undefined,
    },
  ),
  reply,
  bytes: fc.nat(),
  tokens: fc.record({ text: fc.nat(), structured: fc.nat() }),
}) as fc.Arbitrary<Partial<CallRecord>>;

const record: fc.Arbitrary<ServerRecord> = fc
  .record({
    calls: fc.array(call, { maxLength: 6 }),
    tools: fc.array(
      object.map((each) => madeTool("search", each)),
      { maxLength: 2 },
    ),
    era: fc.constantFrom("legacy" as const, "modern" as const),
    dialect: fc.constantFrom(undefined, "response-v2" as const, "scalpel" as const, "plain" as const),
    greeting: reply,
  })
  .map(({ calls, ...changes }) => madeRecord(calls, changes));

describe("every rule of a check", () => {
  it(
    "has a verdict on any record: findings that name a call of it, or a reason",
    { timeout: 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(record, async (each) => {
          for (const { id, judge } of serverRules) {
            const verdict = await judge(each, madeTools);
            const reason = "untested" in verdict ? verdict.untested : "tested";
            expect([id, reason]).not.toEqual([id, ""]);
            for (const { path, message, call: index } of "untested" in verdict ? [] : verdict) {
              expect([id, message.length > 0, path === "" || path.startsWith("/")]).toEqual([id, true, true]);
              expect([id, index === undefined || each.calls[index] !== undefined]).toEqual([id, true]);
            }
          }
        }),
        lawRuns(1_000),
      );
    },
  );

  it("has an id of its own, a source, and a fix that is a sentence", () => {
    const ids = serverRules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, says, fix, source } of serverRules) {
      expect(id).toMatch(/^[a-z0-9-]+\/[a-z0-9-]+$/);
      expect([id, says.length > 10, source.length > 3]).toEqual([id, true, true]);
      expect([id, fix]).toEqual([id, expect.stringMatching(/^[A-Z].*\.$/s)]);
    }
  });
});
