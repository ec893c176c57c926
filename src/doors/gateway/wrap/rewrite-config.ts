import { isDeepStrictEqual } from "node:util";
import {
  type ConfigText,
  ConfigTextError,
  type ServerEntry,
  type TextEdit,
  applyEdits,
} from "./config-text.ts";
import { type Launcher, namesFor, wrappedTarget } from "./gateway-command.ts";
import { judgeEntry } from "./judge-entry.ts";
import { readJsonConfig } from "./read-json-config.ts";
import { unwrapEntry } from "./unwrap-entry.ts";
import { type EntryRecord, nameEntry, wrapEntry } from "./wrap-entry.ts";

/** What became of one server. */
export interface ServerOutcome {
  readonly entry: ServerEntry;
  readonly state: "wrap" | "name" | "unwrap" | "wrapped" | "left" | "refused";
  /** Why it was left as it is or refused. */
  readonly reason?: string | undefined;
}

export interface Rewriting {
  readonly text: string;
  readonly outcomes: readonly ServerOutcome[];
  /** What `unwrap` must know of the entries that are wrapped afterwards. */
  readonly records: readonly EntryRecord[];
}

export type Selection = ((entry: ServerEntry) => boolean) | undefined;

/** TOML where the name says so, else JSON with comments. */
export async function readConfigText(text: string, file: string): Promise<ConfigText> {
  if (!file.toLowerCase().endsWith(".toml")) return readJsonConfig(text);
  const { readTomlConfig } = await import("./read-toml-config.ts");
  return readTomlConfig(text);
}

interface Change {
  readonly entry: ServerEntry;
  readonly edits: readonly TextEdit[];
  readonly value: Readonly<Record<string, unknown>>;
}

/** Puts the gateway in front of the chosen servers, all where nothing is chosen. */
export async function wrapConfig(
  config: ConfigText,
  file: string,
  options: {
    readonly launcher: Launcher;
    readonly selection: Selection;
    readonly records: readonly EntryRecord[];
  },
): Promise<Rewriting> {
  const { launcher, selection, records } = options;
  const changes: Change[] = [];
  const added: EntryRecord[] = [];
  const names = namesFor(config.entries);
  const still = new Map(
    recordsOf(config, records)
      .filter(({ entry }) => wrappedTarget(entry) !== undefined)
      .map(({ entry, record }) => [entry, { ...record, path: entry.path }]),
  );
  const outcomes = config.entries.filter(selection ?? (() => true)).map((entry): ServerOutcome => {
    const judged = judgeEntry(entry, selection !== undefined);
    if (judged.kind === "left") return { entry, state: "left", reason: judged.reason };
    const name = names.get(entry) ?? "server";
    if (judged.kind === "wrapped") {
      const named = nameEntry(config, entry, name, still.get(entry));
      if (named === undefined) return { entry, state: "wrapped" };
      changes.push({ entry, edits: named.edits, value: named.value });
      if (named.record !== undefined) still.set(entry, named.record);
      return { entry, state: "name" };
    }
    const { edits, record, value } = wrapEntry(config, entry, judged, { launcher, name });
    changes.push({ entry, edits, value });
    added.push(record);
    return { entry, state: "wrap" };
  });
  return {
    text: await change(config, file, changes),
    outcomes,
    records: [...still.values(), ...added],
  };
}

/** Takes the gateway away from the chosen servers, where `wrap` put it there. */
export async function unwrapConfig(
  config: ConfigText,
  file: string,
  options: { readonly selection: Selection; readonly records: readonly EntryRecord[] },
): Promise<Rewriting> {
  const known = new Map(recordsOf(config, options.records).map(({ entry, record }) => [entry, record]));
  const changes: Change[] = [];
  const undone = new Set<ServerEntry>();
  const outcomes = config.entries.filter(options.selection ?? (() => true)).map((entry): ServerOutcome => {
    const target = wrappedTarget(entry);
    if (target === undefined) return { entry, state: "left", reason: "`waybill wrap` did not write it" };
    const result = unwrapEntry(config, entry, target, known.get(entry));
    if ("reason" in result) return { entry, state: "refused", reason: result.reason };
    changes.push({ entry, ...result });
    undone.add(entry);
    return { entry, state: "unwrap" };
  });
  const records = [...known].filter(([entry]) => !undone.has(entry)).map(([, record]) => record);
  return { text: await change(config, file, changes), outcomes, records };
}

/** The records with their entries: at the same place, or, if it was renamed, the one that runs what was written. */
function recordsOf(
  { entries }: ConfigText,
  records: readonly EntryRecord[],
): { readonly entry: ServerEntry; readonly record: EntryRecord }[] {
  return records.flatMap((record) => {
    const entry =
      entries.find(({ path }) => isDeepStrictEqual(path, record.path)) ??
      entries.find(
        ({ launch }) =>
          record.kind === "url" && isDeepStrictEqual(launch.get("args")?.value, record.wrote.args),
      );
    return entry === undefined ? [] : [{ entry, record }];
  });
}

/** Makes the edits, reads the result again and refuses it if it says anything else than was meant. */
async function change(config: ConfigText, file: string, changes: readonly Change[]): Promise<string> {
  if (changes.length === 0) return config.text;
  const text = applyEdits(
    config.text,
    changes.flatMap(({ edits }) => edits),
  );
  const meant = plain(config.value);
  for (const { entry, value } of changes) setAt(meant, entry.path, plain(value));
  const { value } = await readConfigText(text, file);
  if (!isDeepStrictEqual(plain(value), meant)) {
    throw new ConfigTextError(
      "The result would not say what it should. This is a fault of Waybill's own: please report the file's form.",
    );
  }
  return text;
}

/** The same without prototypes, so that two readings can be compared. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return new Map(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

function setAt(root: unknown, path: readonly string[], value: unknown): void {
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((node, key) => (node as Map<string, unknown>).get(key), root);
  (holder as Map<string, unknown>).set(path.at(-1) ?? "", value);
}
