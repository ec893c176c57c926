// Results that are no failures. Many look like one: they speak about errors, begin with the word, or have fields that
// failures have. Real documents and payloads are read where they are, the rest is written for the purpose.

import { readFileSync, readdirSync, statSync } from "node:fs";
import type { JsonObject, JsonValue } from "../../src/core/json/json-value.ts";
import { payloads } from "../journeys/payloads.fixture.ts";

export interface Ordinary {
  readonly name: string;
  readonly result: JsonObject;
}

const asText = (text: string): JsonObject => ({ content: [{ type: "text", text }] });
const asJson = (value: JsonValue): JsonObject => asText(JSON.stringify(value, undefined, 2));
const asStructure = (value: JsonObject): JsonObject => ({ ...asJson(value), structuredContent: value });

const modules = new URL("../../node_modules/", import.meta.url);
const documentNames =
  /^(?:readme|changelog|history|license|security|index|errors?)[\w.]*\.(?:md|txt|js|cjs|mjs|d\.ts|json)$|^license$|^package\.json$/i;

/** Documents and sources of the packages that are installed, whole, and the page of each that a reader would ask for. */
function documents(limit: number): readonly Ordinary[] {
  const found: Ordinary[] = [];
  for (const name of readdirSync(modules).sort()) {
    if (found.length >= limit || name.startsWith(".") || name.startsWith("@")) continue;
    const folder = new URL(`${name}/`, modules);
    const files = readdirSync(folder).filter((file) => documentNames.test(file));
    for (const file of files.slice(0, 4)) {
      const url = new URL(file, folder);
      if (!statSync(url).isFile()) continue;
      const text = readFileSync(url, "utf8").slice(0, 60_000);
      found.push({ name: `${name}/${file}`, result: asText(text) });
      const from = text.search(/\berror/i);
      if (from > 0)
        found.push({
          name: `${name}/${file} from the word on`,
          result: asText(text.slice(from, from + 2_000)),
        });
    }
  }
  return found.slice(0, limit);
}

function records(): readonly Ordinary[] {
  return payloads.flatMap(({ name, text, value }) => {
    const list = Array.isArray(value) ? (value as readonly JsonObject[]) : [value as JsonObject];
    const each = list.flatMap((record, index) => [
      { name: `${name} ${index}`, result: asJson(record) },
      { name: `${name} ${index} as structure`, result: asStructure(record) },
    ]);
    return [{ name, result: asText(text) }, ...each];
  });
}

/** Objects with the fields of failures that report none. */
const objects: readonly JsonObject[] = [
  { error: null, data: { id: 1 } },
  { errors: [], items: [1, 2] },
  { success: true, message: "Deleted 3 errors" },
  { ok: true, error: "" },
  { error: false, message: "All good" },
  { error: {}, result: "fine" },
  { error: "none", specs: [] },
  { error: "", rows: [] },
  { status: "ok", errors: 0 },
  { status: "failed", name: "deploy", finished_at: "2026-01-01" },
  { status: "success", error_count: 0, errors: [] },
  { status: 200, body: { error: "shown to the user" } },
  { status: "error", service: "billing", since: "10:05", region: "eu" },
  { success: false, jobs: [{ name: "lint", conclusion: "failure" }] },
  { success: false, total: 10, passed: 9, failed: 1 },
  { conclusion: "failure", jobs: [{ name: "test", error: "exit 1" }] },
  {
    ok: false,
    checks: [
      { name: "db", ok: true },
      { name: "cache", ok: false },
    ],
  },
  { id: "evt_1", level: "error", message: "Timeout in checkout", service: "web", count: 12 },
  { level: "error", error: "ECONNREFUSED", service: "web", at: "2026-01-01", host: "a" },
  { error_rate: 0.02, error_budget: 0.1, errors: 12 },
  { errors: [{ file: "a.ts", line: 3, rule: "no-any" }], warnings: [], files: 12 },
  { errors: [{ message: "Unused variable", line: 3 }], data: { files: 4 } },
  { diagnostics: [{ severity: "error", message: "Type error" }], ok: true },
  { title: "Error when saving", state: "open", number: 12, body: "Error: cannot save" },
  { key: "ABC-1", fields: { summary: "Error 500 on login", status: { name: "Failed" } } },
  { code: 0, stdout: "Error: nothing", stderr: "" },
  { exitCode: 1, stdout: "", stderr: "3 tests failed" },
  { name: "TypeError", description: "A value is not of the expected type", members: ["message", "stack"] },
  { kind: "Status", metadata: { name: "x" }, status: "Success" },
  { kind: "Pod", status: { phase: "Failed", message: "OOMKilled" } },
  { object: "list", data: [], has_more: false },
  { type: "error_report", period: "week", total: 3, groups: [{ error: "TypeError", count: 2 }] },
  { codes: { "404": "Not found", "500": "Internal server error" } },
  { message: "Not found was the answer", author: "Ann", likes: 3 },
  { statusCode: 200, error: null, message: "OK" },
  { response: { status: 404, error: "Not Found" }, url: "https://a.example", redirects: [] },
  { results: [{ success: false, error: "bad row" }, { success: true }], processed: 2 },
  { failed: [], succeeded: ["a"], success: true },
  { isError: false, content: "Error: is what they said" },
  { retryable: false, error: null },
  { validation: { valid: false, errors: ["name is required"] }, input: "x" },
  { query: "error", hits: [{ id: 1, error: "x" }], total: 1 },
  { logs: ["ERROR 10:05 refused", "INFO 10:06 ok"], next: null },
  { ok: true, warnings: ["rate limit exceeded soon"] },
  { success: true, error: "Ignored: file was already there", created: ["a"] },
];

