import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const docs = fileURLToPath(new URL("../../docs/", import.meta.url));

export function readPage(file: string): string {
  return readFileSync(`${docs}${file}.md`, "utf8");
}

/** A page's first heading, in the words of its author. */
export function titleOf(file: string): string {
  return /^# (.+)$/m.exec(readPage(file))?.[1] ?? file;
}

/** The names of all decisions, newest first. */
export function decisionFiles(): string[] {
  return readdirSync(`${docs}decisions`)
    .filter((name) => name.endsWith(".md"))
    .map((name) => `decisions/${name.slice(0, -".md".length)}`)
    .toSorted()
    .toReversed();
}
