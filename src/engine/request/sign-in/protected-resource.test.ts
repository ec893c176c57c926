import { describe, expect, it } from "vitest";
import {
  calledScheme,
  describedPath,
  metadataAddress,
  resourceMetadata,
  withParameters,
} from "./protected-resource.ts";

const called = { origin: "https://tools.example", path: "/mcp" };

describe("the metadata of a server", () => {
  it("is at the address that its challenge names", () => {
    const address = metadataAddress(called);
    expect(address).toBe("https://tools.example/.well-known/oauth-protected-resource/mcp");
    expect(describedPath(new URL(address).pathname)).toBe("/mcp");
    expect(describedPath("/mcp")).toBeUndefined();
  });

  it("leaves out what there is none of", () => {
    const facts = { issuer: "https://id.example", scopes: [], name: undefined };
    expect(resourceMetadata(called, facts)).toEqual({
      resource: "https://tools.example/mcp",
      authorization_servers: ["https://id.example"],
      bearer_methods_supported: ["header"],
    });
  });

  it("believes a proxy about the scheme only where the operator runs one", () => {
    expect([calledScheme("https", true), calledScheme("https, http", true)]).toEqual(["https", "https"]);
    expect([calledScheme("https", false), calledScheme("ftp", true), calledScheme(null, true)]).toEqual([
      "http",
      "http",
      "http",
    ]);
  });
});

describe("withParameters", () => {
  it("puts parameters behind those of a challenge, and nothing behind none", () => {
    expect(withParameters("Bearer", { scope: "a b", error: undefined })).toBe('Bearer scope="a b"');
    expect(withParameters('Bearer realm="x"', { scope: "a" })).toBe('Bearer realm="x", scope="a"');
    expect(withParameters("Bearer", {})).toBe("Bearer");
  });

  it("lets no value end its quotes or its line", () => {
    expect(withParameters("Bearer", { error_description: 'a"b\\c\r\nd\u00e9' })).toBe(
      'Bearer error_description="abcd"',
    );
  });
});
