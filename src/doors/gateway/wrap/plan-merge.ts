// `waybill wrap --merge`: many entries of one client become one, a gateway that serves all their servers. What each
// server was stands in a configuration of the gateway's own, which only its owner can read.

import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type JsonObject, isJsonObject, setOwn } from "../../../core/json/json-value.ts";
import { replaceConfigFile } from "./client-configs.ts";
import { addToMerged } from "./add-to-merged.ts";
import { ConfigTextError, type ServerEntry } from "./config-text.ts";
import { type Launcher, mergedArgs, namesFor } from "./gateway-command.ts";
import {
  type WrittenServers,
  checkMerged,
  plain,
  serversText,
  upstreamOf,
  whyAlone,
  withValues,
} from "./merge-entry.ts";
import { serversBehind, serversFileOf } from "./merged-servers.ts";
import {
  type KnownConfig,
  type PlannedChange,
  type WrapRecords,
  learn,
  recordOf,
  sha256Of,
  withNothingWrapped,
} from "./plan-change.ts";
import { type EntryFilter, type ServerOutcome, outcomeOfWrapped, readConfigText } from "./rewrite-config.ts";
import { judgeEntry } from "./wrap-entry.ts";

/** The name of the entry that stands for all. */
const MERGED_NAME = "waybill";

/** Entries that a client uses together: those of a project are apart from those of the user. */
interface MergedGroup {
  readonly parent: readonly string[];
  readonly entries: readonly ServerEntry[];
}

function groupsIn(entries: readonly ServerEntry[]): readonly MergedGroup[] {
  const groups = new Map<string, ServerEntry[]>();
  for (const entry of entries) {
    const key = JSON.stringify(entry.path.slice(0, -1));
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups.values()]
    .filter(({ length }) => length > 1)
    .map((group) => ({ parent: group[0]?.path.slice(0, -1) ?? [], entries: group }));
}

/** The text with one entry in place of a group, at the place of the first. */
function withOneEntry(text: string, { parent, entries }: MergedGroup, name: string, value: object): string {
  const gone = entries.map(({ path }) => [path, undefined] as const);
  return withValues(text, [...gone, [[...parent, name], value]], true);
}

function freeIn(entries: readonly ServerEntry[], { parent, entries: own }: MergedGroup): string {
  const others = entries
    .filter((entry) => !own.includes(entry) && isDeepStrictEqual(entry.path.slice(0, -1), parent))
    .map(({ name }) => name);
  for (let number = 1; ; number++) {
    const name = number === 1 ? MERGED_NAME : `${MERGED_NAME}_${number}`;
    if (!others.includes(name)) return name;
  }
}

export async function planMerge(
  path: string,
  options: { readonly launcher: Launcher; readonly selection: EntryFilter; readonly records: WrapRecords },
): Promise<PlannedChange> {
  const { launcher, selection, records } = options;
  const known = await learn(path, records);
  const { config } = known;
  if (config.syntax.id !== "json")
    throw new ConfigTextError(
      "It is TOML, in which entries are not merged. Wrap its servers one by one, without --merge.",
    );
  const outcomes = new Map<ServerEntry, ServerOutcome>();
  const leave = (entry: ServerEntry, reason: string): void =>
    void outcomes.set(entry, { entry, state: "left", reason });
  const chosen: ServerEntry[] = [];
  const signIns = new Map<ServerEntry, string>();
  const take = (entry: ServerEntry): void =>
    void outcomes.set(entry, { entry, state: "wrap", reason: signIns.get(entry) });
  for (const entry of config.entries.filter(selection ?? (() => true))) {
    const judged = judgeEntry(entry, selection !== undefined);
    const alone = judged.kind === "left" ? judged.reason : whyAlone(entry);
    if (serversFileOf(entry) !== undefined) outcomes.set(entry, await outcomeOfMerged(entry, launcher));
    else if (judged.kind === "wrapped") leave(entry, "it is wrapped: unwrap it first");
    else if (alone !== undefined) leave(entry, alone);
    else chosen.push(entry);
    if (judged.kind === "url" && judged.signIn !== undefined) signIns.set(entry, judged.signIn);
  }
  const joins = chosen.filter((entry) => mergedBeside(config.entries, entry) !== undefined);
  if (joins.length > 0) {
    const entries = [...new Set(joins.map((entry) => mergedBeside(config.entries, entry)))];
    for (const entry of entries)
      if (entry !== undefined) outcomes.set(entry, await outcomeOfMerged(entry, launcher));
    const isOther = [...outcomes.values()].some(({ state }) => state === "refused");
    const added = isOther ? otherOptions : await addToMerged(known, joins, records);
    if (typeof added !== "string") {
      for (const entry of joins) take(entry);
      for (const entry of chosen)
        if (!joins.includes(entry)) leave(entry, "it is for another entry: run this again for it");
      return planOf(known, { ...added, outcomes, records });
    }
    for (const entry of joins) leave(entry, added);
  }
  const groups = groupsIn(chosen.filter((entry) => !joins.includes(entry)));
  const merged = new Set(groups.flatMap(({ entries }) => entries));
  for (const entry of chosen)
    if (merged.has(entry)) take(entry);
    else if (!joins.includes(entry)) leave(entry, "there is no other to merge it with");
  const { text, written } = await mergeGroups(known, groups, options);
  const original = known.original ?? (await withNothingWrapped(known));
  return planOf(known, { text, original, written, outcomes, records, groups: groups.length });
}

