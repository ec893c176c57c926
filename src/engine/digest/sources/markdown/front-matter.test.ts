import { describe, expect, test } from "vitest";
import { markdownTitle, withoutFrontMatter } from "./front-matter.ts";

describe("markdownTitle", () => {
  test.each([
    ["---\ntitle: From the front\ndate: 2026\n---\n# Heading\n", "From the front"],
    ['---\r\ntitle: "Quoted: yes"\r\n---\r\ntext', "Quoted: yes"],
    ['+++\ntitle = "TOML"\n+++\n', "TOML"],
    ["---\nauthor: x\n---\n# Heading", "Heading"],
    ["intro\n\n## The *first* `heading` ##\n# Later", "The first heading"],
    ["Under lined\n=====\n", "Under lined"],
    ["```\n# a comment\n```\n# Real", "Real"],
    ["# A [link](https://example.com) to snake_case", "A link to snake_case"],
  ])("finds the title of %j", (markdown, title) => {
    expect(markdownTitle(markdown)).toBe(title);
  });

  test.each(["", "just text", "#no space", "```\n# only in code\n```", "# ", `# ${"x".repeat(400)}`])(
    "finds none in %j",
    (markdown) => {
      expect(markdownTitle(markdown)).toBeUndefined();
    },
  );
});

describe("withoutFrontMatter", () => {
  test.each([
    ["---\ntitle: One\n---\ntext", "text"],
    ["+++\r\ntitle = 1\r\n+++\r\ntext", "text"],
    ["---\n---\ntext", "---\n---\ntext"],
    ["---\nA rule, and prose.\n---\ntext", "---\nA rule, and prose.\n---\ntext"],
    ["text\n---\ntitle: late\n---\n", "text\n---\ntitle: late\n---\n"],
  ])("of %j is %j", (markdown, rest) => {
    expect(withoutFrontMatter(markdown)).toBe(rest);
  });
});
