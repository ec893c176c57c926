import { describe, expect, test } from "vitest";
import { isSure, readForm, readSample } from "./forms.fixture.ts";
import { readSnapshot } from "./snapshot-form.ts";
import { DECORATION, FIRST, ORDINARY, STRUCTURE } from "./text-form.ts";

const text = readSample("test/fixtures/forms/page-snapshot.txt");

describe("readSnapshot", () => {
  const form = readForm(readSnapshot, text);
  const rankOf = (words: string): number | undefined => form.ranks[form.lineWith(words)];

  test("gives every line what contains it", () => {
    expect(form.kind).toBe("tree");
    expect(form.above('link "Lamps"')).toEqual([
      "- generic [active] [ref=e1]:",
      "- banner [ref=e2]:",
      '- navigation "Departments" [ref=e5]:',
      "- list [ref=e6]:",
      "- listitem [ref=e11]:",
    ]);
    expect(form.above("/url: /lamps").at(-1)).toBe('- link "Lamps" [ref=e12] [cursor=pointer]:');
  });

  test("ranks whatever can be used as structure, also a name in quotes of YAML", () => {
    const usable = form.ranked(STRUCTURE);
    const withRef = form.lines.filter((line) =>
      /^- '?(?:link|button|searchbox|textbox|combobox|checkbox|radio)\b/.test(line),
    );
    expect(withRef.length).toBeGreaterThan(25);
    expect(usable).toEqual(expect.arrayContaining(withRef));
    expect(usable).toContain(`- 'link "Privacy: what we keep" [ref=e129] [cursor=pointer]':`);
  });

  test("ranks what names an element without a name of its own with it", () => {
    expect(form.above('img "Harbour Furniture"').at(-1)).toBe("- link [ref=e3] [cursor=pointer]:");
    expect(rankOf('img "Harbour Furniture"')).toBe(STRUCTURE);
  });

  test("keeps before all others which page it is of", () => {
    expect(form.ranked(FIRST)).toContain("- Page URL: http://127.0.0.1:8931/");
    expect(form.ranked(FIRST)).toContain("- Page Title: Harbour Furniture: desks, shelves and lamps");
  });

  test("gives up addresses and bare containers first", () => {
    const decoration = form.ranked(DECORATION);
    expect(decoration).toContain("- /url: /desks");
    expect(decoration).toContain("- listitem [ref=e7]:");
    expect(rankOf("- paragraph [ref=e24]: We have made furniture")).toBe(ORDINARY);
    expect(rankOf('- heading "In the shop today"')).toBe(ORDINARY);
    expect(rankOf('- option "Sweden"')).toBe(ORDINARY);
  });

  test("gives up what repeats the name of the link around it", () => {
    const named = readForm(
      readSnapshot,
      [
        "- list [ref=e1]:",
        '  - link "The mill burned down. Read more" [ref=e2] [cursor=pointer]:',
        "    - /url: /mill",
        "    - text: The mill burned down.",
        "    - strong [ref=e3]: Read more",
        "    - generic [ref=e4]: Yesterday",
        "    - img [ref=e5]",
        "  - text: The mill burned down.",
      ].join("\n"),
    );
    expect([...named.ranks]).toEqual([
      DECORATION,
      STRUCTURE,
      DECORATION,
      DECORATION,
      DECORATION,
      ORDINARY,
      DECORATION,
      ORDINARY,
    ]);
  });

  test("knows half a snapshot", () => {
    const half = readForm(readSnapshot, text.slice(0, text.length / 2));
    expect(half.above('link "Lamps"')).toEqual(form.above('link "Lamps"'));
  });

  test.each([
    [
      "a list of Markdown",
      "- link it\n- button up\n- a third thing\n- and more\n- so on\n- and on\n- to\n- the end\n",
    ],
    ["prose", "The link is in the list.\nThe button is not.\n".repeat(20)],
    ["a manifest", readSample("deploy/kubernetes.yaml")],
    ["a page", readSample("test/fixtures/forms/page.html")],
  ])("is not sure of %s", (_, other) => {
    expect(isSure(readSnapshot, other)).toBe(false);
  });
});
