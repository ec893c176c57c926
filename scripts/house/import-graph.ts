import { readFileSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { type Import, type ImportKind, readImports } from "./read-imports.ts";

export interface SourceFile {
  /** From the folder that was read, with `/`. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly FileImport[];
}

/** One file needs another; several imports of one kind count once. */
interface FileImport {
  readonly to: string;
  readonly kind: ImportKind;
}

const isSource = (name: string): boolean =>
  name.endsWith(".ts") && !/\.(?:test|test-d|fixture)\.ts$/.test(name);

function importsOf(path: string, found: readonly Import[], known: ReadonlySet<string>): FileImport[] {
  const seen = new Map<string, FileImport>();
  for (const { specifier, kind } of found) {
    const to = posix.join(posix.dirname(path), specifier);
    if (specifier.startsWith(".") && known.has(to)) seen.set(`${kind} ${to}`, { to, kind });
  }
  return [...seen.values()];
}

/** The TypeScript files of a folder without tests, type tests and fixtures. */
export function sourcePaths(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter(isSource)
    .toSorted();
}

/** The same files with the imports between them. */
export function readSources(folder: string): SourceFile[] {
  const paths = sourcePaths(folder);
  const known = new Set(paths);
  return paths.map((path) => {
    const text = readFileSync(posix.join(folder, path), "utf8");
    const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
    return { path, lines, imports: importsOf(path, readImports(text), known) };
  });
}
