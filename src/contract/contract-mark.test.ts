import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { contractMark, isByGateway, markIn, readMark, signMark, withoutNotes } from "./contract-mark.ts";
import { dialectIds } from "./dialect-id.ts";

describe("the mark of a result", () => {
  it("is a short text in minimal, and an object in every other profile", () => {
    expect(contractMark("response-v2", "minimal", false)).toBe("response-v2");
    expect(contractMark("plain", "minimal", true)).toBe("plain as_sent");
    expect(contractMark("plain", "standard", false)).toEqual({ dialect: "plain", profile: "standard" });
    expect(contractMark("plain", "quiet", true)).toEqual({
      dialect: "plain",
      profile: "quiet",
      content: "as_sent",
    });
  });

  it.each(dialectIds)("costs at most 12 tokens in minimal with its key, in %s", (dialect) => {
    const mark = contractMark(dialect, "minimal", false);
    expect(countTokens(JSON.stringify({ "waybill/contract": mark }))).toBeLessThanOrEqual(12);
    // Only plain results leave as they were sent.
    const sent = contractMark("plain", "minimal", true);
    expect(countTokens(JSON.stringify({ "waybill/contract": sent }))).toBeLessThanOrEqual(12);
  });

  it.each(dialectIds)("reads back as it was written, in %s", (dialect) => {
    for (const profile of ["minimal", "standard", "debug", "quiet"]) {
      expect(readMark(contractMark(dialect, profile, false))).toEqual({ dialect, profile });
      expect(readMark(contractMark(dialect, profile, true))).toEqual({
        dialect,
        profile,
        content: "as_sent",
      });
    }
  });

  it.each([undefined, null, 5, true, ["plain"]])("is not %j", (said) => {
    expect(readMark(said)).toBeUndefined();
    expect(markIn({ "waybill/contract": said })).toBeUndefined();
  });

  it("is found in a _meta, and nowhere else", () => {
    expect(markIn({ "waybill/contract": "drf" })).toEqual({ dialect: "drf", profile: "minimal" });
    for (const meta of [undefined, null, "drf", [], {}]) expect(markIn(meta)).toBeUndefined();
  });
});

describe("withoutNotes", () => {
  it("takes the notes of another contract away, and nothing else", () => {
    const meta = { "x/y": 1, "waybill/notes": { request_id: "req_1" }, "waybill/contract": "plain" };
    expect(withoutNotes(meta)).toEqual({ "x/y": 1, "waybill/contract": "plain" });
    const other = { "x/y": 1 };
    expect(withoutNotes(other)).toBe(other);
  });
});

describe("signMark", () => {
  it("adds one word to the short form, and a name to the other", () => {
    expect(signMark("plain as_sent", "depot")).toBe("plain as_sent gateway");
    const mark = { dialect: "plain", profile: "standard" };
    expect(signMark(mark, "depot")).toEqual({ ...mark, by: "gateway:depot" });
    expect(signMark(mark, undefined)).toEqual({ ...mark, by: "gateway" });
  });

  it("is read back from either form", () => {
    for (const short of ["response-v2", "plain as_sent"]) {
      const signed = readMark(signMark(short, "depot"));
      expect(signed).toEqual({ ...readMark(short), by: "gateway" });
      expect(isByGateway(signed)).toBe(true);
      expect(isByGateway(readMark(short))).toBe(false);
    }
    expect(isByGateway({ by: "gatewayish" })).toBe(false);
  });

  it("writes the long form where it has to say which notes are the gateway's", () => {
    const own = { warnings: ["3 rows omitted"], archives: [] };
    expect(signMark("response-v2", "depot", { own, upstream: "plain as_sent" })).toEqual({
      dialect: "response-v2",
      profile: "minimal",
      by: "gateway:depot",
      own,
      upstream: { dialect: "plain", profile: "minimal", content: "as_sent" },
    });
  });
});
