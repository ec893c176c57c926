import { describe, expect, it } from "vitest";
import { goodServer, plainText } from "../../../../test/broken-servers/good-server.ts";
import type { Json } from "../../../../test/broken-servers/raw-server.ts";
import { serverLink } from "../../../../test/broken-servers/server-link.ts";
import { checkServer } from "../check-server.ts";
import { smallerArguments } from "./arguments/smaller-arguments.ts";

/** One tool with many arguments, which leaks a stack where it is asked for more than nine. */
function leaking(calls: Json[]) {
  const server = goodServer();
  const definition = {
    name: "find",
    description: "Finds things by words, in a place.",
    inputSchema: {
      type: "object",
      properties: {
        words: { type: "string", minLength: 1, description: "What to look for." },
        place: { type: "string", description: "Where to look." },
        limit: { type: "integer", minimum: 10, maximum: 20, description: "How many." },
      },
      required: ["words", "place", "limit"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  };
  const run = (args: Json): Json => {
    calls.push(args);
    if (typeof args["words"] !== "string" || typeof args["place"] !== "string") return plainText("no");
    const stack = "Error: boom\n    at find (/srv/app/find.js:12:7)\n    at run (/srv/app/run.js:3:1)";
    return { ...plainText(stack), isError: true };
  };
  server.tools = [{ definition, run }];
  return server;
}

describe("the arguments of a finding", () => {
  it("are the smallest that still show it, and still valid where they were", async () => {
    const calls: Json[] = [];
    const report = await checkServer({ link: serverLink(() => leaking(calls)) }, { era: "legacy" });
    const shown = report.findings.find(({ rule }) => rule.startsWith("error/leaks"))?.call;
    expect(shown?.replyExcerpt).toContain("boom");
    const args = shown?.arguments as { words?: string; place?: string } | undefined;
    // The schema wants all three: a word of one letter, a place without any, a number that stays in its range.
    expect(args?.words).toHaveLength(1);
    expect(args?.place?.length ?? 9).toBeLessThanOrEqual(1);
    expect(calls).toContainEqual(args);
  });
});

describe("smallerArguments", () => {
  it("leaves out an argument, or makes it smaller, but keeps what is wrong", () => {
    const args = { a: "abcdef", b: [1, 2], c: { d: 8 }, wrong: "xxxx" };
    const made = [...smallerArguments(args, "/wrong")];
    expect(made.slice(0, 3)).toEqual([
      { b: [1, 2], c: { d: 8 }, wrong: "xxxx" },
      { a: "abcdef", c: { d: 8 }, wrong: "xxxx" },
      { a: "abcdef", b: [1, 2], wrong: "xxxx" },
    ]);
    expect(made).toContainEqual({ ...args, a: "a" });
    expect(made).toContainEqual({ ...args, b: [] });
    expect(made).toContainEqual({ ...args, c: { d: 4 } });
    expect(made.every(({ wrong }) => wrong === "xxxx")).toBe(true);
  });

  it("comes to an end", () => {
    let args: Json = { a: "a".repeat(1_000), n: 1_000_000, l: Array.from({ length: 100 }, () => 1) };
    let steps = 0;
    for (; steps < 1_000; steps += 1) {
      const next: Json | undefined = [...smallerArguments(args as never)].at(-1);
      if (next === undefined) break;
      args = next;
    }
    expect(steps).toBeLessThan(100);
    expect(args).toEqual({});
  });
});
