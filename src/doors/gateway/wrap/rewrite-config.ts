import { isDeepStrictEqual } from "node:util";
import {
  type ClientConfigText,
  ConfigTextError,
  type ServerEntry,
  type TextEdit,
  applyEdits,
  type Member,
  type ConfigSpan,
  spanText,
} from "./config-text.ts";
import {
  type Launcher,
  namesFor,
  wrappedTarget,
  HEADERS_VARIABLE,
  type WrappedTarget,
  textList,
} from "./gateway-command.ts";
import { judgeEntry, type EntryRecord, nameEntry, urlFormKeys, withLaunch, wrapEntry } from "./wrap-entry.ts";
import { readJsonConfig } from "./read-json-config.ts";

/** What happened to one server. */
export interface ServerOutcome {
  readonly entry: ServerEntry;
  readonly state: "wrap" | "name" | "unwrap" | "wrapped" | "left" | "refused";
  /** Why the server was left unchanged or refused, or what a person does next. */
  readonly reason?: string | undefined;
  /** The servers that a merged entry stands for. */
  readonly servers?: readonly string[] | undefined;
}

export interface Rewriting {
  readonly text: string;
  readonly outcomes: readonly ServerOutcome[];
  /** What `unwrap` must know about the entries that are wrapped afterwards. */
  readonly records: readonly EntryRecord[];
}

export type EntryFilter = ((entry: ServerEntry) => boolean) | undefined;

/** TOML if the file name says so, else JSON with comments. YAML is not rewritten: its comments would be lost. */
export async function readConfigText(text: string, file: string): Promise<ClientConfigText> {
  if (/\.ya?ml$/i.test(file))
    throw new ConfigTextError(
      "It is YAML, which is not rewritten. By hand, write in front of the command of a server: waybill gateway --name <server> --",
    );
  if (!file.toLowerCase().endsWith(".toml")) return readJsonConfig(text);
  const { readTomlConfig } = await import("./read-toml-config.ts");
  return readTomlConfig(text);
}

interface Change {
  readonly entry: ServerEntry;
  readonly edits: readonly TextEdit[];
  readonly value: Readonly<Record<string, unknown>>;
}

/** Puts the gateway in front of the chosen servers; all servers if none are chosen. */
export async function wrapConfig(
  config: ClientConfigText,
  file: string,
  options: {
    readonly launcher: Launcher;
    readonly selection: EntryFilter;
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
    // It stands for several servers, so that no name of one is missing.
    if (wrappedTarget(entry)?.kind === "merged") return { entry, state: "wrapped" };
    if (judged.kind === "wrapped") {
      const named = nameEntry(config, entry, name, still.get(entry));
      if (named === undefined) return outcomeOfWrapped(entry, launcher);
      changes.push({ entry, edits: named.edits, value: named.value });
      if (named.record !== undefined) still.set(entry, named.record);
      return { entry, state: "name" };
    }
    const { edits, record, value } = wrapEntry(config, entry, judged, { launcher, name });
    changes.push({ entry, edits, value });
    added.push(record);
    return { entry, state: "wrap", reason: judged.kind === "url" ? judged.signIn : undefined };
  });
  return {
    text: await change(config, file, changes),
    outcomes,
    records: [...still.values(), ...added],
  };
}

/** Options that are asked for now and were not when the server was wrapped must not be passed over in silence. */
export function outcomeOfWrapped(entry: ServerEntry, { args }: Launcher): ServerOutcome {
  const written = JSON.stringify(entry.value);
  const options = args.slice(args.indexOf("gateway") + 1);
  if (options.every((word) => written.includes(JSON.stringify(word)))) return { entry, state: "wrapped" };
  const reason = "it is wrapped with other options; run `waybill unwrap` for it, then wrap it with these";
  return { entry, state: "refused", reason };
}

/** Removes the gateway from the chosen servers, if `wrap` put it there. */
export async function unwrapConfig(
  config: ClientConfigText,
  file: string,
  options: {
    readonly selection: EntryFilter;
    readonly records: readonly EntryRecord[];
    /** Why a merged entry cannot be put back, and what a person does. */
    readonly whyMergedStays?: string | undefined;
  },
): Promise<Rewriting> {
  const known = new Map(recordsOf(config, options.records).map(({ entry, record }) => [entry, record]));
  const changes: Change[] = [];
  const undone = new Set<ServerEntry>();
  const outcomes = config.entries.filter(options.selection ?? (() => true)).map((entry): ServerOutcome => {
    const target = wrappedTarget(entry);
    if (target === undefined)
      return {
        entry,
        state: "left",
        reason: "`waybill wrap` did not write it",
      };
    if (target.kind === "merged") return { entry, state: "refused", reason: options.whyMergedStays };
    const result = unwrapEntry(config, entry, target, known.get(entry));
    if ("reason" in result) return { entry, state: "refused", reason: result.reason };
    changes.push({ entry, ...result });
    undone.add(entry);
    return { entry, state: "unwrap" };
  });
  const records = [...known].filter(([entry]) => !undone.has(entry)).map(([, record]) => record);
  return { text: await change(config, file, changes), outcomes, records };
}

