// The lists, the capabilities and the instructions of several servers as those of one.

import { isRetrievalTool } from "../../../core/contract/wire-names.ts";
import { type JsonObject, isJsonObject, jsonObjectIn, setOwn } from "../../../core/json/json-value.ts";
import { MAX_LIST_PAGES } from "../../../core/protocol/names.ts";
import type { MergedServer, MergedServers } from "./merged-servers.ts";
import { type RawEntry, readPage, renamedEntry } from "./raw-lists.ts";

/** Asks one server for one caller; undefined if no answer comes. It never rejects. */
export type AskServer = (
  server: MergedServer,
  method: string,
  params: JsonObject,
) => Promise<Buffer | undefined>;

/** How long a server may take before the client is answered without it: some clients wait 5 s. It joins later. */
const GREETING_MS = 3_000;
/** Of a longer list, the rest is left out. */
const MAX_ENTRIES = 10_000;

/** All pages of one server's list; undefined if it has none, or does not answer. */
async function wholeList(
  ask: (params: JsonObject) => Promise<Buffer | undefined>,
  key: string,
): Promise<readonly RawEntry[] | undefined> {
  const entries: RawEntry[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_LIST_PAGES && entries.length < MAX_ENTRIES; page++) {
    const answer = await ask(cursor === undefined ? {} : { cursor });
    const read = answer && readPage(answer, key);
    if (read === undefined) return undefined;
    entries.push(...read.entries);
    if (read.nextCursor === undefined || read.nextCursor === cursor) break;
    cursor = read.nextCursor;
  }
  return entries.slice(0, MAX_ENTRIES);
}

/** The value of a promise; undefined if it comes too late, and if it is rejected. */
function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ms);
    void promise
      .catch(() => undefined)
      .then((value) => {
        clearTimeout(timer);
        resolve(value);
      });
  });
}

type Wait = <Value>(server: MergedServer, asked: Promise<Value>) => Promise<Value | undefined>;

const asInGreetings: Wait = (_server, asked) => within(asked, GREETING_MS);

/** Asks all servers at once; a server without an answer in time is left out. */
export async function askAll<Value>(
  servers: readonly MergedServer[],
  ask: (server: MergedServer) => Promise<Value | undefined>,
  wait: Wait = asInGreetings,
): Promise<readonly (readonly [MergedServer, Value])[]> {
  const answers = await Promise.all(servers.map((server) => wait(server, ask(server))));
  return servers.flatMap((server, at) => {
    const answer = answers[at];
    return answer === undefined ? [] : [[server, answer] as const];
  });
}

/** What is listed, by its method. */
const keys = {
  "tools/list": "tools",
  "prompts/list": "prompts",
  "resources/list": "resources",
  "resources/templates/list": "resourceTemplates",
  "tasks/list": "tasks",
} as const;

export type ListMethod = keyof typeof keys;

export function isListMethod(method: unknown): method is ListMethod {
  return typeof method === "string" && Object.hasOwn(keys, method);
}

export function keyOfList(method: ListMethod): string {
  return keys[method];
}

/** Of entries with one address, the first counts. */
function unique(entries: readonly RawEntry[], key: string): readonly Buffer[] {
  const seen = new Set<unknown>();
  return entries.flatMap(({ bytes, value }) => {
    if (seen.has(value[key])) return [];
    seen.add(value[key]);
    return [bytes];
  });
}

type Listed = readonly (readonly [MergedServer, readonly RawEntry[]])[];

/** The tools of all servers under the names that clients know, and one retrieval tool at the end. */
async function namedEntries(
  servers: MergedServers,
  listed: Listed,
  kind: "tools" | "prompts",
): Promise<readonly Buffer[]> {
  for (const [server, entries] of listed) servers.listed(kind, server, entries);
  await Promise.all(servers.all.map(({ known }) => known.share(kind)));
  const names = servers.names(kind);
  const retrievals = new Map<string, Buffer>();
  const entries: Buffer[] = [];
  for (const [server, own] of listed) {
    for (const entry of own) {
      const { name } = entry.value;
      if (typeof name !== "string") continue;
      const isRetrieval = kind === "tools" && isRetrievalTool(entry.value);
      if (!isRetrieval) entries.push(renamedEntry(entry, names.shown(server.name, name)));
      else if (!retrievals.has(name)) retrievals.set(name, entry.bytes);
    }
  }
  return [...entries, ...retrievals.values()];
}

