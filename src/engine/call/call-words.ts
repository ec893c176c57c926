// The words of a call: by them `fit` ranks what a cut keeps.

import { isJsonObject } from "../../core/json/json-value.ts";
import type { FitStrategy } from "../../core/pipeline/pipeline-context.ts";

const MAX_LENGTH = 2_000;
const MAX_MEMBERS = 100;

/** The texts and numbers in a call's arguments, at any depth; undefined for the strategy that ranks nothing. */
export function wordsFor(strategy: FitStrategy, args: unknown): string | undefined {
  if (strategy === "head") return undefined;
  // A call that asks for `relevance` takes all arguments as words; `auto` leaves out those that only address.
  const isWord = strategy === "auto" ? saysWhatIsSought : () => true;
  const words: string[] = [];
  const pending: (readonly [key: string, value: unknown])[] = [["", args]];
  let length = 0;
  for (let next = pending.shift(); next !== undefined && length < MAX_LENGTH; next = pending.shift()) {
    const [key, value] = next;
    if (typeof value === "string" || typeof value === "number") {
      if (isWord(key, String(value))) words.push(String(value));
    } else if (Array.isArray(value)) {
      for (const item of value.slice(0, MAX_MEMBERS)) pending.push([key, item]);
    } else if (isJsonObject(value)) pending.push(...Object.entries(value).slice(0, MAX_MEMBERS));
    length = words.reduce((sum, word) => sum + word.length + 1, 0);
  }
  return words.join(" ").slice(0, MAX_LENGTH);
}

/**
 * Last words of the names of arguments that say where something is, or how much of it to send. Words, not endings:
 * `profile` ends with `file`, and `discount` with `count`.
 */
const ADDRESS =
  /(?:^|_)(?:path|file|filename|filepath|folder|directory|dir|root|cwd|url|uri|href|cursor|token|hash|sha|ref|branch|handle|limit|offset|page|size|pagesize|count|max|min|depth|timeout|format|encoding|lines|head|tail|id|uuid|guid|userid)s?$/;
const LIMIT = /^(?:max|min|num|top)(?:_|$)|^(?:max(?:results|tokens|length|depth)|topk)$/;
const ADDRESS_ALONE = /^(?:owner|repo|repository|start|end)$/;

/** What is sought, whatever it looks like: a link may be named by the address it shows. */
const SOUGHT = /^(?:element|text|query|question)$/;

const MAX_NAME = 100;

/** The words of a name, joined alike: `filePath`, `file-path` and `file_path` say the same. */
function wordsOf(name: string): string {
  return name
    .slice(0, MAX_NAME)
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .replaceAll(/[\s.-]+/g, "_")
    .toLowerCase();
}

/** A path, an address of the web, a UUID or a hash. */
const ADDRESSED =
  /^(?:[a-z][\w+.-]*:\/\/\S*|[~.]{0,2}\/\S*|[A-Za-z]:\\.*|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{12,64})$/i;

/** An argument that only addresses says where the answer is, not what it is about. */
function saysWhatIsSought(key: string, value: string): boolean {
  const name = wordsOf(key);
  if (SOUGHT.test(name)) return true;
  const addresses = ADDRESS.test(name) || LIMIT.test(name) || ADDRESS_ALONE.test(name);
  return !addresses && !ADDRESSED.test(value.trim());
}

/** Names of arguments that say which file is meant, and what names one whatever the argument is called. */
const FILE_NAME = /(?:^|_)(?:path|file|filename|filepath)s?$/;
const FILE = /^(?:file:|~?\.{0,2}\/|~|[A-Za-z]:\\)/;
const WEB_ADDRESS = /^https?:\/\//i;

/** Whether a call names a file: its text is a source that may be edited, and the markup of a page belongs to it. */
export function namesFile(args: unknown): boolean {
  if (!isJsonObject(args)) return false;
  return Object.entries(args)
    .slice(0, MAX_MEMBERS)
    .some(([key, value]) => {
      const values: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_MEMBERS) : [value];
      return values.some(
        (one) =>
          typeof one === "string" &&
          !WEB_ADDRESS.test(one) &&
          (FILE.test(one) || (one !== "" && FILE_NAME.test(wordsOf(key)))),
      );
    });
}
