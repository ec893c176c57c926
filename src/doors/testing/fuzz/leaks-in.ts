// What an answer reveals that it should not. A failure is judged as in `waybill check`. A success may legitimately name
// paths and show stacks of other programs, so there only those of this process count, besides secrets.

import type { Outcome } from "../../../core/contract/outcome.ts";
import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import { pathIn, secretIn, stackIn } from "../../../core/rules/call/leaks.ts";
import { stringsIn } from "../../../core/rules/called.ts";
import type { Bait } from "./bait.ts";

export interface Told {
  readonly bait: Bait;
  /** What the tool openly says about itself. */
  readonly open: readonly string[];
  readonly allow: readonly (string | RegExp)[];
}

export interface Leak {
  readonly key: string;
  readonly message: string;
}

const MAX_STRINGS = 2_000;

function wordsOf({ content }: JsonObject, outcome: Outcome): string {
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  const texts = blocks.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  return [...stringsIn(outcome.ok ? outcome.data : outcome.fault, MAX_STRINGS), ...texts].join("\n");
}

/** A folder this close to the root may occur in any text. */
function isTelling(folder: string): boolean {
  return folder.split(/[\\/]/).filter((part) => part !== "").length > 1;
}

/** A path in the working folder of this process. */
function ownPathIn(words: string, known: readonly string[]): string | undefined {
  const folder = process.cwd();
  const at = isTelling(folder) ? words.indexOf(folder) : -1;
  if (at < 0 || known.some((text) => text.includes(folder))) return undefined;
  const [path = folder] = /^[^\s"'`<>|,;:)\]}]+/.exec(words.slice(at)) ?? [];
  return path;
}

function ownStackIn(words: string): string | undefined {
  const line = stackIn(words);
  return line !== undefined && (line.includes(process.cwd()) || line.includes("node:")) ? line : undefined;
}

function isAllowed(text: string, allow: readonly (string | RegExp)[]): boolean {
  return allow.some((each) => (typeof each === "string" ? text.includes(each) : text.search(each) >= 0));
}

/** The leaks of one answer. */
export function leaksIn(
  result: JsonObject,
  outcome: Outcome,
  args: JsonObject,
  { open, allow }: Told,
): readonly Leak[] {
  const words = wordsOf(result, outcome);
  const known = [...stringsIn(args, MAX_STRINGS), ...open];
  const who = outcome.ok ? "The answer" : "The failure";
  const stack = outcome.ok ? ownStackIn(words) : stackIn(words);
  // The lines of a stack name paths too, which adds nothing.
  const path =
    stack === undefined
      ? (ownPathIn(words, known) ?? (outcome.ok ? undefined : pathIn(words, () => known)))
      : undefined;
  const secret = secretIn(words, () => known);
  const found: readonly (Leak | undefined)[] = [
    stack === undefined ? undefined : { key: "stack", message: `${who} shows a stack: ${stack}` },
    path === undefined ? undefined : { key: "path", message: `${who} names a path of the machine: ${path}` },
    secret === undefined
      ? undefined
      : { key: `secret ${secret}`, message: `${who} holds a secret: ${secret}` },
  ];
  return found.filter((leak) => leak !== undefined).filter(({ message }) => !isAllowed(message, allow));
}

/** Whether an answer shows the bait file, which only a path out of the tool's folder leads to. */
export function tellsBait(result: JsonObject, { bait }: Told): boolean {
  return stringsIn(
    { content: result["content"], structuredContent: result["structuredContent"] },
    MAX_STRINGS,
  ).some((text) => bait.isToldIn(text));
}
