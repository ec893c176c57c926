import { describe, expect, test } from "vitest";
import { readerForModel } from "./reader-for-model.ts";
import { paysTwice, sayReader } from "./reader.ts";
import {
  programReader,
  readerChoices,
  readerChosen,
  readerNamed,
  readers,
  unknownReader,
} from "./readers.ts";

describe("a reader", () => {
  test.each([
    ["codex-mcp-client", "codex"],
    ["gemini-cli-mcp-client", "gemini-cli"],
    ["qwen-cli-mcp-client-lab", "qwen-code"],
    ["qwen-code-mcp-client", "qwen-code"],
    ["@cline/core", "cline"],
    ["Cline", "cline"],
    ["opencode", "opencode"],
    ["continue-cli-client", "continue"],
    ["continue-client", "continue"],
    ["ai-sdk-mcp-client", "ai-sdk"],
    ["@langchain/mcp-adapters", "langchain"],
    ["mcp-use", "mcp-use"],
    ["claude-code", "claude-code"],
    ["Roo Code", "roo-code"],
    ["Visual Studio Code", "vs-code"],
    ["Visual Studio Code - Insiders", "vs-code"],
    ["Zed", "zed"],
    ["goose-cli", "goose"],
    ["goose-desktop", "goose"],
  ])("is recognised by the name %s, which the client was seen to send", (name, id) => {
    expect(readerNamed(name)?.id).toBe(id);
  });

  test.each(["lab", "", "declined", "my-codex", undefined])("is not guessed from the name %j", (name) => {
    expect(readerNamed(name)).toBeUndefined();
  });

  test("depends on the model that Codex names", () => {
    const codex = readerNamed("codex-mcp-client") ?? unknownReader;
    const named = (model: string): string => readerForModel(codex, { "x-codex-turn-metadata": { model } }).id;
    expect(named("gpt-5.5")).toBe("codex");
    const unknown = ["gpt-5.1-codex", "gpt-oss:120b", "gpt-5.5-mini", "qwen3-coder"];
    expect(unknown.map(named)).toEqual(unknown.map(() => "codex-other-model"));
    expect(["gpt-5.6-sol", "gpt-6-sol", "gpt-6.1-terra", "codex-auto-review"].map(named)).toEqual(
      Array.from({ length: 4 }, () => "codex-code"),
    );
    expect(readerForModel(codex, undefined).id).toBe("codex-other-model");
    expect(readerForModel(codex, undefined, true)).toBe(codex);
    expect(readerForModel(unknownReader, { "x-codex-turn-metadata": { model: "x" } })).toBe(unknownReader);
  });

  test("has an id of its own, which the setting takes", () => {
    const rows = [...readers, unknownReader, programReader];
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(readerChoices).toEqual([
      "auto",
      ...[programReader, unknownReader, ...readers].map(({ id }) => id),
    ]);
    for (const row of rows) expect(readerChosen(row.id)).toBe(row);
    expect(readerChosen("auto")).toBeUndefined();
  });

  test("is matched by one row only", () => {
    const names = ["copilot-cli", "github-copilot-intellij", "chatgpt", "pi-mcp", "deepagents", "opencode"];
    for (const name of names) expect(readers.filter(({ match }) => match?.test(name))).toHaveLength(1);
  });

  test("says how it is known, on a day", () => {
    for (const { known } of readers) {
      expect(known.on).toMatch(/^2026-\d\d-\d\d$/);
      expect(known.where).not.toBe("");
      expect(known.by !== "run" || /^\d/.test(known.version ?? "")).toBe(true);
    }
  });

  test("is described in words that follow `it`", () => {
    const say = (id: string): string => sayReader(readerChosen(id) ?? unknownReader);
    expect(say("opencode")).toBe("cuts at 51,200 bytes or 2,000 lines and keeps whole lines");
    expect(say("qwen-code")).toBe("writes more than 25,000 characters to a file, and shows both channels");
    expect(say("claude-code")).toMatch(
      /, and cuts at 10,000 characters of a failure and keeps beginning and end$/,
    );
    expect(say("python-lines")).toBe("fails at more than 65,536 bytes a line");
    expect(say("unknown")).toBe("shows results of any length");
    expect(paysTwice(unknownReader)).toBe(false);
  });
});
