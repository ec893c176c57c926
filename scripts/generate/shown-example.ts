import { isDeepStrictEqual } from "node:util";
import { type JsonObject, type JsonValue, isJsonObject } from "../../src/core/json/json-value.ts";
import {
  type ExampleCall,
  contentOf,
  exampleCalls,
  fixtureOf,
} from "../../test/journeys/clients/seed-examples.ts";
import type { ExampleRuns } from "./example-runs.ts";
import { wrapProse } from "./fill-place.ts";

const WIDTH = 140;

function onOneLine(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${onOneLine(item)}`);
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

/** JSON over as few lines as a reader can take in: what fits on a line is on one. */
function printJson(value: JsonValue, indent = ""): string {
  const flat = onOneLine(value);
  if (typeof value !== "object" || value === null || (indent + flat).length <= WIDTH) return flat;
  const deeper = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => `${deeper}${printJson(item, deeper)}`)
    : Object.entries(value).map(
        ([key, item]) => `${deeper}${JSON.stringify(key)}: ${printJson(item, deeper)}`,
      );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}

/** What each run gives anew, where the document's example has no value of its own. */
const samples: Readonly<Record<string, JsonValue>> = {
  request_id: "req_0a1b2c3d4e5f",
  cursor: "eyJ2IjoxLCJ4Ijoi…",
  reset_at: "2026-11-15T12:00:00Z",
  duration_ms: 12,
  retry_after_seconds: 60,
  retry_after: 60,
  remaining: 99,
};

/**
 * Whether another run gives another value. No cursor is the last page, and nothing remaining is a refusal: those say
 * something. An object is no value but what a schema says of the key.
 */
function isOfThisRun(key: string, value: JsonValue): boolean {
  if (!Object.hasOwn(samples, key) || typeof value !== typeof samples[key]) return false;
  return key !== "remaining" || value !== 0;
}

/** A run's answer with ids, times and counts as the document's example has them: they are others in each run. */
function settled(value: JsonValue, shown: JsonValue | undefined): JsonValue {
  if (Array.isArray(value))
    return value.map((item, at) => settled(item, Array.isArray(shown) ? shown[at] : undefined));
  if (!isJsonObject(value)) return value;
  const beside = isJsonObject(shown) ? shown : {};
  const pairs = Object.entries(value).map(([key, item]): [string, JsonValue] => {
    if (isOfThisRun(key, item)) return [key, beside[key] ?? samples[key] ?? null];
    if (key === "remediation" && typeof item === "string")
      return [
        key,
        item.replace(
          /\b\d+ seconds?\b/,
          /\b\d+ seconds?\b/.exec(JSON.stringify(beside[key] ?? ""))?.[0] ?? "60 seconds",
        ),
      ];
    return [key, settled(item, beside[key])];
  });
  return Object.fromEntries(pairs);
}

const isEmpty = (value: JsonValue | undefined): boolean =>
  value === null || (typeof value === "object" && Object.keys(value).length === 0);

interface Differences {
  readonly added: string[];
  readonly missing: string[];
  readonly other: string[];
  /** Texts that are the same JSON. */
  readonly spacing: string[];
}

function isSameJson(one: JsonValue, other: JsonValue): boolean {
  if (typeof one !== "string" || typeof other !== "string") return false;
  try {
    return isDeepStrictEqual(JSON.parse(one), JSON.parse(other));
  } catch {
    return false;
  }
}

/** The keys in which two values differ; an item of a list counts as a key. */
function compare(
  got: JsonValue | undefined,
  shown: JsonValue | undefined,
  path: string,
  into: Differences,
): void {
  if (got === undefined) into.missing.push(isEmpty(shown) ? `${path}: ${JSON.stringify(shown)}` : path);
  else if (shown === undefined) into.added.push(path);
  // An archive has a name of its own in each server.
  else if (path.endsWith("content_archive_hashes") && !isEmpty(got) && !isEmpty(shown)) into.other.push(path);
  else if (Array.isArray(got) && Array.isArray(shown))
    for (let at = 0; at < Math.max(got.length, shown.length); at += 1)
      compare(got[at], shown[at], `${path}[${at}]`, into);
  else if (isJsonObject(got) && isJsonObject(shown))
    for (const key of new Set([...Object.keys(got), ...Object.keys(shown)]))
      compare(got[key], shown[key], path === "" ? key : `${path}.${key}`, into);
  else if (JSON.stringify(got) !== JSON.stringify(shown))
    (isSameJson(got, shown) ? into.spacing : into.other).push(path);
}

const code = (paths: readonly string[]): string => paths.map((path) => `\`${path}\``).join(", ");

