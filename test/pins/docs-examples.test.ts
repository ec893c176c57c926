import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type DialectId, dialectIds, toDialectId } from "../../src/core/contract/dialect-id.ts";
import { readResponse } from "../../src/core/pipeline/dialect/translate.ts";
import { validateText } from "../../src/core/pipeline/dialect/validate-response.ts";

const root = new URL("../../", import.meta.url);

function read(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

interface Example {
  readonly place: string;
  readonly dialect: DialectId;
  readonly json: string;
}

/** The marks of a page, and the JSON block that directly follows each; a mark without one has no JSON. */
function examplesOf(page: string): Example[] {
  const text = read(page);
  return [...text.matchAll(/<!-- example: (\S+) -->(?:\s*```json\n(.*?)\n```)?/gs)].map((match) => ({
    place: `${page}:${lineOf(text, match.index)}`,
    dialect: toDialectId(match[1]),
    json: match[2] ?? "",
  }));
}

const examples = ["docs/contract.md", "docs/dialects.md", "docs/fit.md"].flatMap(examplesOf);

describe("the marked examples of the docs", () => {
  it("show every dialect", () => {
    expect([...new Set(examples.map(({ dialect }) => dialect))].sort()).toEqual([...dialectIds].sort());
  });

  it("show a success and a failure of every dialect", () => {
    const told = examples
      .filter(({ place }) => place.startsWith("docs/dialects.md"))
      .map(({ dialect, json }) => `${dialect} ${readResponse(JSON.parse(json), dialect).ok}`);
    expect([...new Set(told)].sort()).toEqual(
      dialectIds.flatMap((id) => [`${id} false`, `${id} true`]).sort(),
    );
  });

  it.each(examples)("$place is a valid $dialect response", ({ dialect, json }) => {
    const { valid, violations } = validateText(json, { dialect });
    expect(violations.filter(({ severity }) => severity === "MUST")).toEqual([]);
    expect(valid).toBe(true);
  });
});

interface Link {
  readonly place: string;
  readonly target: string;
  readonly page: string;
}

const codeBlocks = /^(```|~~~).*?^\1/gms;

/** Links to files of this repository; code is not read, and addresses with a scheme lead elsewhere. */
function linksOf(page: string): Link[] {
  const text = read(page).replace(codeBlocks, (block) => block.replace(/[^\n]/g, " "));
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => ({ page, place: `${page}:${lineOf(text, match.index)}`, target: match[1] ?? "" }))
    .filter(({ target }) => !/^[a-z]+:/i.test(target));
}

function pagesUnder(folder: string): string[] {
  return readdirSync(new URL(folder, root), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return pagesUnder(`${folder}${entry.name}/`);
    return entry.name.endsWith(".md") ? [`${folder}${entry.name}`] : [];
  });
}

/** The anchor a heading gets: lower case, no punctuation, spaces as hyphens. */
function anchorsOf(page: string): string[] {
  const headings = read(page)
    .replace(codeBlocks, "")
    .matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-"),
  );
}

const atRoot = readdirSync(root).filter((name) => name.endsWith(".md") && name !== "CHANGELOG.md");
const links = [...atRoot, ...pagesUnder("docs/"), ...pagesUnder("examples/"), "docs/llms.txt"].flatMap(
  linksOf,
);

function leadsSomewhere({ page, target }: Link): boolean {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? new URL(page, root) : new URL(decodeURI(path), new URL(page, root));
  const isInside = fileURLToPath(file).startsWith(fileURLToPath(root));
  if (!isInside || !existsSync(file)) return false;
  if (anchor === undefined || !statSync(file).isFile()) return true;
  return anchorsOf(fileURLToPath(file).slice(fileURLToPath(root).length)).includes(anchor);
}

describe("the links of the docs", () => {
  it("are found", () => {
    expect(links.length).toBeGreaterThan(10);
  });

  it("lead to files of this repository, and to headings that they have", () => {
    expect(
      links.filter((link) => !leadsSomewhere(link)).map(({ place, target }) => `${place}: ${target}`),
    ).toEqual([]);
  });
});

describe("docs/lifecycle.md", () => {
  const pages = [...read("docs/lifecycle.md").matchAll(/\b((?:reference\/)?[a-z][a-z-]*\.md)\b/g)].map(
    ([, name = ""]) => name,
  );

  it("names pages that exist", () => {
    expect(pages.filter((name) => !existsSync(new URL(`docs/${name}`, root)))).toEqual([]);
  });

  it("names the pages that every reader starts with", () => {
    expect(pages).toEqual(
      expect.arrayContaining(["dialects.md", "errors.md", "validate.md", "reference/rules.md"]),
    );
  });
});
