import { describe, expect, it } from "vitest";
import { ResponseError } from "../../contract/response-error.ts";
import { fromResult } from "./from-result.ts";

function faultOf(text: string) {
  const { outcome } = fromResult({ content: [{ type: "text", text }], isError: true });
  if (outcome.ok) throw new Error("a marked result is a failure");
  return outcome.fault;
}

const zod = JSON.stringify(
  [{ code: "invalid_type", expected: "number", received: "undefined", path: ["limit"], message: "Required" }],
  undefined,
  2,
);
const python = (last: string): string =>
  `Traceback (most recent call last):\n  File "/srv/a.py", line 3, in <module>\n    main()\n${last}`;

describe("what programs say in a form of their own", () => {
  it.each([
    ["Zod", `Error: ${zod}`, "MISSING_REQUIRED"],
    [
      "Zod 4",
      '[{"expected":"string","code":"invalid_type","path":["a"],"message":"Invalid input"}]',
      "VALIDATION_ERROR",
    ],
    [
      "Pydantic",
      "1 validation error for Query\nlimit\n  Input should be a valid integer",
      "VALIDATION_ERROR",
    ],
    ["Django", 'Error: {"name": ["This field may not be blank."]}', "VALIDATION_ERROR"],
    ["PostgreSQL", 'ERROR: syntax error at or near "FORM" (SQLSTATE 42601)', "OPERATION_FAILED"],
    ["PostgreSQL", 'ERROR: column "nam" does not exist', "NOT_FOUND"],
    ["PostgreSQL", "deadlock detected", "CONFLICT"],
    ["MySQL", "ERROR 1146 (42S02): Table 'shop.task' doesn't exist", "NOT_FOUND"],
    ["MySQL", "You have an error in your SQL syntax; check the manual", "OPERATION_FAILED"],
    ["MySQL", "Unknown column 'nam' in 'field list'", "NOT_FOUND"],
    ["SQLite", 'near "FORM": syntax error', "OPERATION_FAILED"],
    ["SQLite", "NOT NULL constraint failed: task.name", "MISSING_REQUIRED"],
    ["SQLite", "FOREIGN KEY constraint failed", "CONFLICT"],
    ["SQLite", "UNIQUE constraint failed: task.id", "DUPLICATE_ENTRY"],
    ["BigQuery", "Unrecognized name: nam at [1:8]", "NOT_FOUND"],
    ["BigQuery", 'Syntax error: Unexpected identifier "SELEC" at [1:1]', "OPERATION_FAILED"],
    ["Snowflake", "002003 (42S02): SQL compilation error: Object 'X' does not exist", "NOT_FOUND"],
    ["a database tool", "Only SELECT statements are allowed", "VALIDATION_ERROR"],
    ["Python", python("FileNotFoundError: [Errno 2] No such file or directory: 'a'"), "NOT_FOUND"],
    ["Python", python("KeyError: 'x'"), "OPERATION_FAILED"],
    [
      "Node",
      "/srv/a.js:3\n    throw e;\n    ^\n\nError: connect ECONNREFUSED 127.0.0.1:1\n    at x",
      "UNAVAILABLE",
    ],
    ["git", "fatal: bad revision 'mian'", "NOT_FOUND"],
    ["git", "stderr: error: failed to push some refs\nhint: Updates were rejected because", "CONFLICT"],
    ["git", "git@host: Permission denied (publickey).", "UNAUTHORIZED"],
    ["a page", "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head></html>", "UNAVAILABLE"],
    ["a page", "<html><body><h1>404 Not Found</h1></body></html>", "NOT_FOUND"],
    ["Playwright", "strict mode violation: locator('a') resolved to 2 elements", "VALIDATION_ERROR"],
  ])("is understood: %s, %j", (_who, text, code) => {
    expect(faultOf(text).code).toBe(code);
  });

  it.each([
    "TimeoutError: locator.click: Timeout 5000ms exceeded.\nCall log:\n  - waiting for locator('#a')",
    "Waiting for selector `#a` failed: Waiting failed: 30000ms exceeded",
  ])("asks for another look before %j is tried again", (text) => {
    const fault = faultOf(text);
    expect(fault).toMatchObject({ code: "TIMEOUT", details: { retryable: false } });
    expect(new ResponseError(fault).retryRule).toBe("never");
    expect(fault.remediation).toMatch(/another element/);
  });

  it("still waits for a page that is slow", () => {
    const fault = faultOf("page.goto: Timeout 30000ms exceeded.");
    expect(new ResponseError(fault).retryRule).toBe("backoff");
  });

  it("gives advice that fits: a wrong statement is not a missing permission", () => {
    expect(faultOf("Only SELECT queries are allowed").remediation).toMatch(/kind of statement/);
    expect(faultOf('near "FORM": syntax error').remediation).toMatch(/^Correct the query/);
    expect(faultOf("something odd").remediation).toMatch(/^Check the arguments first/);
  });
});

describe("what a runtime says in the place of an answer", () => {
  it("is a failure, although it is not marked", () => {
    const { outcome } = fromResult({ content: [{ type: "text", text: "Tool call timed out." }] });
    expect(outcome).toMatchObject({ ok: false, fault: { code: "TIMEOUT" } });
  });

  it.each([
    "No tool call timed out.",
    "Tool call timed out. Here is what was found so far: 3",
    "The tool call timed out twice last week",
  ])("is not %j", (text) => {
    expect(fromResult({ content: [{ type: "text", text }] }).outcome.ok).toBe(true);
  });
});
