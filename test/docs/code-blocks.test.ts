import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { allBlocks, blocksIn, pageFiles, placeOf, readText, root } from "./read-blocks.ts";
import { type Treatment, treatmentOf } from "./treatment.ts";

const treated = allBlocks.map((block) => ({ block, place: placeOf(block), treatment: treatmentOf(block) }));

function isOf(kind: Treatment["kind"]) {
  return ({ treatment }: (typeof treated)[number]): boolean => treatment.kind === kind;
}

describe("every code block of the README, the manual and the examples", () => {
  it("is found", () => {
    expect(treated.length).toBeGreaterThan(150);
  });

  it("is run or checked by a test, or says why not", () => {
    // To mend: give it a language that a test takes, or write <!-- not run: reason --> above it.
    expect(treated.filter(isOf("forgotten")).map(({ place }) => place)).toEqual([]);
  });

  it("that is not run gives a reason that a reader can judge", () => {
    const reasons = treated.flatMap(({ place, treatment }) =>
      "why" in treatment ? [{ place, why: treatment.why ?? "" }] : [],
    );
    expect(reasons.filter(({ why }) => why.split(" ").length < 3)).toEqual([]);
  });

  it("is mostly run or checked", () => {
    expect(treated.filter(isOf("not run")).length).toBeLessThan(treated.length / 8);
  });
});

describe("a test that blocks are said to be taken by", () => {
  const pairs = new Map(
    treated.flatMap(({ block: { page }, treatment }) =>
      "by" in treatment ? [[`${treatment.by} ${page}`, { by: treatment.by, page }] as const] : [],
    ),
  );

  it("exists, and reads the page", () => {
    const strangers = [...pairs.values()].filter(({ by, page }) => {
      const reads = existsSync(`${root}${by}`) ? readText(by) : "";
      // The tests of this folder read every page; the generated files are listed elsewhere.
      return !/read-blocks\.ts|staleFiles/.test(reads) && !reads.includes(page.split("/").at(-1) ?? page);
    });
    expect(strangers).toEqual([]);
  });

  it("is named in a reason only if it is there", () => {
    const named = treated.flatMap(({ place, treatment }) =>
      "why" in treatment
        ? Array.from((treatment.why ?? "").matchAll(/\b(?:test|src|deploy|\.ci)\/[\w./-]*\w/g), ([path]) => ({
            place,
            path,
          }))
        : [],
    );
    expect(named.filter(({ path }) => !existsSync(`${root}${path}`))).toEqual([]);
  });
});

describe("the words of the manual", () => {
  it("have no tag but those of HTML: `<name>` outside code stops the site from being built", () => {
    const tags = pageFiles.flatMap((page) => {
      const prose = readText(page)
        .replaceAll(/^\s*(`{3,}|~{3,})[^]*?^\s*\1/gm, "")
        .replaceAll(/<!--[^]*?-->/g, "")
        .replaceAll(/(`+)[^]*?[^`]\1(?!`)/g, "");
      return Array.from(prose.matchAll(/<\/?([a-z][\w-]*)/g), ([, tag = ""]) => `${page}: ${tag}`);
    });
    expect(tags.filter((tag) => !/: (?:br|img|picture|source)$/.test(tag))).toEqual([]);
  });
});

describe("blocksIn", () => {
  it("gives each block its language, its marks and the block directly above", () => {
    const text =
      "# T\n<!-- a -->\n<!-- not run: why not -->\n```ts\nx();\n```\n\n```\nout\n```\nwords\n```json\n{}\n```\n";
    const [first, second, third] = blocksIn("p.md", text);
    expect(first).toMatchObject({ line: 4, language: "ts", code: "x();", marks: ["a", "not run: why not"] });
    expect(second?.above).toBe(first);
    expect(third).toMatchObject({ language: "json", marks: [], above: undefined });
  });

  it("refuses a block without an end", () => {
    expect(() => blocksIn("p.md", "```ts\nx();\n")).toThrow("p.md:1: this block has no end.");
  });
});
