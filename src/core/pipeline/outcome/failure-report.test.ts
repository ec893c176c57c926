import { readFileSync, readdirSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../json/json-value.ts";
import { isFailureReport } from "./failure-report.ts";
import { fromResult } from "./from-result.ts";

const textResult = (text: string): JsonObject => ({ content: [{ type: "text", text }] });

const reports: readonly string[] = [
  "Error: user not found",
  "❌ Error: no such city",
  "**Error:** could not connect",
  "API error: too many redirects",
  "Error: 404 Not Found",
  "Error:\nno such table: users",
  "ValueError: invalid literal for int() with base 10: 'x'",
  "sqlite3.OperationalError: no such table: users",
  "HTTPError: 404 Client Error: Not Found for url: https://a.example",
  "ERROR [not_found_error]: Company not found: 5f3a",
  "Input validation error: 'path' is a required property",
  'Error: [\n  {\n    "code": "invalid_type"\n  }\n]',
  'Service error: 404 Not Found\n{"message": "404 Project Not Found"}',
  '429 Too Many Requests\n{"code": "RATE_LIMITED"}',
  "Error fetching weather data: 503",
  "Error reading the file",
  "An error occurred while processing your request.",
  "Something went wrong. Please try again.",
  "Failed to fetch the price",
  "Unable to fetch alerts: timed out",
  "Could not create directory 'x': [Errno 13] Permission denied",
  "Weather lookup failed: HTTP 500",
  "Tool 'search' execution failed: Unauthorized",
  "Request failed with status code 404",
  "Access denied: you are not the owner",
  "Session expired. Log in again.",
  "Unknown tool: foo",
  "Rate limit exceeded, retry after 30s",
  "Invalid arguments: limit must be positive",
  "channel_id must be a string",
  "File not found: /tmp/x.xml. Make sure that the path is right.",
  "ENOENT: no such file or directory, open 'x'",
  "1 validation error for Search\nquery\n  Field required [type=missing, input_type=dict]",
  "Error: Failed to start.\n    at run (a.js:1:2)\n    at main (b.js:3:4)",
  "Error: no such table: notes\n\nTroubleshooting steps:\n1. Create the table\n2. Try again",
  "# Search Failed\n\nError searching for 'notes': no such table\n\n## What to do\n\nCall another tool.",
  "错误：城市不存在",
  "查询失败: 网络错误",
];

/** Logs, measured errors, titles, source code, answers to a question about a failure. */
const others: readonly string[] = [
  "Error: 0.23",
  "Mean squared error: 0.23 (test set of 400)",
  "Margin of error: three points",
  "Error: none",
  "error: null",
  "error: string",
  "isError: true",
  "Error: what does it mean?",
  "Error: 2026-01-01 10:05 request failed",
  "ERROR: 10:05:01 request failed",
  "Error: a was refused\nINFO: b has started",
  "Error: connection lost\nError: connection lost",
  "Error: the movie, 2019, 90 minutes\nDirector: Ann\nRating: 7",
  "Error: could not save', error);",
  "Error: a new one => b",
  "error: normalizeError(error)",
  "ValueError: If the number is negative",
  "- Error: x is wrong\n- Warning: y",
  "Error handling in Go: a guide",
  "Error: handling in Go is by value.",
  "Error: what this page is about.",
  "Error handling is explicit in Go",
  "Failed to launch: the story of a start-up",
  "Failed logins: 3",
  "Failed: 0, passed: 12",
  "Tests failed: 3 of 200",
  "Build failed: 3 errors",
  "The deployment failed: the image was not there",
  "Unable to find any match",
  'Could not find results for "x"',
  "The user could not save the file: the disk was full.",
  "Invalid JSON: unexpected token at 3",
  "404 Not Found",
  "not_found",
  "File '/a' does not exist",
  "Authenticated.",
  "Logged in.",
  "No active alerts for this state.",
  "# Error\n\nAn error is a deviation from accuracy.",
  "Error: x\n".repeat(200),
];

describe("a text that is a report and nothing else", () => {
  it.each(reports)("is a failure, and its words stay: %s", (text) => {
    const { outcome, blocks } = fromResult(textResult(text));
    expect(outcome.ok).toBe(false);
    const said = outcome.ok ? "" : outcome.fault.message;
    expect(said === text || JSON.stringify(blocks).includes(JSON.stringify(text))).toBe(true);
  });

  it.each(others)("is not seen in: %s", (text) => {
    expect(fromResult(textResult(text)).outcome.ok).toBe(true);
  });

  it("gets the code that its words mean, also inside a router's result", () => {
    const inner = textResult("Error: no such city: Atlantis");
    const fault = { code: "NOT_FOUND", message: "Error: no such city: Atlantis" };
    expect(fromResult(inner).outcome).toMatchObject({ ok: false, fault });
    const routed = fromResult(textResult(JSON.stringify({ ...inner, isError: false })));
    expect(routed.outcome).toMatchObject({ ok: false, fault });
    expect(routed.blocks).toHaveLength(1);
  });

  it("is one where a structure or a lone key only repeats it, as Python servers answer", () => {
    const said = "Failed to fetch the price";
    const repeated = { ...textResult(said), structuredContent: { result: said } };
    expect(fromResult(repeated, { isTyped: true }).outcome).toMatchObject({ fault: { message: said } });
    expect(fromResult(textResult(JSON.stringify({ result: said }))).outcome.ok).toBe(false);
    const other = { ...textResult(said), structuredContent: { result: said, price: 3 } };
    expect(fromResult(other, { isTyped: true }).outcome.ok).toBe(true);
    expect(fromResult(textResult(JSON.stringify({ result: said, price: 3 }))).outcome.ok).toBe(true);
  });

  it("is only noted where the tool gives documents, or where another text stands beside it", () => {
    const said = textResult("Error: no such city");
    expect(fromResult(said, { isDocument: true }).outcome).toMatchObject({
      ok: true,
      notes: { warnings: [{ code: "POSSIBLE_FAILURE", context: { rule: "unmarked/report" } }] },
    });
    const two = {
      content: [
        { type: "text", text: "Error: no such city" },
        { type: "text", text: "Rome" },
      ],
    };
    expect(fromResult(two).outcome.ok).toBe(true);
  });
});

const modules = new URL("../../../../node_modules/", import.meta.url);

/** Every paragraph and every line of the manuals of installed packages. */
function paragraphs(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const name of readdirSync(modules).sort()) {
    if (name.startsWith(".") || name.startsWith("@")) continue;
    const folder = new URL(`${name}/`, modules);
    for (const file of readdirSync(folder).filter((each) => /^(?:readme|changelog)[\w.]*\.md$/i.test(each))) {
      const url = new URL(file, folder);
      if (!statSync(url).isFile()) continue;
      const text = readFileSync(url, "utf8");
      for (const part of [...text.split(/\n\s*\n/), ...text.split("\n")]) found.add(part.trim());
    }
  }
  return found;
}

describe("the manuals of other programs", () => {
  it("hardly ever have a paragraph or a line that would be taken for a report", () => {
    const all = paragraphs();
    expect(all.size).toBeGreaterThan(10_000);
    const taken = [...all].filter((part) => isFailureReport(part));
    // What is left are quoted messages, such as "error: unknown option '--fits'".
    expect(taken.length / all.size).toBeLessThan(0.001);
  });
});
