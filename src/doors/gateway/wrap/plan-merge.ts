// `waybill wrap --merge`: many entries of one client become one, a gateway that serves all their servers. What each
// server was stands in a configuration of the gateway's own, which only its owner can read.

import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type FormattingOptions, applyEdits, modify } from "jsonc-parser";
import { type JsonObject, isJsonObject, setOwn } from "../../../core/json/json-value.ts";
import { replaceConfigFile } from "./client-configs.ts";
import { ConfigTextError, type ServerEntry, lineEndOf } from "./config-text.ts";
import { type Launcher, mergedArgs, namesFor, textList } from "./gateway-command.ts";
import {
  type PlannedChange,
  type WrapRecords,
  learn,
  recordOf,
  sha256Of,
  withNothingWrapped,
} from "./plan-change.ts";
import { type EntryFilter, type ServerOutcome, readConfigText } from "./rewrite-config.ts";
import { judgeEntry } from "./wrap-entry.ts";

/** The name of the entry that stands for all. */
const MERGED_NAME = "waybill";

/** What an entry may say that the gateway's configuration can say too; `type` follows from the rest. */
const carried = new Set(["command", "args", "env", "cwd", "type", "url", "headers", "timeout", "disabled"]);

/** Why an entry stays alone; undefined if it can be merged. */
function whyAlone(entry: ServerEntry): string | undefined {
  const { value, isList, programKey } = entry;
  if (isList || programKey !== "command")
    return "its client writes a command in a form of its own, which is not merged";
  if (value["disabled"] === true) return "it is switched off";
  const other = Object.keys(value).find((key) => !carried.has(key));
  if (other !== undefined) return `it has ${JSON.stringify(other)}, which only its client understands`;
  if (/\$\{|\$[A-Z_]/.test(JSON.stringify(value))) return "it has variables, which only its client fills in";
  if (value["env"] !== undefined && !isTexts(value["env"])) return "its env has values that are no texts";
  return undefined;
}

function isTexts(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((one) => typeof one === "string")
  );
}

/** The server as the gateway's configuration has it. */
function upstreamOf({ value }: ServerEntry): JsonObject {
  const { command, args, env, cwd, url, headers } = value as JsonObject;
  if (typeof command === "string")
    return {
      command,
      ...(args === undefined ? {} : { args: [...(textList(args) ?? [])] }),
      ...(isJsonObject(env) && Object.keys(env).length > 0 ? { env: { ...env } } : {}),
      ...(cwd === undefined ? {} : { cwd }),
      inherit_env: true,
    };
  const given = isJsonObject(headers) ? { ...headers } : {};
  const hasKey = Object.keys(given).some((name) => name.toLowerCase() === "authorization");
  return {
    url: url ?? "",
    ...(Object.keys(given).length > 0 ? { headers: given } : {}),
    ...(hasKey ? {} : { auth: "oauth" }),
  };
}

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

function formatOf(text: string): FormattingOptions {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
  return {
    insertSpaces: !indent.includes("\t"),
    tabSize: indent.includes("\t") ? 1 : indent.length,
    eol: lineEndOf(text),
  };
}

/** The text with one entry in place of a group, at the place of the first. */
function withOneEntry(text: string, { parent, entries }: MergedGroup, name: string, value: object): string {
  const formattingOptions = formatOf(text);
  const isBom = text.startsWith("\uFEFF");
  let body = isBom ? text.slice(1) : text;
  for (const { path } of entries)
    body = applyEdits(body, modify(body, [...path], undefined, { formattingOptions }));
  body = applyEdits(
    body,
    modify(body, [...parent, name], value, { formattingOptions, getInsertionIndex: () => 0 }),
  );
  return isBom ? `\uFEFF${body}` : body;
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
  const { file, config, record } = known;
  if (config.syntax.id !== "json")
    throw new ConfigTextError(
      "It is TOML, in which entries are not merged. Wrap its servers one by one, without --merge.",
    );
  const names = namesFor(config.entries);
  const left = new Map<ServerEntry, string>();
  const chosen = config.entries.filter(selection ?? (() => true)).filter((entry) => {
    const judged = judgeEntry(entry, selection !== undefined);
    const reason =
      judged.kind === "wrapped"
        ? "it is wrapped: unwrap it first"
        : judged.kind === "left"
          ? judged.reason
          : whyAlone(entry);
    if (reason !== undefined) left.set(entry, reason);
    return reason === undefined;
  });
  const groups = groupsIn(chosen);
  const merged = new Set(groups.flatMap(({ entries }) => entries));
  for (const entry of chosen) if (!merged.has(entry)) left.set(entry, "there is no other to merge it with");
  let text = file.text;
  let meant = plain(config.value);
  const written: (readonly [path: string, content: string])[] = [];
  for (const [at, group] of groups.entries()) {
    const servers = join(records.folderOf(file.realPath), `servers-${at + 1}.json`);
    const upstreams: Record<string, JsonObject> = {};
    for (const entry of group.entries) setOwn(upstreams, names.get(entry) ?? "server", upstreamOf(entry));
    written.push([servers, `${JSON.stringify({ upstreams }, undefined, 2)}\n`]);
    const value = { command: launcher.program, args: mergedArgs(launcher, servers) };
    const name = freeIn(config.entries, group);
    text = withOneEntry(text, group, name, value);
    meant = mergedValue(meant, group, name, value);
  }
  await checkMerged(text, file.realPath, meant);
  const original = known.original ?? (await withNothingWrapped(known));
  const outcomes = config.entries
    .filter((entry) => merged.has(entry) || left.has(entry))
    .map((entry): ServerOutcome =>
      merged.has(entry) ? { entry, state: "wrap" } : { entry, state: "left", reason: left.get(entry) },
    );
  return {
    file,
    before: config,
    after: text,
    isChanged: text !== file.text,
    outcomes,
    backup: records.backupOf(file.realPath),
    commit: async () => {
      const rewriting = { text, outcomes, records: record?.entries ?? [] };
      await records.write(recordOf(file, rewriting, original && sha256Of(original)), original);
      for (const [place, content] of written) await records.writeBeside(place, content);
      try {
        await replaceConfigFile(file, Buffer.from(text));
      } catch (error) {
        await (record === undefined ? records.remove(file.realPath) : records.write(record, known.original));
        throw error;
      }
    },
  };
}

/** A text that cannot be read again, or says anything else than it should, is not written. */
async function checkMerged(text: string, file: string, meant: JsonObject): Promise<void> {
  const { value } = await readConfigText(text, file);
  if (!isDeepStrictEqual(plain(value), meant))
    throw new ConfigTextError(
      "The result would not say what it should. This is a fault of Waybill's own: please report the file's form.",
    );
}

/** A value of its own, with the prototypes that JSON.parse gives. */
function plain(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
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
