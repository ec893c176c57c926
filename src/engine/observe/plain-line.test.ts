import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createLog, type LogOptions } from "./log-event.ts";
import { type PlainLook, plainEvent, plainLine } from "./plain-line.ts";
import { chooseLogForm, wantsColors } from "./terminal.ts";

const look: PlainLook = { hasColors: false, folder: "/home/ada/tasks", showsWholeStacks: false };

const stack = [
  "TypeError: Cannot read properties of undefined (reading 'title')",
  "    at titleOf (file:///home/ada/tasks/src/title.ts:3:15)",
  "    at file:///home/ada/tasks/src/get.ts:14:7",
  "    at run (file:///home/ada/tasks/node_modules/waybill/dist/chunks/call.js:1:99)",
  "    at async answer (file:///home/ada/tasks/node_modules/waybill/dist/chunks/call.js:2:4)",
  "    at async Client.handle (file:///home/ada/tasks/node_modules/@modelcontextprotocol/server/dist/a.mjs:9:1)",
  "    at process.processTicksAndRejections (node:internal/process/task_queues:104:5)",
  "caused by: Error: gone",
  "    at file:///home/ada/tasks/src/read.ts:1:1",
].join("\n");

const failed = {
  request_id: "req_1",
  tool: "task_get",
  err: { type: "TypeError", message: "m", stack, code: "E_GONE", request: { body: "long" } },
};

function withoutTime(line: string): string {
  return line.replace(/\d\d:\d\d:\d\d/, "12:00:00");
}

/** What a log writes, as one text. */
function logged(options: LogOptions, error: unknown): string {
  let text = "";
  createLog({ ...options, sink: (line) => (text += line) }).error("tool-failed", { tool: "t", err: error });
  return text;
}

describe("a log event for people", () => {
  it("is one line, and a stack that leads through the author's files", () => {
    expect(withoutTime(plainLine("error", "tool-failed", failed, look)).split("\n")).toEqual([
      "12:00:00 error tool-failed task_get request_id=req_1",
      "  TypeError: Cannot read properties of undefined (reading 'title')",
      "    at titleOf (src/title.ts:3:15)",
      "    at src/get.ts:14:7",
      "    … 4 in waybill, @modelcontextprotocol/server and Node",
      "  caused by: Error: gone",
      "    at src/read.ts:1:1",
      "  code=E_GONE",
      "",
    ]);
  });

  it("is as docs/observe.md shows it", () => {
    const [shown = ""] =
      /\d\d:\d\d:\d\d error tool-failed[^`]*/.exec(readFileSync("docs/observe.md", "utf8")) ?? [];
    const [own = ""] = stack.split("\ncaused by");
    const fields = {
      request_id: "req_1",
      tool: "task_get",
      defined_at: "file:///home/ada/tasks/src/get.ts:8:24",
      err: { type: "TypeError", message: "m", stack: own },
    };
    expect(withoutTime(plainLine("error", "tool-failed", fields, look))).toBe(shown);
  });

  it("has every frame as it is with WAYBILL_DEBUG=1", () => {
    const text = plainLine("error", "tool-failed", failed, { ...look, showsWholeStacks: true });
    for (const line of stack.split("\n")) expect(text).toContain(line);
  });

  it("says where the tool is defined, for an error that no file of the author threw", () => {
    const place = "file:///home/ada/tasks/src/get.ts:8:24";
    const err = {
      type: "TypeError",
      message: "is a Map",
      stack: "TypeError: is a Map\n    at f (node:a:1:1)",
    };
    const text = plainLine("error", "tool-failed", { tool: "task_get", defined_at: place, err }, look);
    expect(text.split("\n").slice(1)).toEqual([
      "  TypeError: is a Map",
      "    … 1 in Node",
      "    the tool: src/get.ts:8:24",
      "",
    ]);
  });

  it("has colours only where they are wanted", () => {
    const coloured = plainLine("warn", "archive-full", { bytes: 12 }, { ...look, hasColors: true });
    expect(coloured).toContain("\u001B[33mwarn archive-full\u001B[39m");
    expect(plainLine("warn", "archive-full", { bytes: 12 }, look)).not.toContain("\u001B");
  });

  it("shows control characters of names, texts and stacks as escapes", () => {
    const hostile = "a\u001B[2J\u202Eb";
    const err = {
      type: "Error",
      message: hostile,
      stack: `Error: ${hostile}\n    at ${hostile} (/x.js:1:1)`,
    };
    const line = plainLine("error", "tool-failed", { tool: hostile, [hostile]: hostile, err }, look);
    for (const character of ["\u001B", "\u202E"]) expect(line).not.toContain(character);
    expect(line).toContain("\\u001b[2J");
  });

  it("is the same words that a gateway writes after its name", () => {
    expect(plainEvent("store-slow", { ms: 12, place: "a b" })).toBe('store-slow: ms=12 place="a b"');
    expect(plainEvent("closing", {})).toBe("closing");
  });
});

describe("the form of a log", () => {
  it("is plain on a terminal, JSON anywhere else, and what the code or WAYBILL_LOG says", () => {
    const off = { isTTY: false, variables: {} };
    const on = { isTTY: true, variables: {} };
    expect([chooseLogForm("auto", on), chooseLogForm(undefined, off)]).toEqual(["plain", "json"]);
    expect([chooseLogForm("json", on), chooseLogForm("plain", off)]).toEqual(["json", "plain"]);
    expect(chooseLogForm("auto", { ...off, variables: { WAYBILL_LOG: "plain" } })).toBe("plain");
    expect(chooseLogForm("auto", { ...on, variables: { WAYBILL_LOG: " JSON " } })).toBe("json");
    expect(chooseLogForm("auto", { ...on, variables: { WAYBILL_LOG: "pretty" } })).toBe("plain");
    expect(chooseLogForm("json", { ...on, variables: { WAYBILL_LOG: "plain" } })).toBe("json");
  });

  it("has colours on a terminal that can show them, never with NO_COLOR", () => {
    const colours = (isTTY: boolean, variables: Readonly<Record<string, string>>): boolean =>
      wantsColors({ isTTY, variables });
    expect([colours(true, {}), colours(false, {}), colours(false, { FORCE_COLOR: "1" })]).toEqual([
      true,
      false,
      true,
    ]);
    expect([colours(true, { NO_COLOR: "1", FORCE_COLOR: "1" }), colours(true, { TERM: "dumb" })]).toEqual([
      false,
      false,
    ]);
  });

  it("hides secrets in both forms, and keeps the whole stack in JSON", () => {
    const error = new Error("token ghp_0123456789abcdefghijABCDEFGHIJ012345 was refused");
    const json = JSON.parse(logged({ form: "json" }, error)) as { readonly err: { readonly stack: string } };
    const plain = logged({ form: "plain" }, error);
    for (const text of [json.err.stack, plain]) expect(text).not.toContain("ghp_0123");
    // This file is the author's here, and the test runner is a package.
    expect(json.err.stack).toMatch(/node_modules\/@?vitest/);
    expect(plain).toMatch(/ {4}at src\/engine\/observe\/plain-line\.test\.ts:\d+:\d+\n/);
    expect(plain).toMatch(/ {4}… \d+ in [^\n]*vitest/);
  });
});
