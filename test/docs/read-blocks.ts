import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** One fenced block of a page, with the comments directly above it. */
export interface Block {
  readonly page: string;
  /** Of the opening fence; the first line is 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  readonly marks: readonly string[];
  /** The block above it, where nothing but marks is between. */
  readonly above: Block | undefined;
}

/** The pages for readers; decisions are a diary and are not run. */
export const pageFiles: readonly string[] = [
  "README.md",
  ...["docs", "docs/documents", "docs/reference"].flatMap((folder) =>
    readdirSync(`${root}${folder}`)
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`),
  ),
  ...readdirSync(`${root}examples`)
    .map((name) => `examples/${name}/README.md`)
    .filter((path) => existsSync(`${root}${path}`)),
];

export function readText(page: string): string {
  return readFileSync(`${root}${page}`, "utf8");
}

/** The blocks of a text in their order. A fence that is never closed is the author's mistake, and throws. */
export function blocksIn(page: string, text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split("\n");
  let marks: string[] = [];
  let above: Block | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const fence = /^\s*(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence === null) {
      const mark = /^<!-- (.*) -->$/.exec(line)?.[1];
      if (mark !== undefined) marks.push(mark);
      else if (line.trim() !== "") [marks, above] = [[], undefined];
      continue;
    }
    const end = lines.findIndex((other, index) => index > at && other.trim() === fence[1]);
    if (end === -1) throw new Error(`${page}:${at + 1}: this block has no end.`);
    const code = lines.slice(at + 1, end).join("\n");
    const block = { page, line: at + 1, language: (fence[2] ?? "").trim(), code, marks, above };
    blocks.push(block);
    [marks, above, at] = [[], block, end];
  }
  return blocks;
}

export const allBlocks: readonly Block[] = pageFiles.flatMap((page) => blocksIn(page, readText(page)));

export function placeOf({ page, line }: Block): string {
  return `${page}:${line}`;
}

/** What follows a mark's name: `not run: why` is "why" for "not run"; a bare mark is "". */
export function markOf(block: Block, name: string): string | undefined {
  const found = block.marks.find((mark) => mark === name || mark.startsWith(`${name}: `));
  return found?.slice(name.length + 2);
}
