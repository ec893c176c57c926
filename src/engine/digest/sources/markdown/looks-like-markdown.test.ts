import { describe, expect, it } from "vitest";
import { looksLikeMarkdown } from "../detect-type.ts";

describe("looksLikeMarkdown", () => {
  it.each([
    ["a page with a link", "# Title\n\nSee [the docs](docs/index.md) for more.\n"],
    ["a heading and a fence", "## Use\n\n```sh\nnpm ci\n```\n"],
    ["a table and code", "Options of `run`:\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"],
    ["bold words and a list under a heading", "# Shopping\n\n- **milk**\n- bread\n"],
    ["line ends of Windows", "# Title\r\n\r\n[a](https://example.org)\r\n"],
  ])("takes %s", (_what, text) => {
    expect(looksLikeMarkdown(text)).toBe(true);
  });

  it.each([
    ["prose", "The committee met twice. It [sic] decided nothing (as usual)."],
    ["prose with a list", "They brought:\n\n- milk\n- bread\n"],
    ["a script", "#!/bin/sh\n# Title\n\necho `date`\n# see [x](https://example.org)\n"],
    ["comments", "# read the file\nname: x\n# then\n- **a**\n- b\n"],
    ["JSON", '{"text": "# a\\n\\n[b](https://c.org)", "x": "`y`"}\n# z\n\n'],
    ["a call in a program", "const x = a[0](b.c);\nconst y = `z`;"],
    ["one link", "A letter with [a link](https://example.org) and nothing else."],
  ])("leaves %s as it is", (_what, text) => {
    expect(looksLikeMarkdown(text)).toBe(false);
  });
});
