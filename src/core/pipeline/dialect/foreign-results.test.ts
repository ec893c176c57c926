import { describe, expect, it } from "vitest";
import type { Outcome } from "../../contract/outcome.ts";
import { profiles } from "../../contract/profile.ts";
import { dialects } from "./dialects.ts";
import { translate } from "./translate.ts";

const image = { type: "image", data: "aGk=", mimeType: "image/png" };

describe("what others send", () => {
  it("keeps an image of a plain result beside its text", () => {
    const result = { content: [{ type: "text", text: "a chart" }, image] };
    expect(dialects.plain.read(result)).toEqual({
      ok: true,
      data: { result: "a chart", content: [image] },
      notes: {},
    });
    expect(dialects.plain.read({ content: [image] })).toMatchObject({ data: { content: [image] } });
  });

  it("keeps the structure of a plain failure in its data", () => {
    const result = { content: [{ type: "text", text: "no" }], structuredContent: { why: 1 }, isError: true };
    expect(dialects.plain.read(result)).toMatchObject({
      fault: { message: "no", data: { structured_content: { why: 1 } } },
    });
  });

  it("reads several items of a drf result as a list", () => {
    const content = ["1", '{"a":2}'].map((text) => ({ type: "text", text }));
    expect(translate({ content }, { from: "drf", to: "response-v2", profile: "minimal" })).toMatchObject({
      data: { result: [1, { a: 2 }] },
    });
  });

  // shows 002.24
  it("keeps the data of a scalpel failure, whatever its type or its keys", () => {
    const error = { error: "It failed", error_code: "timeout" };
    expect(dialects.scalpel.read({ error, data: [1] })).toMatchObject({ fault: { data: { result: [1] } } });
    const hidden = { error_code: "theirs", details: { a: 1 } };
    expect(translate({ error, data: hidden }, { from: "scalpel", to: "response-v2" })).toMatchObject({
      data: { error_code: "TIMEOUT", data: hidden },
    });
  });

  it("reads a scalpel note from the root first, then from meta", () => {
    const root = { data: 1, tier: "pro", meta: { tier: "community", warnings: ["old"] } };
    expect(dialects.scalpel.read(root)).toMatchObject({
      notes: { tier: "pro", warnings: [{ message: "old" }] },
    });
  });

  it("never lets an author's own meta key replace a fault's code", () => {
    const outcome: Outcome = {
      ok: false,
      fault: { message: "m", code: "NOT_FOUND", type: "not_found" },
      notes: { extra: { error_code: "mine", error_type: "" } },
    };
    for (const dialect of [dialects.scalpel, dialects["response-v2-draft"]]) {
      const back = dialect.read(dialect.render(outcome, { profile: profiles.standard }));
      expect(back).toMatchObject({ fault: { code: "NOT_FOUND", type: "not_found" } });
    }
  });

  it("sends a response-v1 payload that looks like a failure one level deeper", () => {
    const outcome: Outcome = { ok: true, data: { error: "a text" }, notes: {} };
    expect(dialects["response-v1"].render(outcome, { profile: profiles.standard })).toEqual({
      result: { error: "a text" },
    });
  });
});
