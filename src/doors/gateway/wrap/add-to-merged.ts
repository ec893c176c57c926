// `waybill wrap --merge` on a file whose servers were merged before: a server that came since goes to the others. The file
// as it was gets it too, so that `unwrap` still writes the whole file back.

import { type Node, findNodeAtLocation, parseTree } from "jsonc-parser";
import { type JsonObject, isJsonObject, setOwn } from "../../../core/json/json-value.ts";
import { type ServerEntry, indentBefore, lineEndOf } from "./config-text.ts";
import { namesFor } from "./gateway-command.ts";
import {
  type WrittenServers,
  checkMerged,
  plain,
  serversText,
  upstreamOf,
  withValues,
} from "./merge-entry.ts";
import { readUpstreams, serversFileOf } from "./merged-servers.ts";
import { type KnownConfig, type WrapRecords, sha256Of } from "./plan-change.ts";
import { readConfigText } from "./rewrite-config.ts";

interface Addition {
  readonly text: string;
  /** The file with nothing wrapped, and with the new servers. */
  readonly original: Buffer;
  readonly written: readonly WrittenServers[];
}

const notAlone =
  "it cannot join the merged servers, because more than new servers changed in the file since: wrap it alone, with --server and without --merge";

/** Adds servers to the merged entry beside them, or says why not. */
export async function addToMerged(
  known: KnownConfig,
  joins: readonly ServerEntry[],
  records: WrapRecords,
): Promise<Addition | string> {
  const { file, config, record } = known;
  const stored = record && (await records.original(record));
  if (record === undefined || stored === undefined) return notAlone;
  const old = await readConfigText(stored.toString("utf8"), file.realPath);
  const had = new Set(old.entries.map(keyOf));
  const fresh = config.entries.filter(
    (entry) => serversFileOf(entry) === undefined && !had.has(keyOf(entry)),
  );
  const isSame = known.isUntouched || sha256Of(without(file.text, fresh)) === record.wrappedSha256;
  if (!isSame) return notAlone;
  const originalText = fresh.reduce<string | undefined>(
    (whole, entry) => whole && withPair(whole, file.text, entry),
    old.text,
  );
  if (originalText === undefined) return notAlone;
  const names = namesFor((await readConfigText(originalText, file.realPath)).entries);
  const named = new Map([...names].map(([entry, name]) => [keyOf(entry), name]));
  if (fresh.some((entry) => !named.has(keyOf(entry)))) return notAlone;
  const written = await addedServers(config.entries, joins, named);
  if (written === undefined) return notAlone;
  const text = without(file.text, joins);
  await checkMerged(text, file.realPath, valueWithout(plain(config.value), joins));
  return { text, original: Buffer.from(originalText), written };
}

function keyOf({ path }: ServerEntry): string {
  return JSON.stringify(path);
}

function parentOf({ path }: ServerEntry): string {
  return JSON.stringify(path.slice(0, -1));
}

function without(text: string, entries: readonly ServerEntry[]): string {
  return withValues(
    text,
    entries.map(({ path }) => [path, undefined]),
  );
}

/** The text of an entry, from its name to its end; undefined if it is not there. */
function pairOf(text: string, { path }: ServerEntry): string | undefined {
  const pair = nodeAt(text, path)?.parent;
  return pair && text.slice(pair.offset, pair.offset + pair.length);
}

function nodeAt(text: string, path: readonly string[]): Node | undefined {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  return tree && findNodeAtLocation(tree, [...path]);
}

/** The old text with an entry of the new one, as it is written there; undefined if there is no entry to put it after. */
function withPair(old: string, text: string, entry: ServerEntry): string | undefined {
  const pair = pairOf(text, entry);
  const last = nodeAt(old, entry.path.slice(0, -1))?.children?.at(-1);
  if (pair === undefined || last === undefined) return undefined;
  const indent = indentBefore(old, last.offset);
  const gap = indent === undefined ? ", " : `,${lineEndOf(old)}${indent}`;
  const end = last.offset + last.length;
  return old.slice(0, end) + gap + pair + old.slice(end);
}

/** The files of the merged entries with the new servers; undefined if one cannot be read, or has one of that name. */
async function addedServers(
  entries: readonly ServerEntry[],
  joins: readonly ServerEntry[],
  names: ReadonlyMap<string, string>,
): Promise<readonly WrittenServers[] | undefined> {
  const written: WrittenServers[] = [];
  for (const parent of new Set(joins.map(parentOf))) {
    const merged = entries.find((entry) => serversFileOf(entry) !== undefined && parentOf(entry) === parent);
    const place = merged && serversFileOf(merged);
    const upstreams = place === undefined ? undefined : await readUpstreams(place);
    if (place === undefined || upstreams === undefined) return undefined;
    const all: Record<string, JsonObject[string]> = { ...upstreams };
    for (const entry of joins.filter((one) => parentOf(one) === parent)) {
      const name = names.get(keyOf(entry));
      if (name === undefined || Object.hasOwn(all, name)) return undefined;
      setOwn(all, name, upstreamOf(entry));
    }
    written.push({ place, content: serversText(all), before: serversText(upstreams) });
  }
  return written;
}

function valueWithout(value: JsonObject, entries: readonly ServerEntry[]): JsonObject {
  return entries.reduce((whole, { path }) => withoutPath(whole, path), value);
}

function withoutPath(value: JsonObject, [key = "", ...below]: readonly string[]): JsonObject {
  if (below.length === 0) return Object.fromEntries(Object.entries(value).filter(([own]) => own !== key));
  const inner = value[key];
  return isJsonObject(inner) ? { ...value, [key]: withoutPath(inner, below) } : value;
}
