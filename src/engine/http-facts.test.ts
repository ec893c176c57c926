import { describe, expect, it } from "vitest";
import { hashCredential, httpFactsOf } from "./http-facts.ts";

const header = (authorization: string) => ({ requestInfo: { headers: { authorization } } });

describe("httpFactsOf", () => {
  it("takes what stdio and in-memory transports hand over for no HTTP request", () => {
    for (const extra of [undefined, null, {}, { authInfo: { token: "t" } }])
      expect(httpFactsOf(extra)).toBeUndefined();
  });

  it("reads the web request of SDK v2 and the headers of v1", () => {
    const expected = { bearerHash: hashCredential("secret-1"), forwardedFor: "10.0.0.7" };
    const headers = { authorization: "Bearer secret-1", "x-forwarded-for": "10.0.0.7" };
    const request = new Request("http://127.0.0.1/mcp", { headers });
    expect(httpFactsOf({ request })).toEqual(expected);
    expect(httpFactsOf({ requestInfo: { headers } })).toEqual(expected);
  });

  it("keeps of a token nothing but its hash", () => {
    expect(JSON.stringify(httpFactsOf(header("Bearer secret-1")))).not.toContain("secret");
    expect(httpFactsOf(header("bearer  secret-1"))?.bearerHash).toBe(hashCredential("secret-1"));
  });

  it.each(["", "Bearer", "Bearer ", "Bearer undefined", "Bearer null", "Bearer a b", "Basic dTpw"])(
    "takes %j for no token, since it tells nobody apart",
    (authorization) => {
      expect(httpFactsOf(header(authorization))).toEqual({ bearerHash: undefined, forwardedFor: undefined });
    },
  );

  it("joins a header that came more than once", () => {
    const headers = { "x-forwarded-for": ["192.0.2.1", "10.0.0.7"] };
    expect(httpFactsOf({ requestInfo: { headers } })?.forwardedFor).toBe("192.0.2.1, 10.0.0.7");
  });
});
