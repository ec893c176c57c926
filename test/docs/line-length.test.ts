import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const docs = new URL("../../docs/", import.meta.url);
const LONGEST = 160;

/** Tables, code and comments cannot be broken; a line that is one link has nowhere to break. */
const isWhole = (line: string): boolean => /^\s*(?:\||<!--|(?:[-*] )?!?\[[^\]]*\]\([^)]*\)$)/.test(line);

function longLines(page: string): string[] {
  let isCode = false;
  return readFileSync(new URL(page, docs), "utf8")
    .split("\n")
    .flatMap((line, index) => {
      if (/^\s*```/.test(line)) isCode = !isCode;
      return isCode || line.length <= LONGEST || isWhole(line) ? [] : [`docs/${page}:${index + 1}`];
    });
}

it(`no page has a line of prose over ${LONGEST} characters`, () => {
  const pages = readdirSync(docs, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  );
  expect(pages.length).toBeGreaterThan(50);
  expect(pages.toSorted().flatMap(longLines)).toEqual([]);
});
