import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { recogniseForm } from "./recognise-form.ts";
import { readLog } from "./log-form.ts";
import { DECORATION, ORDINARY, STRUCTURE, lineStartsOf } from "./text-form.ts";

/** What `python3 -m http.server` wrote of 313 requests, and the first lines of a package manager's log. */
const read = (name: string): string =>
  readFileSync(new URL(`../../../../test/fixtures/forms/${name}`, import.meta.url), "utf8");
const logOf = (...lines: readonly string[]) => {
  const text = `${lines.join("\n")}\n`;
  return readLog(text, lineStartsOf(text));
};
const entries = (count: number, say: (at: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, at) => `2026-11-19 03:55:${String(at % 60).padStart(2, "0")} ${say(at)}`);

describe("a log", () => {
  it("is known by the times of its lines", () => {
    expect(["dpkg.log", "access.log"].map((name) => recogniseForm(read(name))?.kind)).toEqual(["log", "log"]);
  });

  it.each([
    ["levels", "[warn] disk at 91 %"],
    ["levels of npm", "npm warn deprecated inflight@1.0.6"],
    ["levels of npm's own log", "12 silly fetch manifest"],
    ["the time since the start", "[    3.141592] usb 1-1: new device"],
    ["JSON with a level", '{"level":30,"msg":"request completed"}'],
    ["a process, then a time", "4711:M 19 Nov 2026 03:55:16.123 * DB saved on disk"],
  ])("is known by %s", (_, line) => {
    expect(logOf(...Array.from({ length: 10 }, () => line))?.kind).toBe("log");
  });

  it.each([
    ["sentences that begin with the word", "Error handling is a part of every server."],
    [
      "a chapter with dates in its sentences",
      "The second server was built in the spring, on 2026-03-01, and ran well.",
    ],
    ["numbers", "12 13 14"],
  ])("is not %s", (_, line) => {
    expect(logOf(...Array.from({ length: 10 }, () => line))).toBeUndefined();
  });

  it("has lines that are equal apart from numbers, times and ids as one", () => {
    const text = read("access.log");
    const { sameAs = new Int32Array() } = readLog(text, lineStartsOf(text)) ?? {};
    const kinds = [...new Set(sameAs)].map((line) => line + 1);
    expect(kinds).toEqual([1, 161, 162, 163, 223, 224, 225]);
    expect([...sameAs].filter((first) => first === 0)).toHaveLength(160);
  });

  it("never takes a failed request for one that succeeded", () => {
    const [first, second] = [200, 500].map(
      (status) => `127.0.0.1 [19/Nov/2026 04:23:42] "GET / HTTP/1.1" ${status} -`,
    );
    const { sameAs = [], ranks = [] } =
      logOf(...Array.from({ length: 10 }, () => first ?? ""), second ?? "") ?? {};
    expect([sameAs[10], ranks[10], ranks[0]]).toEqual([10, STRUCTURE, ORDINARY]);
  });

  it("has errors and a few warnings as structure, and details last", () => {
    const form = logOf(
      ...entries(40, (at) => ["INFO ok", "DEBUG bytes 3", "ERROR disk full", "INFO up"][at % 4] ?? ""),
    );
    expect([...(form?.ranks.slice(0, 4) ?? [])]).toEqual([ORDINARY, DECORATION, STRUCTURE, ORDINARY]);
    const few = logOf(...entries(40, (at) => (at === 7 ? "WARN slow" : "INFO ok")));
    expect(few?.ranks[7]).toBe(STRUCTURE);
    const many = logOf(...entries(40, () => "WARN slow"));
    expect(many?.ranks[7]).toBe(ORDINARY);
  });

  it("has the lines of a stack below the error that they belong to", () => {
    const form = logOf(
      ...entries(9, () => "INFO ok"),
      "2026-11-19 03:56:00 ERROR Unhandled",
      "TypeError: x is undefined",
      "    at run (server.js:3:9)",
    );
    expect([...(form?.parents.slice(9) ?? [])]).toEqual([-1, 9, 9]);
    expect([...(form?.ranks.slice(9) ?? [])]).toEqual([STRUCTURE, STRUCTURE, ORDINARY]);
  });
});
