import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../core/json/json-value.ts";
import {
  LONG,
  claudeLines,
  clineDocument,
  codexLines,
  geminiLines,
  olderCodexLines,
  opencodeParts,
} from "./excerpts.fixture.ts";
import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { geminiCli } from "./gemini-cli.ts";
import type { HistoryFormat, RecordedCall } from "./history-format.ts";
import { opencode } from "./opencode.ts";

function read(format: HistoryFormat, values: readonly JsonObject[], path = "", servers: string[] = []) {
  const calls: RecordedCall[] = [];
  let odd = 0;
  const files = format.files.find((each) => each.path.test(path)) ?? format.files[0];
  const findings = { call: (call: RecordedCall) => void calls.push(call), odd: () => void (odd += 1) };
  const reader = files?.open(findings, path, () => servers);
  for (const value of values) reader?.take(value);
  reader?.end?.();
  return { calls, odd };
}

const named = ({ server, tool, args, isCut }: RecordedCall) => [server, tool, args["q"], isCut];
const texts = ({ result }: RecordedCall) =>
  ((result?.["content"] ?? []) as readonly JsonObject[]).map(({ text, type }) => text ?? type);

describe("the history of Codex", () => {
  it("has the whole result of a server, whatever its model was given", () => {
    const { calls, odd } = read(codex, codexLines);
    expect(calls.map(named)).toEqual([
      ["shop", "find", "c1", false],
      ["shop", "list", "c2", true],
      ["shop", "buy", "c3", false],
    ]);
    expect(calls.map(texts)).toEqual([["two hats"], [LONG], ["tool call failed for `shop/buy`"]]);
    expect(calls.map(({ model }) => model)).toEqual(["gpt-5.5", "gpt-5.5", "gpt-5.5"]);
    expect(calls[1]?.given?.[0]?.startsWith("a row of")).toBe(true);
    expect(calls[2]?.result?.["isError"]).toBe(true);
    expect(odd).toBe(0);
  });

  it("has what was shown alone before version 0.150", () => {
    const { calls } = read(codex, olderCodexLines);
    expect(calls.map(named)).toEqual([
      ["shop", "find", "hat", false],
      ["shop", "stock", undefined, false],
    ]);
    expect(calls.map(({ result }) => result)).toEqual([
      { content: [{ text: "two hats", type: "text" }] },
      { content: [], structuredContent: { hats: 2 } },
    ]);
  });

  it("tells a call whose turn was ended before its output", () => {
    expect(read(codex, codexLines.slice(0, 4)).calls.map(named)).toEqual([["shop", "find", "c1", false]]);
  });
});

describe("the history of Gemini CLI", () => {
  it("has texts without their frame, pictures, failures, and the file with the whole of a cut", () => {
    const { calls, odd } = read(geminiCli, geminiLines("/home/me"));
    expect(calls.map(named)).toEqual([
      ["shop", "find", "c1", false],
      ["shop", "list", "c2", true],
      ["shop", "buy", "c3", false],
      ["shop", "show", "c4", false],
    ]);
    expect(calls.map(texts)).toEqual([["two hats", "one cap"], [], ["no such hat"], ["a picture", "image"]]);
    expect(calls[1]?.wholeIn).toBe("/home/me/.gemini/tmp/p/tool-outputs/session-g1/c2.txt");
    expect(calls[2]?.result?.["isError"]).toBe(true);
    expect(odd).toBe(0);
  });

  it("is one document in older versions, and repeats messages when a session is changed", () => {
    const [head, , , message] = geminiLines("/home/me");
    const document = { ...head, messages: [message] } as JsonObject;
    const again = { $set: { messages: [message] } } as unknown as JsonObject;
    const inOne = read(geminiCli, [document], "p/chats/session-1.json").calls;
    const inLines = read(geminiCli, [head as JsonObject, again]).calls;
    expect(inOne).toEqual(read(geminiCli, geminiLines("/home/me")).calls);
    expect(inLines.map(({ id }) => id)).toEqual(inOne.map(({ id }) => id));
  });
});

