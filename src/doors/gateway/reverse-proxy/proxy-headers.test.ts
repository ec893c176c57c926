import { describe, expect, it } from "vitest";
import { forwardedCaller } from "./proxy-headers.ts";

const of = (headers: Record<string, string>, fixed: Record<string, string> = {}) =>
  forwardedCaller(headers, fixed);
const basic = { authorization: "Basic YWRhOmFkYQ==" };

describe("forwardedCaller", () => {
  it.each<[string, Record<string, string>, Record<string, string>]>([
    ["Bearer tokens", { authorization: "Bearer one" }, { authorization: "Bearer two" }],
    ["Basic credentials", basic, { authorization: "Basic YmVuOmJlbg==" }],
    ["a scheme of their own", { authorization: "Signature a" }, { authorization: "Signature b" }],
    ["a bare key", { authorization: "sk-1" }, { authorization: "sk-2" }],
    ["cookies", { cookie: "sid=1" }, { cookie: "sid=2" }],
    ["an API key", { "x-api-key": "1" }, { "x-api-key": "2" }],
    [
      "a token of an identity proxy",
      { "x-forwarded-access-token": "1" },
      { "x-forwarded-access-token": "2" },
    ],
    ["one token, but another key", { ...basic, "private-token": "1" }, { ...basic, "private-token": "2" }],
    ["one token, but another account", { ...basic, "x-account": "1" }, { ...basic, "x-account": "2" }],
  ])("tells two callers apart by %s", (_what, one, other) => {
    const [first, second] = [of(one), of(other)];
    expect(first.callerHash).toMatch(/^[0-9a-f]{32}$/);
    expect(first.variantHash).toBeUndefined();
    expect(second.callerHash).not.toBe(first.callerHash);
    expect(JSON.stringify([first, second])).not.toContain("YWRhOmFkYQ");
  });

  it("knows a caller again, whatever else changes from request to request", () => {
    const first = of({
      ...basic,
      cookie: "a=1",
      "x-request-id": "1",
      "mcp-name": "read",
      "sec-fetch-mode": "cors",
    });
    const again = of({ cookie: "a=1", traceparent: "00-1", "content-type": "application/json", ...basic });
    expect(again).toEqual(first);
  });

  it("names no caller by what any caller can say, and keeps their lists apart all the same", () => {
    const [eu, us] = [of({ "x-region": "eu" }), of({ "x-region": "us" })];
    expect([eu.callerHash, us.callerHash]).toEqual([undefined, undefined]);
    expect(eu.variantHash).not.toBe(us.variantHash);
  });

  it("knows no caller by ordinary headers, by placeholders, and by what the operator writes over", () => {
    const noCaller = { callerHash: undefined, variantHash: undefined };
    expect(of({ accept: "*/*", "user-agent": "curl", "mcp-session-id": "s", "if-none-match": "x" })).toEqual(
      noCaller,
    );
    for (const authorization of ["", "Bearer", "Bearer undefined", "Basic null", "none"])
      expect(of({ authorization })).toEqual(noCaller);
    expect(of({ "x-api-key": "theirs" }, { "x-api-key": "ours" })).toEqual(noCaller);
  });
});