/** The list that clients get, from the lists of the servers that answer. */
export async function gatherList(
  servers: MergedServers,
  among: readonly MergedServer[],
  method: ListMethod,
  ask: AskServer,
): Promise<readonly Buffer[]> {
  const key = keys[method];
  const listed = await askAll(
    among,
    (server) => wholeList((params) => ask(server, method, params), key),
    (server, asked) => servers.slow.wait(server, asked),
  );
  if (method === "tools/list") return namedEntries(servers, listed, "tools");
  if (method === "prompts/list") return namedEntries(servers, listed, "prompts");
  const all = listed.flatMap(([, entries]) => entries);
  if (method === "tasks/list") {
    for (const [{ name }, entries] of listed)
      for (const { value } of entries)
        if (typeof value["taskId"] === "string") servers.notedTask(value["taskId"], name);
    return unique(all, "taskId");
  }
  for (const [{ name }, entries] of listed)
    if (method === "resources/list") servers.notedResources(name, entries);
    else servers.notedTemplates(name, entries);
  return unique(all, method === "resources/list" ? "uri" : "uriTemplate");
}

/** Each capability that one of the servers has; a flag is set if one of them sets it. */
export function mergedCapabilities(all: readonly JsonObject[]): JsonObject {
  const merged = merge(all, 0);
  const { tools, prompts, resources } = merged;
  // A server may come, go, and take a name from another.
  const news = { listChanged: true };
  return {
    ...merged,
    tools: { ...(isJsonObject(tools) ? tools : {}), ...news },
    ...(isJsonObject(prompts) ? { prompts: { ...prompts, ...news } } : {}),
    ...(isJsonObject(resources) ? { resources: { ...resources, ...news } } : {}),
  };
}

const MAX_DEPTH = 8;

function merge(all: readonly JsonObject[], depth: number): JsonObject {
  const merged: Record<string, JsonObject[string]> = {};
  for (const one of all)
    for (const [key, value] of Object.entries(one)) {
      const known = Object.hasOwn(merged, key) ? merged[key] : undefined;
      const isBoth = isJsonObject(known) && isJsonObject(value) && depth < MAX_DEPTH;
      if (isBoth) setOwn(merged, key, merge([known, value], depth + 1));
      else if (known === undefined || known === false) setOwn(merged, key, value);
    }
  return merged;
}

/** How long the instructions of all servers may be together. */
export const MAX_INSTRUCTIONS = 1_000;

/** A text that ends with a whole word, within so many characters. */
function fitted(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, Math.max(0, max - 1));
  const end = cut.lastIndexOf(" ");
  return `${(end > max / 2 ? cut.slice(0, end) : cut).replace(/[\uD800-\uDBFF]$/, "").trimEnd()}…`;
}

/** One paragraph for each server that has instructions; long ones share what short ones leave. */
export function mergedInstructions(
  said: readonly (readonly [server: string, text: string])[],
): string | undefined {
  const all = said
    .map(([name, text]) => `${name}: ${text.trim().replaceAll(/\s+/g, " ")}`)
    .filter((text) => text.length <= MAX_INSTRUCTIONS * 100);
  if (all.length === 0) return undefined;
  let left = MAX_INSTRUCTIONS - 2 * (all.length - 1);
  const order = [...all.keys()].toSorted((one, other) => (all[one]?.length ?? 0) - (all[other]?.length ?? 0));
  const parts: string[] = [];
  for (const [done, at] of order.entries()) {
    const share = Math.floor(left / (all.length - done));
    const part = share < MIN_PARAGRAPH ? "" : fitted(all[at] ?? "", share);
    parts[at] = part;
    left -= part.length;
  }
  return parts.filter((part) => part !== "").join("\n\n") || undefined;
}

/** A shorter paragraph says nothing. */
const MIN_PARAGRAPH = 16;

/** The result in an answer; undefined for an error, and for no answer. */
export function resultIn(answer: Buffer | undefined): JsonObject | undefined {
  const result = answer && jsonObjectIn(answer.toString())?.["result"];
  return isJsonObject(result) ? result : undefined;
}
