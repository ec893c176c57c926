// Where tools are written: the lines in their author's source that name them. Only text is read, nothing is loaded. A
// name that is not written out, such as one that is put together, has no place.

import { readFileSync, statSync } from "node:fs";
import { dirname, extname, join, relative, resolve, sep } from "node:path";

export interface ToolPlace {
  /** From the working directory, with slashes. */
  readonly file: string;
  readonly line: number;
}

const endings: readonly string[] = [".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx", ".py"];
/** What an import without an ending, or with that of the built file, may mean. */
const tried: readonly string[] = ["", ".ts", ".mts", ".js", ".mjs", "/index.ts", "/index.js"];
const BUILT = /\.([cm]?)js$/;
const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'](\.{1,2}\/[^"'\n]{1,300})["']/g;
const MAX_FILES = 200;
const MAX_BYTES = 1024 * 1024;

/** Whether a word of a command line is the source of a program. */
export function isSource(word: string): boolean {
  return endings.includes(extname(word).toLowerCase());
}

function textOf(file: string): string | undefined {
  try {
    const { size } = statSync(file);
    return size > MAX_BYTES ? undefined : readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

/** The file that an import of another file means; undefined if there is none. */
function imported(from: string, specifier: string): string | undefined {
  const path = join(dirname(from), specifier);
  const asSource = path.replace(BUILT, ".$1ts");
  return [asSource, ...tried.map((ending) => path + ending)].find((file) => isSource(file) && isFile(file));
}

interface SourceFile {
  readonly file: string;
  readonly text: string;
}

/** The given files and what they import by a relative path, without a package's own. */
function readSources(files: readonly string[], cwd: string): readonly SourceFile[] {
  const known = new Set(files.map((file) => resolve(cwd, file)));
  const found: SourceFile[] = [];
  // The set grows while it is walked.
  for (const file of known) {
    const text = isSource(file) ? textOf(file) : undefined;
    if (text === undefined) continue;
    found.push({ file, text });
    for (const [, specifier = ""] of text.matchAll(IMPORT)) {
      const next = imported(file, specifier);
      if (next !== undefined && known.size < MAX_FILES) known.add(next);
    }
  }
  return found;
}

/** How a tool is named in source, the surest first. */
function patternsFor(name: string): readonly RegExp[] {
  const word = name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
  const quoted = `(["'\`])${word}\\1`;
  return [
    new RegExp(String.raw`\b(?:defineTool|registerTool|addTool|tool)\s*(?:<[^()]{0,200}>)?\s*\(\s*${quoted}`),
    new RegExp(String.raw`\bname["']?\s*[:=]\s*${quoted}`),
    ...(/^\w+$/.test(name) ? [new RegExp(String.raw`^[ \t]*(?:async\s+)?def\s+${word}\s*\(`, "m")] : []),
  ];
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** The places of those of the tools whose names are written out in the files, or in what they import. */
export function findToolPlaces(
  files: readonly string[],
  names: readonly string[],
  cwd: string,
): ReadonlyMap<string, ToolPlace> {
  const places = new Map<string, ToolPlace>();
  const sources = readSources(files, cwd);
  for (const name of names) {
    for (const pattern of patternsFor(name)) {
      for (const { file, text } of sources) {
        const at = pattern.exec(text);
        if (at === null || places.has(name)) continue;
        // The name may stand below the beginning of what names it.
        const offset = at.index + at[0].length - 1;
        places.set(name, { file: relative(cwd, file).split(sep).join("/"), line: lineAt(text, offset) });
      }
    }
  }
  return places;
}
