import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createContract, defineTool } from "../../doors/server/index.ts";
import { runTool } from "../../doors/testing/index.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { readers, unknownReader } from "../../core/readers/readers.ts";
import type { Reader } from "../../core/readers/reader.ts";
import { loadCounter } from "../../core/tokens/token-counter.ts";
import { createRedactor } from "../../core/text/redact/redact-secrets.ts";
import { readingLines } from "./print-reading.ts";

const counter = await loadCounter("o200k_base");
const redactor = createRedactor();

function reader(id: string): Reader {
  return readers.find((each) => each.id === id) ?? unknownReader;
}

function read(result: JsonObject, id: string): string {
  return readingLines(
    { result, reader: reader(id), isTyped: false },
    {
      hasColors: false,
      countTokens: (text) => counter.count(text),
      mask: (text) => redactor.text(text).text,
    },
  );
}

const envelope = {
  success: true,
  data: { task: { id: "task-1", title: "Read the README" } },
  error: null,
  meta: { version: "response-v2" },
};
const text = (words: string): JsonObject => ({ type: "text", text: words });

describe("what a model reads, printed for the author of a server", () => {
  it("is as docs/cli.md shows it", () => {
    const result = { content: [text(JSON.stringify(envelope))], structuredContent: envelope };
    const [shown = ""] = /^ {2}Codex \(codex\) shows[^`]*/m.exec(readFileSync("docs/cli.md", "utf8")) ?? [];
    expect(read(result, "codex")).toBe(shown);
  });

  it("says what this client would not show", () => {
    const picture = { type: "image", data: "AAAA", mimeType: "image/png" };
    const printed = read({ content: [picture, text("two words")], structuredContent: { n: 1 } }, "codex");
    expect(printed).toMatch(/│ \{"n":1\}\n/);
    expect(printed).toMatch(/Codex shows its model the structure alone, without .*image/);
  });

  it("says that this client would cut, and prints the beginning alone", () => {
    const printed = read({ content: [text("one more word ".repeat(8_000))] }, "codex");
    expect(printed).toMatch(
      /… [\d,]+ more characters\n {2}Codex cuts [\d,]+ \w+ to [\d,]+ and keeps beginning and end\n/,
    );
    expect(printed.length).toBeLessThan(5_000);
  });

  it("prints both channels for a client of which nothing is known", () => {
    const printed = read({ content: [text("words")], structuredContent: { n: 1 } }, "unknown");
    expect(printed).toMatch(/may show its model the content: 1 token\n {2}│ words\n/);
    expect(printed).toMatch(/may show its model the structure: \d+ tokens\n {2}│ \{"n":1\}\n/);
  });

  it("masks secrets and control characters, and says that there is nothing", () => {
    const printed = read({ content: [text("ghp_0123456789abcdefghijABCDEFGHIJ012345 \u001B[2J")] }, "codex");
    expect(printed).toContain("\\u001b[2J");
    for (const hidden of ["ghp_0123", "\u001B"]) expect(printed).not.toContain(hidden);
    expect(read({ content: [] }, "codex")).toContain("│ nothing");
  });
});

describe("a server that is asked for it by WAYBILL_PRINT_CALLS=read", () => {
  it("prints it after each call, for the client that the results are made for", async () => {
    vi.stubEnv("WAYBILL_PRINT_CALLS", "read");
    vi.stubEnv("NO_COLOR", "1");
    let said = "";
    const write = vi.spyOn(process.stderr, "write").mockImplementation((chunk) => {
      said += String(chunk);
      return true;
    });
    onTestFinished(() => {
      vi.unstubAllEnvs();
      write.mockRestore();
    });
    const tool = defineTool("task_get", { description: "One task" }, () => ({ title: "Read the README" }));
    const contract = createContract({ logLevel: "silent", reader: "codex" });
    await runTool(tool, {}, { contract });
    await vi.waitFor(() =>
      expect(said).toMatch(/task_get: ok.*\n(?: {2}\w+ .*\n){6} {2}Codex \(codex\) shows its model /),
    );
    expect(said).toMatch(/│ .*"title":"Read the README"/);
  });
});
