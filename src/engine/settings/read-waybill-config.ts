import { isJsonObject, type JsonObject } from "../../core/json/json-value.ts";
import { formatLine } from "./config-problem.ts";
import { configSchema } from "./config-schema.ts";
import { toEntries, type Entry } from "./entry.ts";
import { type ParsedConfig, parseJsonc, refusedFile } from "./parse-jsonc.ts";
import type { CommandLine, ConfigText } from "./resolve-config.ts";
import type { FileReading } from "./scalpel-config.ts";

/**
 * What only a file that somebody named may set: where data is stored, what a tool is called, what requests may choose, which cursors are
 * taken, which features are on, what is started and who may reach it. Editors start servers inside folders that
 * somebody else wrote.
 */
const keysOfNamedFiles: readonly string[] = [
  "store",
  "retrieve",
  "allow",
  "cursors",
  "flags",
  "upstreams",
  "http",
];

/** Reads `waybill.config.json`; an unknown key or a wrong value is an error with its place. */
export function readWaybillConfig({ text, file, isFound = false }: ConfigText): FileReading {
  const parsed = parseJsonc(text, file);
  const all = readChecked(parsed, "file").filter(({ path }) => path[0] !== "$schema");
  if (!isFound) return { entries: all, notices: [] };
  const refused = keysOfNamedFiles.filter((key) => all.some(({ path }) => path[0] === key));
  const notices = refused.map(
    (key) => `${formatLine(parsed.placeOf([key], "key"))}: ${adviseNaming(key, file)}`,
  );
  return { entries: all.filter(({ path: [key = ""] }) => !refused.includes(key)), notices };
}

function adviseNaming(key: string, file: string): string {
  return `"${key}" is ignored, because this file was found by looking and nobody named it. To use it, start with --config or WAYBILL_CONFIG=${file}, or give its path in code: followConfig({ configPath }).`;
}

function readChecked(parsed: ParsedConfig, source: Entry["source"]): Entry[] {
  const result = configSchema.safeParse(parsed.value);
  if (!result.success) throw refusedFile(result.error.issues, configSchema, parsed);
  return isJsonObject(parsed.value) ? toEntries(parsed.value, source, parsed.placeOf) : [];
}

const optionNames: Readonly<Record<string, string>> = {
  "budget.tokens": "--budget",
  "budget.bytes": "--budget-bytes",
  "retrieve.name": "--retrieve-name",
};

/** Reads what a program's command line says; its options are named after their settings. */
export function readCommandLine(given: CommandLine): FileReading {
  const value = withoutUndefined({ ...given, budget: given.budget && withoutUndefined(given.budget) });
  const placeOf: ParsedConfig["placeOf"] = (path) => {
    const setting = path.join(".");
    return { variable: optionNames[setting] ?? `--${path[0] ?? "config"}` };
  };
  return { entries: readChecked({ value, placeOf }, "command-line"), notices: [] };
}

function withoutUndefined(value: object): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined));
}
