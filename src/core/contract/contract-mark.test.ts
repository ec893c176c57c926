import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import {
  contractMark,
  isByGateway,
  markIn,
  readMark,
  signMark,
  withoutNotes,
  withoutWrapper,
} from "./contract-mark.ts";
import { dialectIds } from "./dialect-id.ts";

describe("the mark of a result", () => {
  it("is a short text in minimal, and an object in every other profile", () => {
    expect(contractMark("response-v2", "minimal", { isAsSent: false, isWrapped: false })).toBe("response-v2");
    expect(contractMark("plain", "minimal", { isAsSent: true, isWrapped: false })).toBe("plain as_sent");
    expect(contractMark("plain", "standard", { isAsSent: false, isWrapped: false })).toEqual({
      dialect: "plain",
      profile: "standard",
    });
    expect(contractMark("plain", "quiet", { isAsSent: true, isWrapped: false })).toEqual({
      dialect: "plain",
      profile: "quiet",
      content: "as_sent",
    });
  });

  it.each(dialectIds)("costs at most 12 tokens in minimal with its key, in %s", (dialect) => {
    const mark = contractMark(dialect, "minimal", { isAsSent: false, isWrapped: false });
    expect(countTokens(JSON.stringify({ "waybill/contract": mark }))).toBeLessThanOrEqual(12);
    // Only plain results leave as they were sent.
    const sent = contractMark("plain", "minimal", { isAsSent: true, isWrapped: false });
    expect(countTokens(JSON.stringify({ "waybill/contract": sent }))).toBeLessThanOrEqual(12);
  });

  it.each(dialectIds)("reads back as it was written, in %s", (dialect) => {
    for (const profile of ["minimal", "standard", "debug", "quiet"]) {
      expect(readMark(contractMark(dialect, profile, { isAsSent: false, isWrapped: false }))).toEqual({
        dialect,
        profile,
      });
      expect(readMark(contractMark(dialect, profile, { isAsSent: true, isWrapped: false }))).toEqual({
        dialect,
        profile,
        content: "as_sent",
      });
    }
  });

  it("says that the data's `result` is a key of the contract, in both forms", () => {
    const form = { isAsSent: false, isWrapped: true };
    expect(contractMark("response-v2", "minimal", form)).toBe("response-v2 wrapped");
    for (const profile of ["minimal", "standard"]) {
      const mark = contractMark("response-v2", profile, form);
      expect(readMark(mark)).toEqual({ dialect: "response-v2", profile, data: "wrapped" });
      for (const one of [mark, signMark(mark, undefined), signMark(mark, "gw")]) {
        const meta = { "waybill/contract": one };
        expect(withoutWrapper({ result: [1] }, meta)).toEqual([1]);
        expect(withoutWrapper({ result: [1], more: 1 }, meta)).toEqual({ result: [1], more: 1 });
        expect(withoutWrapper({ omitted: {} }, meta)).toEqual({ omitted: {} });
      }
    }
    expect(withoutWrapper({ result: [1] }, { "waybill/contract": "response-v2" })).toEqual({ result: [1] });
    expect(withoutWrapper({ result: [1] }, undefined)).toEqual({ result: [1] });
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
