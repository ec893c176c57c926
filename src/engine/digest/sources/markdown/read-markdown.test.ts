import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { digestDocument } from "../../digest-document.ts";
import { readDocument } from "../read-document.ts";
import { readMarkdown } from "./read-markdown.ts";

const sample = `---
title: The mill
---

<!-- Nobody reads this. -->

# The mill

The [mill](https://example.org/mill) burned down in **1871**, and
Nobody rebuilt it. See \`mill.ts\`.

- first item with [words](a.md)
- second item

| Year | Owner |
| --- | --- |
| 1860 | Anna Kern |

\`\`\`ts
const mill = build({ wheels: 2 });
\`\`\`

[ref]: https://example.org
`;

describe("readMarkdown", () => {
  it("reads what a reader sees: no comments, front matter or marks, links by their words, tables as rows", async () => {
    const { text, title } = await readMarkdown(sample);
    expect(title).toBe("The mill");
    expect(text).toBe(
      "The mill\n\nThe mill burned down in 1871, and Nobody rebuilt it. See mill.ts.\n\n" +
        "first item with words\nsecond item\n\nYear\tOwner\n1860\tAnna Kern\n\n" +
        "const mill = build({ wheels: 2 });",
    );
  });

  it("says what is a heading, an item, a row and code", async () => {
    const { text, blocks = [] } = await readDocument(sample, { contentType: "text/markdown" });
    expect(blocks.map(({ kind, start, end }) => [kind, text.slice(start, end)])).toEqual([
      ["heading", "The mill"],
      ["prose", "The mill burned down in 1871, and Nobody rebuilt it. See mill.ts."],
      ["item", "first item with words"],
      ["item", "second item"],
      ["row", "Year Owner"],
      ["row", "1860 Anna Kern"],
      ["code", "const mill = build({ wheels: 2 });"],
    ]);
    const cells = blocks.flatMap((block) => block.cells ?? []);
    expect(cells.map(({ start, end }) => text.slice(start, end))).toEqual([
      "Year",
      "Owner",
      "1860",
      "Anna Kern",
    ]);
  });

  it.each(["title", "textarea", "svg", "select", "script"])(
    "loses nothing after an open <%s>",
    async (name) => {
      const { text } = await readMarkdown(`Use the <${name}> element.\n\n<${name}>\n\nThe rest is here.\n`);
      expect(text).toContain("The rest is here.");
      expect(text).toContain("Use the element.");
    },
  );

  it("leaves out what HTML in it hides, and keeps what it shows", async () => {
    const { text } = await readMarkdown(
      "<script>\nalert(1)\n</script>\n\n<details>\n<summary>More</summary>\n\nShown *text*.\n\n</details>\n",
    );
    expect(text).toBe("More\n\nShown text.");
  });

  it("is read as plain text where nothing could end a slow parser and a paragraph is very long", async () => {
    const columns = `# Title\n\n${"|a".repeat(40_000)}\n${"|-".repeat(40_000)}`;
    const here = await readDocument(columns, { contentType: "text/markdown", isolate: false });
    expect(here).toMatchObject({ title: "Title", text: columns });
    expect(here.blocks).toBeUndefined();
  });

  it("is read as it is written for the hashes of the seed's system", async () => {
    const text = "# A *title*\n\n[words](https://example.org)";
    const read = await readDocument(text, { contentType: "text/markdown", compat: "foundry" });
    expect(read.text).toBe("# A *title* [words](https://example.org)");
  });
});

const pages = ["README.md", "docs/digest.md", "docs/lifecycle.md", "docs/server.md", "AGENTS.md"];

describe.each(pages)("the digest of %s", (path) => {
  const file = readFileSync(new URL(`../../../../../${path}`, import.meta.url));

  it("has no comment, mark, link address or code in summary, key points and evidence", async () => {
    const { payload, document } = await digestDocument(file, { name: path, policy: "always" });
    const code = (document?.blocks ?? []).filter(({ kind }) => kind === "code");
    const lines = code.flatMap(({ start, end }) => document?.text.slice(start, end).split("\n") ?? []);
    const said = [
      payload?.summary ?? "",
      ...(payload?.key_points ?? []),
      ...(payload?.evidence_snippets ?? []).map(({ text }) => text),
    ];
    expect(payload?.evidence_snippets.length).toBeGreaterThan(0);
    for (const text of said) {
      expect(text).not.toMatch(/<!--|\]\(|```|\*\*/);
      expect(lines.filter((line) => line.length > 20 && text.includes(line))).toEqual([]);
    }
  });
});
