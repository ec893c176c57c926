import { describe, expect, it } from "vitest";
import { noise } from "../../text/planted-secrets.fixture.ts";
import {
  type MadeCall,
  failure,
  judgeBy,
  madeRecord,
  madeTool,
  structure,
  text,
} from "../made-record.fixture.ts";
import type { ServerRecord } from "../server-record.ts";
import { failedCallRules } from "./error-rules.ts";

function judge(
  id: string,
  calls: readonly MadeCall[],
  changes: Partial<ServerRecord> = {},
): ReturnType<typeof judgeBy> {
  return judgeBy(failedCallRules, id, madeRecord(calls, changes));
}

describe("a failure", () => {
  it("leaves every rule untested where there is no failure", async () => {
    for (const { id } of failedCallRules) expect([id, await judge(id, [])]).toEqual([id, "untested"]);
    const aboutFailures = failedCallRules.filter(({ id }) => id !== "error/as-protocol-error");
    for (const { id } of aboutFailures) expect([id, await judge(id, [{}])]).toEqual([id, "untested"]);
  });

  it("of a valid call is a result", async () => {
    const rule = "error/as-protocol-error";
    expect(await judge(rule, [{ error: { code: -32603, message: "boom" } }])).toEqual([
      'search: The call is answered with the JSON-RPC error -32603: "boom"',
    ]);
    const others: MadeCall[] = [
      {},
      { result: failure("boom") },
      { error: { code: -32042, message: "open this URL" } },
      { error: { code: -32602 }, purpose: "unknown-tool" },
      { error: { code: -32602 }, purpose: "invalid" },
    ];
    expect(await judge(rule, others)).toEqual([]);
  });

  it("has a text", async () => {
    const rule = "error/text-missing";
    const silent = { content: [], isError: true, structuredContent: { error: "boom" } };
    expect(await judge(rule, [{ result: silent }])).toHaveLength(1);
    expect(await judge(rule, [{ result: failure("  ") }])).toHaveLength(1);
    expect(await judge(rule, [{ result: failure("boom") }])).toEqual([]);
  });

  it.each([
    "ENOENT: no such file or directory, open 'x'",
    "Repository not found",
    "[E_QUOTA_DAY] come back later",
    '{"error": "odd", "code": "PGRST116"}',
    "Rate limit exceeded, try again in 30 seconds",
  ])("says its kind: %s", async (said) => {
    expect(await judge("error/kind-unclear", [{ result: failure(said) }])).toEqual([]);
  });

  it("that says nothing is reported as unclear and as no help", async () => {
    const vague = [{ result: failure("Something went wrong") }];
    expect(await judge("error/kind-unclear", vague)).toHaveLength(1);
    expect(await judge("error/next-step", vague)).toHaveLength(1);
    const helpful = [{ result: failure("The chart has no axis; set `axis` to x or y.") }];
    expect(await judge("error/next-step", helpful)).toEqual([]);
    expect(await judge("error/next-step", [{ result: failure("Repository not found") }])).toEqual([]);
  });

  it("in an envelope is judged by the rules of its dialect", async () => {
    const envelope = { success: false, data: {}, error: "odd", meta: { version: "response-v2" } };
    const calls = [{ result: { ...structure(envelope), isError: true } }];
    expect(await judge("error/kind-unclear", calls)).toBe("untested");
    expect(await judge("error/next-step", calls)).toBe("untested");
  });

  it("because of a rate limit says how long to wait", async () => {
    const rule = "error/wait-unknown";
    expect(await judge(rule, [{ result: failure("Rate limit exceeded") }])).toHaveLength(1);
    expect(await judge(rule, [{ result: failure("Rate limit exceeded. Retry in 20 seconds.") }])).toEqual([]);
    expect(await judge(rule, [{ result: failure("Not found") }])).toBe("untested");
  });
});

describe("what a failure gives away", () => {
  it.each([
    "TypeError: x is not a function\n    at run (/srv/app/index.js:10:5)\n    at node:internal/main:1:1",
    'Traceback (most recent call last):\n  File "/srv/app/main.py", line 3, in <module>\nKeyError: 1',
    "java.lang.IllegalStateException: no\n\tat com.acme.Tool.run(Tool.java:44)",
    "panic: boom\n\ngoroutine 1 [running]:\nmain.main()",
  ])("is no stack: %s", async (said) => {
    expect(await judge("error/leaks-stack", [{ result: failure(said) }])).toHaveLength(1);
    expect(
      await judge("error/leaks-stack", [{ error: { code: 1, message: "x", data: { stack: said } } }]),
    ).toHaveLength(1);
  });

  it.each([
    "Look at the file: it has 3 lines",
    "at most 5 items are allowed",
    "Meet me at (5:30)",
    "error at line 12:5 of the query",
  ])("is found in no ordinary words: %s", async (said) => {
    expect(await judge("error/leaks-stack", [{ result: failure(said) }])).toEqual([]);
    expect(await judge("error/leaks-path", [{ result: failure(said) }])).toEqual([]);
  });

  it("is no source code that the caller did not send", async () => {
    const rule = "error/leaks-code";
    const code = "def find(id):\n    return table[id]";
    expect(await judge(rule, [{ result: failure(`Cannot run ${code}`) }])).toEqual([
      expect.stringMatching(/^search: The failure shows source code: "def find\(id\):/),
    ]);
    expect(await judge(rule, [{ result: failure(code), arguments: { program: code } }])).toEqual([]);
    expect(
      await judge(rule, [{ result: failure("The table has no row 7. Call list_rows() first.") }]),
    ).toEqual([]);
  });

  it("is no path that the caller does not know", async () => {
    const rule = "error/leaks-path";
    const said = failure("cannot open /srv/secret-app/config/db.json");
    expect(await judge(rule, [{ result: said }])).toEqual([
      'search: The failure names a path of the server: "/srv/secret-app/config/db.json"',
    ]);
    expect(await judge(rule, [{ result: failure("C:\\Users\\ada\\app\\x.txt is locked") }])).toHaveLength(1);
    expect(
      await judge(rule, [{ result: said, arguments: { path: "/srv/secret-app/config/db.json" } }]),
    ).toEqual([]);
    expect(await judge(rule, [{ result: said, arguments: { path: "config/db.json" } }])).toEqual([]);
    expect(await judge(rule, [{ result: said }], { target: "server /srv/secret-app" })).toEqual([]);
    const listed = { tools: [madeTool("search", { description: "Reads /srv/secret-app/config/db.json" })] };
    expect(await judge(rule, [{ result: said }], listed)).toEqual([]);
    expect(
      await judge(rule, [{ result: said }, { result: text("root: /srv/secret-app/config/db.json") }]),
    ).toEqual([]);
    expect(await judge(rule, [{ result: failure("GET https://x.org/var/log/a gave 404") }])).toEqual([]);
  });

  it("is no secret, unless the caller sent it", async () => {
    const secret = noise(40);
    const rule = "error/leaks-secret";
    const said = failure(`Request failed: Authorization: Bearer ${secret}`);
    const [found] = (await judge(rule, [{ result: said }])) as readonly string[];
    expect(found).toMatch(/looks like a secret/);
    expect(found).not.toContain(secret);
    expect(await judge(rule, [{ result: said, arguments: { token: secret } }])).toEqual([]);
    expect(await judge(rule, [{ result: failure("Request failed: 401") }])).toEqual([]);
  });
});
