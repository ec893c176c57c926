import { describe, expect, it } from "vitest";
import { findingsOf, recordOf, verdictOf } from "../record.fixture.ts";
import type { HttpExchange, HttpPurpose, ServerRecord } from "../server-record.ts";

function recordWith(purpose: HttpPurpose, status: number, more: Partial<HttpExchange> = {}): ServerRecord {
  const exchange = { purpose, status, contentType: undefined, hasBody: false, ...more };
  return recordOf({ transport: "http", http: [exchange] });
}

describe("statuses of HTTP", () => {
  it.each<[string, HttpPurpose, number, Partial<HttpExchange>]>([
    ["http-status/notification", "notification", 202, {}],
    ["http-status/notification", "notification", 400, { hasBody: true }],
    ["http-status/get", "get", 405, {}],
    ["http-status/get", "get", 200, { contentType: "text/event-stream" }],
    ["http-status/version", "bad-version", 400, {}],
    ["http-status/origin", "foreign-origin", 403, {}],
    ["http-status/broken-json", "broken-json", 415, {}],
    ["http-status/session-required", "no-session", 400, {}],
    ["http-status/session-required", "no-session", 200, {}],
    ["http-status/session-ended", "ended-session", 404, {}],
    ["http-status/unknown-method", "unknown-method", 404, {}],
    ["http-status/header-mismatch", "header-mismatch", 400, {}],
  ])("%s takes %s with %i", async (rule, purpose, status, more) => {
    expect(await findingsOf(rule, recordWith(purpose, status, more))).toEqual([]);
  });

  it.each<[string, HttpPurpose, number, Partial<HttpExchange>, string]>([
    ["http-status/notification", "notification", 202, { hasBody: true }, "with a body"],
    ["http-status/notification", "notification", 200, {}, "HTTP 200"],
    ["http-status/notification", "notification", 500, {}, "HTTP 500"],
    ["http-status/get", "get", 200, { contentType: "text/html" }, "HTTP 200 and text/html"],
    ["http-status/get", "get", 404, {}, "HTTP 404"],
    ["http-status/version", "bad-version", 200, {}, "1900-01-01"],
    ["http-status/origin", "foreign-origin", 200, {}, "foreign Origin"],
    ["http-status/broken-json", "broken-json", 500, {}, "no JSON"],
    ["http-status/session-required", "no-session", 404, {}, "without its session"],
    ["http-status/session-ended", "ended-session", 400, {}, "ended session"],
    ["http-status/unknown-method", "unknown-method", 200, {}, "does not exist"],
    ["http-status/header-mismatch", "header-mismatch", 200, {}, "Mcp-Method"],
  ])("%s finds %s with %i", async (rule, purpose, status, more, words) => {
    const found = await findingsOf(rule, recordWith(purpose, status, more));
    expect(found).toEqual([{ path: "", message: expect.stringContaining(words) }]);
  });

  it("may be 400 to GET in the modern era, from a server that has sessions in the other", async () => {
    const modern = { era: "modern" } as const;
    expect(await findingsOf("http-status/get", { ...recordWith("get", 400), ...modern })).toEqual([]);
    expect(await findingsOf("http-status/get", { ...recordWith("get", 404), ...modern })).toHaveLength(1);
    expect(await findingsOf("http-status/get", recordWith("get", 400))).toHaveLength(1);
  });

  it("are asked of a revision only as far as it names them", async () => {
    const older = { protocolVersion: "2025-06-18" };
    expect(
      await findingsOf("http-status/origin", { ...recordWith("foreign-origin", 400), ...older }),
    ).toEqual([]);
    expect(await findingsOf("http-status/origin", recordWith("foreign-origin", 400))).toHaveLength(1);
    const oldest = { protocolVersion: "2025-03-26" };
    expect(await verdictOf("http-status/version", { ...recordWith("bad-version", 200), ...oldest })).toEqual({
      untested: "The server speaks a revision before 2025-06-18",
    });
  });

  it("are untested over stdio, and where a request got none", async () => {
    expect(await verdictOf("http-status/get", recordOf())).toEqual({
      untested: "The server was not reached by a URL",
    });
    expect(await verdictOf("http-status/get", recordWith("notification", 202))).toHaveProperty("untested");
  });
});