function told({ added, missing, other, spacing }: Differences): string {
  const parts = [
    ...(added.length === 0 ? [] : [`added: ${code(added)}`]),
    ...(missing.length === 0 ? [] : [`left out: ${code(missing)}`]),
    ...(other.length === 0 ? [] : [`another value: ${code(other)}`]),
    ...(spacing.length === 0 ? [] : [`the same JSON without its spaces: ${code(spacing)}`]),
  ];
  return parts.length === 0 ? "The same as your example." : `Beside your example, ${parts.join("; ")}.`;
}

function callOf({ tool, arguments: args, contract, request_id: id }: ExampleCall): JsonObject {
  const meta = {
    ...(contract === undefined ? {} : { "waybill/contract": contract }),
    ...(id === undefined ? {} : { "waybill/request_id": id }),
  };
  return {
    name: tool,
    arguments: args,
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  };
}

/** What a call needs besides: variables of the server, a token, earlier calls. */
function conditionsOf({ environment = {}, before, next_page: isNext }: ExampleCall): string {
  const conditions = [
    ...Object.entries(environment).map(([name, value]) => `with \`${name}=${value}\``),
    ...(before === undefined ? [] : [`after ${before} such call${before === 1 ? "" : "s"}`]),
    ...(isNext === true ? ["with the `cursor` of the page before"] : []),
  ];
  return conditions.length === 0 ? "" : ` ${conditions.join(", ")}`;
}

function block(mark: string, value: JsonValue): string[] {
  return [`<!-- ${mark} -->`, "```json", printJson(value), "```"];
}

/** Requests of source 003 that its own examples answer. */
const requests: Readonly<Record<string, string>> = {
  "003-L159-response-customers-list.json": "003-L145-request-customers-list.json",
  "003-L192-response-customers-retrieve-missing.json": "003-L178-request-customers-retrieve.json",
  "003-L223-response-method-not-found.json": "003-L212-request-invalid-method.json",
};

function asked(file: string): string[] {
  const request = requests[file];
  if (request !== undefined) return ["Your request:", "", ...block("document-call", contentOf(request)), ""];
  const call = exampleCalls.find((example) => example.file === file);
  if (call === undefined) return [];
  return [`The call${conditionsOf(call)}:`, "", ...block("document-call", callOf(call)), ""];
}

/** Notes on fixtures say "seed", pages say "document". */
function inOurWords(note: string): string {
  return note
    .replaceAll(/\bseed\b/g, "document")
    .replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

/** What a run answered, as a block of a page. */
export function answerBlock(file: string, runs: ExampleRuns): string {
  return block("document-answer", settled(runs.get(file) ?? null, contentOf(file))).join("\n");
}

/** An example of a document: the call that makes it, the answer of a run, and what differs from the document's own. */
export function shownExample(file: string, runs: ExampleRuns): string {
  const run = runs.get(file);
  if (run === undefined) throw new Error(`No run gives ${file}`);
  const shown = contentOf(file);
  const answer = settled(run, shown);
  const differences: Differences = { added: [], missing: [], other: [], spacing: [] };
  compare(answer, shown, "", differences);
  const { completed } = fixtureOf(file) as unknown as { readonly completed: string };
  const filled = completed === "verbatim" ? "" : ` Filled in: ${inOurWords(completed)}`;
  return [
    "",
    ...asked(file),
    "The answer:",
    "",
    ...block("document-answer", answer),
    "",
    wrapProse(`${told(differences)}${filled}`),
    "",
  ].join("\n");
}
