import { describe, expect, it, vi } from "vitest";
import { hashQuery } from "../digest/canonical-text.ts";
import { missingReader } from "../digest/sources/reader-packages.ts";
import { createLog } from "../observe/log-event.ts";
import { textDigester } from "./call-context.ts";

const limits = { maxSnippets: 2, snippetChars: 200, summaryChars: 200, maxKeyPoints: 1 };
const log = createLog({ level: "silent" });
const text = Array.from({ length: 60 }, (_, id) => `Harbour ${id} has ${id} berths.  It is old.`).join("\n");

describe("textDigester", () => {
  it("digests by the words of the call", async () => {
    const digested = await textDigester("berths of harbour 42", log)(text, limits);
    expect(digested?.payload.query_hash).toBe(await hashQuery("berths of harbour 42"));
    expect(digested?.payload.evidence_snippets[0]?.text).toContain("Harbour 42 ");
  });

  it("gives the text that its locators are about", async () => {
    const digested = await textDigester("", log)(text, limits);
    const { text: quoted, locator } = digested?.payload.evidence_snippets[0] ?? { text: "", locator: "" };
    const [, start, end] = /^char:(\d+)-(\d+)$/.exec(locator) ?? [];
    expect(digested?.text.slice(Number(start), Number(end))).toBe(quoted);
  });

  it("digests without words that the text has nothing of", async () => {
    const digested = await textDigester("/var/zeppelin", log)(text, limits);
    expect(digested?.payload.query_hash).toBe(await hashQuery(""));
  });

  it.each([
    ["nothing to say", " "],
    ["no text", "\u0000\u0001\u0002".repeat(400)],
  ])("gives none of a text with %s", async (_, nothing) => {
    expect(await textDigester("", log)(nothing, limits)).toBeUndefined();
  });

  it("gives none that would be no shorter", async () => {
    expect(await textDigester("", log)("A harbour.", limits)).toBeUndefined();
  });

  it("gives none where a reader is not installed, and tells the log what to install", async () => {
    vi.doMock("../digest/digest-document.ts", () => ({
      digestDocument: () => Promise.reject(missingReader("html")),
    }));
    const heard: unknown[] = [];
    const hear = (fields: object, event: string): void => void heard.push([event, fields]);
    const listening = createLog({ logger: { info: hear, warn: hear, error: hear } });
    try {
      expect(await textDigester("", listening)(text, limits)).toBeUndefined();
    } finally {
      vi.doUnmock("../digest/digest-document.ts");
      vi.resetModules();
    }
    expect(heard).toMatchObject([
      ["digest-failed", { err: { message: expect.stringContaining("npm i htmlparser2@12.0.0") } }],
    ]);
  });
});
