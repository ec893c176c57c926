// What lean saves of recorded results and of GitHub's own, whether every field that it leaves out comes back, and whether
// a later call of the same task took the value of such a field as an argument.
import { existsSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue } from "../../../src/core/json/json-value.ts";
import type { CorpusTool } from "./corpus-server.ts";
import { connectCorpus } from "./corpus-server.ts";
import { type RecordedCall, readCalls, scalarsIn, valuesOfLaterCalls } from "./read-corpus.ts";

type Count = (text: string) => number;

export interface LeanFigures {
  readonly name: string;
  /** Whether the server lists its tools with their arguments. */
  readonly learns: boolean;
  readonly results: number;
  readonly lean: number;
  readonly tokens: number;
  readonly sent: number;
  readonly fields: number;
  /** Of those fields, how many were given back with their value, and how many values a later call took. */
  readonly retrieved: number;
  readonly takenLater: number;
}

/** Calls that were made of GitHub's REST API, with the arguments that its MCP server takes for them. */
const githubCalls: readonly (readonly [file: string, tool: string, args: readonly string[]])[] = [
  ["gh_commits", "list_commits", ["owner", "repo", "sha", "author", "page", "perPage"]],
  [
    "gh_issues",
    "list_issues",
    ["owner", "repo", "state", "labels", "since", "orderBy", "direction", "after"],
  ],
  ["gh_labels", "list_label", ["owner", "repo"]],
  ["gh_dir_listing", "get_file_contents", ["owner", "repo", "path", "ref", "sha"]],
  ["gh_repo_single", "get_repository", ["owner", "repo"]],
];

/** Undefined if the folder is not there, which a line says. */
export async function leanResults(data: string, count: Count): Promise<readonly LeanFigures[]> {
  const figures: LeanFigures[] = [];
  for (const learns of [true, false]) {
    for (const name of ["livemcpbench", "tau-airline"]) {
      const calls = readCalls(data, name);
      if (calls !== undefined) figures.push(await leanOf(name, calls, learns, count));
    }
    for (const [file, tool, args] of githubCalls) {
      const path = `${data}/payloads/${file}.json`;
      if (!existsSync(path)) {
        console.log(`No ${path}: this part is left out. Name a folder with --data.`);
        continue;
      }
      const texts = [readFileSync(path, "utf8")];
      const arguments_ = Object.fromEntries(args.map((arg) => [arg, ""]));
      const call = { task: file, step: 0, server: "github-mcp-server", tool, arguments: arguments_, texts };
      figures.push(await leanOf(file, [call], learns, count));
    }
  }
  return figures;
}

/** The tools of a server as its recorded calls show them. */
function toolsOf(calls: readonly RecordedCall[], learns: boolean): readonly CorpusTool[] {
  const tools = new Map<string, Set<string>>();
  for (const { tool, arguments: args } of calls) {
    const names = tools.get(tool) ?? new Set();
    for (const name of Object.keys(args)) names.add(name);
    tools.set(tool, names);
  }
  return [...tools].map(([name, args]) => ({ name, arguments: learns ? [...args] : [] }));
}

async function leanOf(
  name: string,
  calls: readonly RecordedCall[],
  learns: boolean,
  count: Count,
): Promise<LeanFigures> {
  const sum = { results: calls.length, lean: 0, tokens: 0, sent: 0, fields: 0, retrieved: 0, takenLater: 0 };
  for (const server of new Set(calls.map((call) => call.server))) {
    const own = calls.filter((call) => call.server === server);
    const tools = toolsOf(own, learns);
    const setting = { serverName: server, tools, budget: "off", retrieval: "off", strategy: "head" } as const;
    const [whole, lean] = await Promise.all([
      connectCorpus(setting),
      connectCorpus({ ...setting, lean: true }),
    ]);
    for (const call of own) {
      const before = await whole.call(call.tool, call.texts);
      const after = await lean.call(call.tool, call.texts);
      sum.tokens += count(before.text);
      sum.sent += count(after.text);
      if (after.archive === undefined) continue;
      sum.lean += 1;
      const lost = lostIn(call.texts, after.texts.slice(0, -1));
      const given = await fetchAll(lean, after.archive, after.dropped);
      sum.fields += lost.length;
      sum.retrieved += lost.filter(({ place, value }) => isGiven(given, place, value)).length;
      const later = valuesOfLaterCalls(calls, call);
      sum.takenLater += lost.filter(({ value }) => scalarsIn(value).some((one) => later.has(one))).length;
    }
    await Promise.all([whole.close(), lean.close()]);
  }
  return { name, learns, ...sum };
}

interface Lost {
  readonly place: string;
  readonly value: JsonValue;
}

/** What is in the texts of a server and not in those that were sent; several texts are a list. */
function lostIn(texts: readonly string[], sent: readonly string[]): readonly Lost[] {
  if (texts.length === 1) return missing(JSON.parse(texts[0] ?? ""), JSON.parse(sent[0] ?? ""), "");
  return texts.flatMap((text, index) =>
    text === sent[index] ? [] : missing(JSON.parse(text), JSON.parse(sent[index] ?? ""), `/${index}`),
  );
}

/** Throws if anything but a missing field differs. */
function missing(whole: JsonValue, part: JsonValue, place: string): readonly Lost[] {
  if (typeof whole === "string" && typeof part === "string" && whole !== part)
    return missing(JSON.parse(whole) as JsonValue, JSON.parse(part) as JsonValue, place);
  if (typeof whole !== "object" || whole === null || typeof part !== "object" || part === null) {
    if (whole !== part) throw new Error(`The value at ${place} was changed.`);
    return [];
  }
  const kept = part as JsonObject;
  return Object.entries(whole as JsonObject).flatMap(([key, value]) => {
    const at = `${place}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return Object.hasOwn(kept, key) ? missing(value, kept[key] ?? null, at) : [{ place: at, value }];
  });
}

type Corpus = Awaited<ReturnType<typeof connectCorpus>>;

/** Every field that the names of a result give back, by its place. */
async function fetchAll(
  client: Corpus,
  archive: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, JsonValue>> {
  const found = new Map<string, JsonValue>();
  for (const name of names) {
    let cursor: string | undefined;
    do {
      const page = await client.fetch({ archive, ids: [name], limit: 1_000, ...(cursor && { cursor }) });
      for (const { pointer, value } of page.items) found.set(pointer, value);
      cursor = page.cursor;
    } while (cursor !== undefined);
  }
  return found;
}

/** At its own place, or as a part of what is above it. */
function isGiven(given: ReadonlyMap<string, JsonValue>, place: string, value: JsonValue): boolean {
  if (given.has(place)) return isDeepStrictEqual(given.get(place), value);
  const [, top = ""] = /^(\/[^/]*)/.exec(place) ?? [];
  return given.has(top) && JSON.stringify(given.get(top)).includes(JSON.stringify(value));
}
