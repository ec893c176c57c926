import { describe, expect, it } from "vitest";
import { isFullRun } from "../../../../test/arbitrary/law-runs.ts";
import { judgeBySchema } from "./schema-judge.ts";

describe("judgeBySchema", () => {
  it("says in words what a value breaks, under draft 2020-12 and draft 7", async () => {
    const pair = { type: "array", prefixItems: [{ type: "string" }] };
    expect(await judgeBySchema(pair, [1])).toEqual({ errors: ["/0 must be string"] });
    const old = { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] };
    expect(await judgeBySchema(old, [1])).toEqual({ errors: ["/0 must be string"] });
    const closed = { type: "object", additionalProperties: false, required: ["a"] };
    expect(await judgeBySchema(closed, { b: 1 })).toEqual({
      errors: [
        "the value must have required property 'a'",
        'the value must NOT have additional properties: "b"',
      ],
    });
    expect(await judgeBySchema({ format: "email", "x-odd": 1 }, "no address")).toEqual({
      errors: ['the value must match format "email"'],
    });
  });

  it("never fetches another document, and says so", async () => {
    const { errors, problem } = await judgeBySchema({ $ref: "https://example.com/schema.json" }, {});
    expect(errors).toEqual([]);
    expect(problem).toBe(
      "it refers to https://example.com/schema.json, which is not part of it; other documents are never fetched",
    );
  });

  it("judges a schema that contains itself", async () => {
    const tree = { type: "object", properties: { child: { $ref: "#" } }, additionalProperties: false };
    expect(await judgeBySchema(tree, { child: { child: {} } })).toEqual({ errors: [] });
    expect((await judgeBySchema(tree, { child: { chidl: {} } })).errors).toHaveLength(1);
  });

  it("keeps schemas with one $id apart", async () => {
    const named = (type: string) => ({ $id: "https://example.com/same", type });
    expect((await judgeBySchema(named("string"), "a")).errors).toEqual([]);
    expect((await judgeBySchema(named("integer"), "a")).errors).toEqual(["the value must be integer"]);
  });

  it.runIf(isFullRun)("ends what takes too long, and judges the next value", async () => {
    const slow = { type: "string", pattern: "^(a+)+$" };
    const hard = `${"a".repeat(40)}!`;
    const all = await Promise.all([judgeBySchema(slow, hard), judgeBySchema({ type: "string" }, 1)]);
    expect(all[0]?.problem).toMatch(/more than 2 s/);
    expect(all[1]).toEqual({ errors: ["the value must be string"] });
    // The third time the judge does not wait for it any more.
    await judgeBySchema(slow, hard);
    expect((await judgeBySchema(slow, "a")).problem).toMatch(/more than 2 s/);
  });
});
