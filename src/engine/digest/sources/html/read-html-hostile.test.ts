import { describe, expect, it } from "vitest";
import { readHtml } from "./read-html.ts";
import { isFullRun } from "../../../../../test/arbitrary/law-runs.ts";

const MILLION = 1_000_000;
/** A million in the full suite; fewer, and still above every limit, in the quick one. */
const MANY = isFullRun ? MILLION : 150_000;
const page = (content: string): string => `<!doctype html><html><body>${content}</body></html>`;
const warned = (reason: string) => [{ code: "MAIN_CONTENT_NOT_FOUND", context: { reason } }];

describe("readHtml, given what hurts", () => {
  it("reads very many elements inside one another", async () => {
    const html = page(`${"<div>".repeat(MANY)}deep${"</div>".repeat(MANY)}`);
    expect(await readHtml(html)).toMatchObject({ text: "deep", warnings: warned("too_large") });
  });

  it("reads very many open elements", async () => {
    expect(await readHtml(page("<b>x".repeat(MANY)))).toMatchObject({ text: "x".repeat(MANY) });
  });

  it("builds no tree that is deeper than it was told", async () => {
    const html = page(`${"<div>".repeat(30)}<p>deep</p>${"</div>".repeat(30)}`);
    expect(await readHtml(html)).toMatchObject({ text: "deep", warnings: [] });
    expect(await readHtml(html, { maxDepth: 29 })).toMatchObject({
      text: "deep",
      warnings: warned("too_deep"),
    });
    // End tags of what is not open do not make it shallow.
    const bluff = page(`${"<div></b>".repeat(300)}deep`);
    expect(await readHtml(bluff)).toMatchObject({ text: "deep", warnings: warned("too_deep") });
  });

  it("reads an element with very many attributes", async () => {
    const names = Array.from({ length: MANY }, (_, index) => `a${index}=1`).join(" ");
    expect(await readHtml(page(`<p ${names}>text</p>`))).toMatchObject({
      text: "text",
      warnings: warned("too_large"),
    });
  });

  it("reads one line of many megabytes", async () => {
    const html = page(`<p>${"word ".repeat(10 * MANY)}</p>`);
    const { text, warnings } = await readHtml(html);
    expect(text).toHaveLength(50 * MANY - 1);
    expect(warnings).toMatchObject(warned("too_large"));
  });

  it.each([
    ["open elements", "<b>", "nested_too_deep"],
    ["lines of one element", "a\n", "too_many_blocks"],
    ...(isFullRun
      ? [
          ["blocks", "<p>a", "too_many_blocks"],
          ["links of one block", "<a href=/>a</a>", "too_many_blocks"],
        ]
      : []),
  ])("refuses a million %s and one more", async (_what, piece = "", reason) => {
    const html = page(`<pre>${piece.repeat(MILLION + 1)}`);
    await expect(readHtml(html)).rejects.toMatchObject({ code: "TOO_LARGE", details: { reason } });
  });

  it("reads a block, an attribute and a title of very many pieces", async () => {
    const pieces = "&lt;".repeat(MANY);
    const html = `<!doctype html><title>${pieces}</title><p title="${pieces}">${pieces}</p>`;
    const { text, title } = await readHtml(html);
    expect(text).toBe("<".repeat(MANY));
    expect(title).toHaveLength(MANY);
  });

  it("forgets the names of closed elements", async () => {
    const names = Array.from({ length: MANY }, (_, index) => `<x${index}></x${index}>`).join("");
    expect(await readHtml(page(`<i>${names}<p>text</p>`))).toMatchObject({ text: "text" });
  });

  it("refuses more than 64 MiB", async () => {
    await expect(readHtml("x".repeat(64 * 1024 * 1024 + 1))).rejects.toMatchObject({
      code: "TOO_LARGE",
      details: { reason: "html_too_large", max_characters: 67_108_864 },
    });
  });

  it.each([
    ["very many end tags", "</div>".repeat(MANY), ""],
    ["very many comments", "<!---->".repeat(MANY), ""],
    ["a comment that never ends", `<p>a</p><!--${"-".repeat(MANY)}`, "a"],
    ["a script that never ends", `<p>a</p><script>${"</scrip".repeat(MANY)}`, "a"],
    ["a tag that never ends", `<p>a</p><p ${"<".repeat(MANY)}`, "a"],
    ["a quote that never ends", `<p>a</p><p title="${"'>".repeat(MANY)}`, "a"],
    ["a name that never ends", `<p>a</p><${"x".repeat(MANY)}`, "a"],
    ["very many ampersands", "&".repeat(MANY), "&".repeat(MANY)],
    ["very many entities without semicolon", "&lt".repeat(MANY), "<".repeat(MANY)],
    ["very many numbers that are no character", "&#x110000;".repeat(10), "\uFFFD".repeat(10)],
    ["plain text to the end", "<p>a</p><plaintext><b>c", "a\n\n<b>c"],
  ])("reads %s", async (_what, html, text) => {
    expect(await readHtml(page(html).replace("</body></html>", ""))).toMatchObject({ text });
  });
});
