import { describe, expect, it } from "vitest";
import { issuesInWords } from "./message-session.ts";

const missing = {
  code: "invalid_type",
  expected: "string",
  path: ["params", "name"],
  message: "Invalid input: expected string, received undefined",
};
const wrong = {
  code: "invalid_type",
  expected: "object",
  path: ["params", "clientInfo", "a b"],
  message: "Invalid input: expected object, received number",
};
const failed = (message: string) => ({ jsonrpc: "2.0", id: 1, error: { code: -32603, message } });
const said = (message: string, method?: string) =>
  (issuesInWords(failed(message), method)["error"] as { message: string }).message;

describe("issuesInWords", () => {
  it("makes one sentence and -32602 of a schema library's list, with or without words before it", () => {
    const dump = JSON.stringify([missing, wrong], undefined, 2);
    const sentence =
      'Invalid params of initialize: name is missing, "clientInfo.a b" must be object, not number';
    expect(issuesInWords(failed(dump), "initialize")).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32602, message: sentence },
    });
    expect(said(`Invalid tools/call request: ${dump}`, "initialize")).toBe(sentence);
    expect(said(dump)).toMatch(/^Invalid params: name is missing/);
  });

  it("names five of them and counts the others", () => {
    expect(said(JSON.stringify(Array.from({ length: 7 }, () => missing)), "x")).toBe(
      "Invalid params of x: name is missing, name is missing, name is missing, name is missing, name is missing, 2 more",
    );
  });

  it.each([
    "Internal error",
    "rows [1] and [2] differ",
    "[]",
    "[1, 2]",
    JSON.stringify([{ ...missing, path: ["id"] }]),
    `[${"[".repeat(50_000)}`,
  ])("leaves any other text as it is: %.40s", (message) => {
    const response = failed(message);
    expect(issuesInWords(response, "tools/call")).toBe(response);
  });
});