const otherOptions = "the entry that it would join is wrapped with other options";

async function outcomeOfMerged(entry: ServerEntry, launcher: Launcher): Promise<ServerOutcome> {
  return { ...outcomeOfWrapped(entry, launcher), servers: await serversBehind(entry) };
}

/** The merged entry that a client uses together with this one. */
function mergedBeside(entries: readonly ServerEntry[], { path }: ServerEntry): ServerEntry | undefined {
  return entries.find(
    (other) =>
      serversFileOf(other) !== undefined && isDeepStrictEqual(other.path.slice(0, -1), path.slice(0, -1)),
  );
}

async function mergeGroups(
  { file, config }: KnownConfig,
  groups: readonly MergedGroup[],
  { launcher, records }: { readonly launcher: Launcher; readonly records: WrapRecords },
): Promise<{ readonly text: string; readonly written: readonly WrittenServers[] }> {
  const names = namesFor(config.entries);
  const used = new Set(config.entries.map(serversFileOf));
  let text = file.text;
  let meant = plain(config.value);
  const written: WrittenServers[] = [];
  for (const group of groups) {
    let place = "";
    for (let number = 1; place === "" || used.has(place); number++)
      place = join(records.folderOf(file.realPath), `servers-${number}.json`);
    used.add(place);
    const upstreams: Record<string, JsonObject> = {};
    for (const entry of group.entries) setOwn(upstreams, names.get(entry) ?? "server", upstreamOf(entry));
    written.push({ place, content: serversText(upstreams) });
    const value = { command: launcher.program, args: mergedArgs(launcher, place) };
    const name = freeIn(config.entries, group);
    text = withOneEntry(text, group, name, value);
    meant = mergedValue(meant, group, name, value);
  }
  await checkMerged(text, file.realPath, meant);
  return { text, written };
}

interface MergePlan {
  readonly text: string;
  readonly original: Buffer | undefined;
  readonly written: readonly WrittenServers[];
  readonly outcomes: ReadonlyMap<ServerEntry, ServerOutcome>;
  readonly records: WrapRecords;
  /** How many entries are new. */
  readonly groups?: number;
}

async function planOf(known: KnownConfig, plan: MergePlan): Promise<PlannedChange> {
  const { file, config, record } = known;
  const { text, original, written, records, groups = 0 } = plan;
  const outcomes = config.entries.flatMap((entry) => plan.outcomes.get(entry) ?? []);
  const before = outcomes.filter(({ entry }) => serversFileOf(entry) !== undefined).length;
  return {
    file,
    before: config,
    after: await readConfigText(text, file.realPath),
    isChanged: text !== file.text,
    outcomes,
    mergedInto: groups + before,
    backup: records.backupOf(file.realPath),
    commit: async () => {
      const rewriting = { text, outcomes, records: record?.entries ?? [] };
      await records.write(recordOf(file, rewriting, original && sha256Of(original)), original);
      for (const { place, content } of written) await records.writeBeside(place, content);
      try {
        await replaceConfigFile(file, Buffer.from(text));
      } catch (error) {
        for (const { place, before: said } of written)
          if (said !== undefined) await records.writeBeside(place, said);
        await (record === undefined ? records.remove(file.realPath) : records.write(record, known.original));
        throw error;
      }
    },
  };
}

/** The value with one entry in place of a group. */
function mergedValue(
  value: JsonObject,
  { parent, entries }: MergedGroup,
  name: string,
  put: object,
): JsonObject {
  const [key, ...below] = parent;
  if (key === undefined) {
    const kept = Object.entries(value).filter(([own]) => !entries.some((entry) => entry.name === own));
    return plain({ [name]: put, ...Object.fromEntries(kept) });
  }
  const inner = value[key];
  const changed = mergedValue(isJsonObject(inner) ? inner : {}, { parent: below, entries }, name, put);
  return { ...value, [key]: changed };
}