/** Texts about errors. */
const texts: readonly string[] = [
  "Error handling in Go is explicit: functions return an error as their last value.",
  "Errors are values.",
  "Error codes\n\n404 means that a page was not found. 429 means too many requests.",
  "Error log for 2026-01-01\n10:05 ERROR connection refused\n10:06 ERROR timed out",
  "Error rate: 0.2 %",
  "Error budget left: 43 minutes",
  "Failed jobs (3):\n- lint: exit 1\n- test: exit 1\n- build: timeout",
  "Failed tests: 2 of 300\n  src/a.test.ts: not found\n  src/b.test.ts: Error: refused",
  "3 errors found:\n  a.ts(3,1): error TS2304: Cannot find name 'x'.",
  "The API answers 401 Unauthorized if the token is missing.",
  "Rate limits: 5,000 requests an hour. When the rate limit is exceeded the API answers 429.",
  "class NotFoundError extends Error {\n  constructor(id) {\n    super(`Not found: ${id}`);\n  }\n}",
  "try {\n  await save();\n} catch (error) {\n  console.error('Error: could not save', error);\n}",
  "function fail() {\n  throw new Error('ENOENT: no such file or directory');\n}",
  "# Error messages\n\nWrite what happened, then what to do.",
  "## Failed logins\n\n| user | count |\n| --- | --- |\n| ann | 3 |",
  "Title: Error 404\nStatus: open\nThe page for missing pages is not found itself.",
  "Issue #12: Error: cannot read properties of undefined\nState: open\nComments: 4\nLabels: bug",
  "commit 5f3a\nAuthor: Ann\n\n    fix: error when the list is empty",
  "Found 2 issues:\n1. Permission denied when saving\n2. Request timed out",
  "Timeout: 30 s\nRetries: 3\nPermission: read",
  "2026-01-01T10:05:00Z ERROR [web] Request failed with status code 500",
  "ERROR 2026-01-01 10:05 request failed\n".repeat(40),
  '{"error": "x"}\n{"error": "y"}\n{"level": "info"}',
  "[ERROR] 10:05 refused\n[INFO] 10:06 ok\n".repeat(30),
  "Traceback reading is a skill: start at the last line.",
  "Exception safety guarantees: basic, strong, nothrow.",
  'No results found for "error".',
  "Nothing was found, and nothing had to be done.",
  "Invalidated 3 caches.",
  "Missing persons of Milan, a novel.",
  "Unauthorized biographies: a list",
  "Access denied pages: how to design them",
  "Rate limiter design: token bucket, leaky bucket.",
  "Permission denied is the title of a film of 2019.",
  "MCP errors and what they mean: -32602 is for invalid parameters.",
  "The command `git push` failed yesterday with error 403; today it works.",
  "exit 0\nstdout: Error: this is only a test\nstderr:",
  "error,count\nENOENT,3\nEACCES,1",
  "<html><body><h1>404 Not Found</h1></body></html>",
  "---\ntitle: Error\n---\nAn error is a deviation from accuracy.",
  "errors:\n  - code: 404\n    text: not found",
  "Failure is the mother of success.",
  "Failed 0 checks, passed 12.",
];

function written(): readonly Ordinary[] {
  const fromObjects = objects.flatMap((object, index) => [
    { name: `object ${index}`, result: asJson(object) },
    { name: `object ${index} as structure`, result: asStructure(object) },
    { name: `object ${index} in a list`, result: asJson([object, object]) },
    {
      name: `object ${index} as result`,
      result: { ...asJson(object), structuredContent: { result: object } },
    },
  ]);
  return [
    ...fromObjects,
    ...texts.map((text) => ({ name: `text ${text.slice(0, 40)}`, result: asText(text) })),
  ];
}

export const ordinaryResults: readonly Ordinary[] = [...written(), ...records(), ...documents(400)];
