import { describe, expect, it } from "vitest";
import { createFetcher } from "./create-fetcher.ts";
import type { FetcherOptions } from "./fetch-settings.ts";

describe("the options of createFetcher", () => {
  it.each([
    [{ maxByte: 1 }, /^createFetcher: "maxByte" is not a known key. Did you mean "maxBytes"/],
    [{ maxBytes: 0 }, /"maxBytes" is 0. Write a whole number from 1/],
    [{ maxBytes: 1.5 }, /maxBytes/],
    [{ maxBytes: Number.NaN }, /maxBytes/],
    [{ maxBytes: "1" }, /maxBytes/],
    [{ timeoutMs: 2 ** 31 }, /timeoutMs/],
    [{ timeoutMs: Number.POSITIVE_INFINITY }, /timeoutMs/],
    [{ maxRedirects: -1 }, /maxRedirects/],
    [{ maxRedirects: 21 }, /maxRedirects/],
    [{ maxDecompressionRatio: 0 }, /maxDecompressionRatio/],
    [{ ports: [0] }, /"ports\[0\]" is 0. Write a whole number from 1 to 65535/],
    [{ ports: [65_536] }, /ports/],
    [{ ports: 80 }, /"ports" is 80. Write a list/],
    [{ allowHosts: "example.com" }, /"allowHosts" is "example.com". Write a list/],
    [{ allowPrivate: "10.0.0.0/8" }, /"allowPrivate" is "10.0.0.0\/8". Write a list/],
    [{ allowPrivate: true }, /"allowPrivate" is true. Write a list/],
    [{ denyAddresses: [1] }, /"denyAddresses\[0\]" is 1. Write a range/],
    [{ userAgent: "" }, /userAgent/],
    [{ userAgent: "a\r\nCookie: b" }, /userAgent/],
    [{ allowHosts: [""] }, /"allowHosts\[0\]" is "". Write a host/],
    [{ allowHosts: ["*"] }, /allowHosts/],
    [{ allowHosts: ["*.*.com"] }, /allowHosts/],
    [{ allowHosts: ["http://example.com"] }, /allowHosts/],
    [{ allowHosts: ["example.com:8080"] }, /allowHosts/],
    [{ allowHosts: ["example.com/path"] }, /allowHosts/],
    [{ allowHosts: ["name@example.com"] }, /allowHosts/],
    [{ allowPrivate: ["localhost"] }, /"allowPrivate\[0\]" is "localhost". Write an address/],
    [{ allowPrivate: ["10.0.0.0/33"] }, /allowPrivate/],
    [{ allowPrivate: ["10.0.0.0/-1"] }, /allowPrivate/],
    [{ allowPrivate: ["10.0.0.0/8/8"] }, /allowPrivate/],
    [{ allowPrivate: ["10.0.0.0/"] }, /allowPrivate/],
    [{ allowPrivate: ["10.1:0"] }, /allowPrivate/],
    [{ allowPrivate: ["wiki:65536"] }, /allowPrivate/],
    [{ allowPrivate: ["http://wiki:80"] }, /allowPrivate/],
    [{ allowPrivate: ["::1:80x"] }, /allowPrivate/],
    [{ allowPrivate: [""] }, /allowPrivate/],
    [{ denyAddresses: ["example.com"] }, /"denyAddresses\[0\]" is "example.com". Write a range/],
  ])("%j is refused when the fetcher is made", (options, message) => {
    expect(() => createFetcher(options as FetcherOptions)).toThrow(
      expect.objectContaining({
        name: "ContractError",
        code: "INVALID_OPTION",
        message: expect.stringMatching(message),
      }),
    );
  });

  it.each([
    {},
    { allowPrivate: false },
    { allowHosts: ["EXAMPLE.com.", "*.bücher.example", "::1", "[::1]", "192.0.2.1"] },
    { allowPrivate: ["::1", "[::1]:80", "fd00::/8", "127.0.0.1", "0x7f.1:8080", "wiki.internal:443"] },
    { maxRedirects: 0, ports: [], denyAddresses: ["2001:db8::/32", "192.0.2.1"] },
  ] satisfies FetcherOptions[])("%j is taken", (options) => {
    expect(createFetcher(options)).toBeTypeOf("function");
  });
});