describe("the history of Cline", () => {
  it("has the whole result as JSON, and Cline's words about a call without one", () => {
    const { calls, odd } = read(cline, [clineDocument]);
    expect(calls.map(named)).toEqual([
      ["shop", "find", "hat", false],
      ["shop", "buy", undefined, false],
    ]);
    expect(calls.map(({ result }) => result)).toEqual([
      { content: [{ type: "text", text: "two hats" }], structuredContent: { hats: 2 } },
      { content: [{ type: "text", text: "no such hat" }], isError: true },
    ]);
    expect(calls.every(({ given }) => given === undefined)).toBe(true);
    expect(odd).toBe(0);
  });
});

describe("the history of opencode", () => {
  const path = "storage/part/m1/p1.json";

  it("has the text that the model was given, and the file with the whole of a cut", () => {
    const { calls, odd } = read(opencode, opencodeParts("/home/me"), path, ["web shop", "web"]);
    expect(calls.map(named)).toEqual([
      ["web shop", "find", "hat", false],
      ["web shop", "list", undefined, true],
      ["web shop", "buy", undefined, false],
      [undefined, "plugin_word", undefined, false],
    ]);
    expect(calls.map(texts)).toEqual([["two hats"], [], ["no such hat"], ["of a plugin"]]);
    expect(calls[1]?.wholeIn).toBe("/home/me/.local/share/opencode/tool-output/tool_2");
    expect(odd).toBe(0);
  });

  it("is the same in the rows of its database", () => {
    const rows = opencodeParts("/home/me").map(({ id = "", sessionID = "", ...part }) => ({
      id,
      sessionID,
      project: "/work",
      data: JSON.stringify(part),
    }));
    const inRows = read(opencode, rows, "opencode.db", ["web shop"]);
    expect(inRows).toEqual(read(opencode, opencodeParts("/home/me"), path, ["web shop"]));
    expect(read(opencode, [{ id: "p", sessionID: "s", data: "{half" }], "opencode.db").odd).toBe(1);
  });
});

describe("the history of Claude Code", () => {
  it("has what the model was given, and a structure with the blocks beside it", () => {
    const { calls, odd } = read(claudeCode, claudeLines);
    expect(calls.map(named)).toEqual([
      ["shop", "find", "c1", false],
      ["shop", "stock", "c2", false],
      ["shop", "list", "c3", true],
      ["shop", "buy", "c4", false],
    ]);
    expect(calls.map(texts)).toEqual([["two hats"], ["2 hats"], [], ["no such hat"]]);
    expect(calls[1]?.result?.["structuredContent"]).toEqual({ hats: 2 });
    expect(calls[1]?.given).toEqual(['{"hats":2}']);
    expect(calls[2]?.wholeIn).toBe("/x/y.txt");
    expect(calls[3]?.result?.["isError"]).toBe(true);
    expect(odd).toBe(0);
  });
});

describe("every history", () => {
  it("counts a call in a form that is not known", () => {
    const item = { type: "McpToolCall", server: "shop", result: [] };
    expect(read(codex, [{ type: "event_msg", payload: { type: "item_completed", item } }]).odd).toBe(1);
    const call = { displayName: "a (b MCP Server)", name: "mcp_b_a", result: ["new"] };
    expect(read(geminiCli, [{ toolCalls: [call] }]).odd).toBe(1);
    const block = { type: "tool_result", tool_use_id: "1", name: "a__b", content: ["new"] };
    expect(read(cline, [{ messages: [{ content: [block] }] }]).odd).toBe(1);
    const part = { type: "tool", tool: "a_b", state: { status: "completed", output: { new: 1 } } };
    expect(read(opencode, [part], "storage/part/m/p.json").odd).toBe(1);
    expect(read(claudeCode, [{ message: { content: [{ type: "tool_use", name: "mcp__alone" }] } }]).odd).toBe(
      1,
    );
  });

  it("takes nothing that an object only inherits", () => {
    const inherits = JSON.parse(
      '{"__proto__":{"type":"turn_context","payload":{"model":"x"}}}',
    ) as JsonObject;
    for (const format of [codex, geminiCli, cline, opencode, claudeCode])
      expect(read(format, [inherits])).toEqual({ calls: [], odd: format === opencode ? 1 : 0 });
  });
});