/** The records with their entries: at the same path, or, if it was renamed, the entry that runs what was written. */
function recordsOf(
  { entries }: ClientConfigText,
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

/** Makes the edits, parses the result again and refuses it if it differs from the intended value. */
async function change(config: ClientConfigText, file: string, changes: readonly Change[]): Promise<string> {
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

/** The same value without prototypes, so that two parsed values can be compared. */
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

interface UnwrappedEntry {
  readonly edits: readonly TextEdit[];
  /** The entry's value after the edits; the text is parsed again and compared with it. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** It is not certain what was wrapped, so the entry is not changed; the reason is for people. */
interface RefusedEntry {
  readonly reason: string;
}

/** The edits that remove the gateway from one server, or why that is not safe. */
function unwrapEntry(
  config: ClientConfigText,
  entry: ServerEntry,
  target: Exclude<WrappedTarget, { kind: "merged" }>,
  record: EntryRecord | undefined,
): UnwrappedEntry | RefusedEntry {
  return target.kind === "command"
    ? unwrapCommand(config, entry, target.before, record)
    : unwrapUrl(config, entry, record);
}

/** The command itself says what was there: the arguments after `--`, which a person may have changed since. */
function unwrapCommand(
  { text }: ClientConfigText,
  entry: ServerEntry,
  before: number,
  record: EntryRecord | undefined,
): UnwrappedEntry | RefusedEntry {
  const program = entry.launch.get(entry.programKey);
  const args = entry.launch.get("args");
  const own = args?.items[before];
  const values = textList(args?.value);
  if (program === undefined || args === undefined || own === undefined || values === undefined) {
    return { reason: "it has no command any more" };
  }
  const rest = values.slice(before + 1);
  const launch: Record<string, unknown> = { [entry.programKey]: values[before], args: rest };
  const wholeArgs =
    rest.length === 0 && record?.hadArgs === false ? spanWithGap(text, args, program) : undefined;
  if (wholeArgs !== undefined) launch["args"] = undefined;
  const isOnly = entry.isList && rest.length === 0;
  const removed =
    wholeArgs ??
    (isOnly
      ? { start: program.valueSpan.end, end: own.end }
      : { start: args.items[0]?.start ?? own.start, end: endOfOwn(text, args, before) });
  return {
    edits: [
      { ...program.valueSpan, text: spanText(text, own) },
      { ...removed, text: "" },
    ],
    value: withLaunch(entry, launch),
  };
}

/** Where our items end: at the server's first own argument, or after a comma that would otherwise remain. */
function endOfOwn(text: string, { items }: Member, before: number): number {
  const next = items[before + 1];
  if (next !== undefined) return next.start;
  const end = items[before]?.end ?? 0;
  return end + (/^\s*,/.exec(text.slice(end, end + 1_000))?.[0].length ?? 0);
}

/** The span of a member and its separator from another; undefined if there is other text between them. */
function spanWithGap(text: string, member: Member, other: Member): ConfigSpan | undefined {
  const isFirst = member.whole.start < other.whole.start;
  const [start, end] = isFirst
    ? [member.whole.end, other.whole.start]
    : [other.whole.end, member.whole.start];
  if (!/^\s*,?\s*$/.test(text.slice(start, end))) return undefined;
  return isFirst ? { start: member.whole.start, end } : { start, end: member.whole.end };
}

/** Only the record knows the original url entry. It is restored if the entry still has what we wrote. */
function unwrapUrl(
  { text }: ClientConfigText,
  entry: ServerEntry,
  record: EntryRecord | undefined,
): UnwrappedEntry | RefusedEntry {
  if (record === undefined)
    return { reason: "what it was is not on record on this machine: write its url and headers back by hand" };
  const keys = urlFormKeys(entry);
  const {
    command,
    args,
    type,
    [keys.env]: env,
  } = Object.fromEntries(entry.members) as Partial<Record<string, Member>>;
  const { wrote, lost, was } = record;
  const { launch } = entry;
  const isOurs =
    launch.get("command")?.value === wrote.program &&
    isDeepStrictEqual(launch.get("args")?.value, wrote.args);
  const last = entry.isList ? command : args;
  if (!isOurs || command === undefined || last === undefined)
    return { reason: "its command or args were changed since" };
  const url = entry.isList ? command.whole : joined(text, command, last);
  if (url === undefined) return { reason: "something is between its command and its args now" };
  const edits: TextEdit[] = [{ ...url, text: lost.url ?? "" }];
  const { command: _command, args: _args, [keys.env]: _env, ...rest } = entry.value;
  if (wrote.headers !== undefined) {
    const put = putHeadersBack(env, record);
    if (put === undefined) return { reason: "its env was changed since" };
    edits.push(...put);
  }
  if (lost.type !== undefined) {
    if (type?.value !== keys.type) return { reason: "its type was changed since" };
    edits.push({ ...type.valueSpan, text: lost.type });
  }
  const kept = wrote.headers === undefined && env !== undefined ? { [keys.env]: env.value } : {};
  return { edits, value: { ...rest, ...kept, ...was } };
}

function putHeadersBack(env: Member | undefined, { wrote, lost }: EntryRecord): TextEdit[] | undefined {
  if (
    env === undefined ||
    !isDeepStrictEqual({ ...(env.value as object) }, { [HEADERS_VARIABLE]: wrote.headers })
  )
    return undefined;
  const text = lost.headers ?? "";
  if (lost.headersName === undefined) return env.table === undefined ? [{ ...env.whole, text }] : undefined;
  if (env.table === undefined) return undefined;
  return [
    { ...env.table.name, text: lost.headersName },
    { ...env.table.body, text },
  ];
}

/** The span of two adjacent members together. */
function joined(text: string, one: Member, other: Member): ConfigSpan | undefined {
  const [first, second] = one.whole.start < other.whole.start ? [one, other] : [other, one];
  if (!/^\s*,?\s*$/.test(text.slice(first.whole.end, second.whole.start))) return undefined;
  return { start: first.whole.start, end: second.whole.end };
}
