import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../../", import.meta.url);
const LONGEST = 160;

/** Tables, code and comments cannot be broken; a line that is one link has nowhere to break. */
const isWhole = (line: string): boolean => /^\s*(?:\||<!--|(?:[-*] )?!?\[[^\]]*\]\([^)]*\)$)/.test(line);

function longLines(page: string): string[] {
  let isCode = false;
  return readFileSync(new URL(page, root), "utf8")
    .split("\n")
    .flatMap((line, index) => {
      if (/^\s*```/.test(line)) isCode = !isCode;
      return isCode || line.length <= LONGEST || isWhole(line) ? [] : [`${page}:${index + 1}`];
    });
}

it(`no page has a line of prose over ${LONGEST} characters`, () => {
  const pagesIn = (folder: string): string[] =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" }).map(
      (name) => `${folder}${name}`,
    );
  const ofRoot = ["README.md", "AGENTS.md", "CONTRIBUTING.md", "SECURITY.md"];
  const ofExamples = pagesIn("examples/").filter((name) => name.endsWith("/README.md"));
  const pages = [...ofRoot, ...ofExamples, ...pagesIn("docs/").filter((name) => name.endsWith(".md"))];
  expect(pages.length).toBeGreaterThan(50);
  expect(pages.toSorted().flatMap(longLines)).toEqual([]);
});
