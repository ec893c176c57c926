import { describe, expect, it } from "vitest";
import { looksLikeHtml } from "../detect-type.ts";

describe("looksLikeHtml", () => {
  it.each([
    "<!DOCTYPE html><p>Hello",
    "\uFEFF \n<!doctype HTML>\n<title>x</title>",
    "<html lang=en><body>Hello",
    "<?xml version='1.0'?><!-- made by hand --><!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN'><html>",
    "<!-- one --><!-- two --><HTML>",
    "<title>Only a head</title>",
    "<p>A fragment</p>\n",
    "<div class='a'>one</div><div>two</div>",
    "<br/>text<br/>",
  ])("knows %j", (text) => {
    expect(looksLikeHtml(text)).toBe(true);
  });

  it.each([
    "",
    "   ",
    "Plain prose.",
    "a < b and c > d",
    "<3 this",
    "<T extends object>(value: T) => void",
    "<p align=center>\n\n# A Markdown page\n\nthat begins with a tag",
    "# Title\n\n<div>a tag inside</div>",
    '<?xml version="1.0"?><rss version="2.0"></rss>',
    "<svg xmlns='http://www.w3.org/2000/svg'></svg>",
    "<placeholder>",
    "<htmlish>text</htmlish>",
    "<!-- a comment that never ends <html>",
    '{"html": "<p>text</p>"}',
  ])("does not take %j for HTML", (text) => {
    expect(looksLikeHtml(text)).toBe(false);
  });

  it("does not search a long text", () => {
    expect(looksLikeHtml(`${"word ".repeat(1_000_000)}<html>`)).toBe(false);
    expect(looksLikeHtml("<!---->".repeat(1_000_000))).toBe(false);
  });
});
