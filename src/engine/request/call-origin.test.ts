import { describe, expect, it } from "vitest";
import { networkOf } from "../../core/text/network-address.ts";
import { hashCredential, httpFactsOf, peerOf, withPeer } from "./call-request.ts";

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
    "takes %j for no token, since it tells no callers apart",
    (authorization) => {
      expect(httpFactsOf(header(authorization))).toEqual({ bearerHash: undefined, forwardedFor: undefined });
    },
  );

  it("joins a header that came more than once", () => {
    const headers = { "x-forwarded-for": ["192.0.2.1", "10.0.0.7"] };
    expect(httpFactsOf({ requestInfo: { headers } })?.forwardedFor).toBe("192.0.2.1, 10.0.0.7");
  });
});

describe("the caller's address", () => {
  it("is what the HTTP recipe hands over, through everything that is awaited", async () => {
    const seen = await withPeer("10.0.0.7", async () => {
      await new Promise((resolve) => void setTimeout(resolve, 1));
      return peerOf(undefined);
    });
    expect(seen).toBe("10.0.0.7");
    expect(peerOf(undefined)).toBeUndefined();
    expect(withPeer(undefined, () => peerOf(undefined))).toBeUndefined();
  });

  it("is never a forwarded one unless proxies are trusted", () => {
    expect(withPeer("10.0.0.7", () => peerOf("203.0.113.9"))).toBe("10.0.0.7");
    expect(withPeer("10.0.0.7", () => peerOf("203.0.113.9", 0))).toBe("10.0.0.7");
    expect(peerOf("203.0.113.9")).toBeUndefined();
  });

  it.each([
    [true, "203.0.113.9"],
    [1, "203.0.113.9"],
    [2, "198.51.100.4"],
    [3, "192.0.2.1"],
    [4, "10.0.0.7"],
  ])("is with trustProxy %j the entry that many from the right", (trust, expected) => {
    const header = "192.0.2.1, 198.51.100.4, 203.0.113.9";
    expect(withPeer("10.0.0.7", () => peerOf(header, trust))).toBe(expected);
  });

  it.each([
    ["203.0.113.9:4711", "203.0.113.9"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["unknown", undefined],
    ["", undefined],
    ["<script>", undefined],
  ])("reads the entry %j as %j", (entry, expected) => {
    expect(peerOf(entry, 1)).toBe(expected);
  });
});

describe("networkOf", () => {
  it.each([
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::6", "2001:db8:1:2::/64"],
    ["2001:db8::6", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["a unix socket", "a unix socket"],
  ])("%s is limited as %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
