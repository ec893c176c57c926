// What `wrap --merge` does with one entry: whether it can be merged, and what the gateway's configuration says of it.

import { isDeepStrictEqual } from "node:util";
import { type FormattingOptions, applyEdits, modify } from "jsonc-parser";
import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import { ConfigTextError, type ServerEntry, lineEndOf } from "./config-text.ts";
import { textList } from "./gateway-command.ts";
import { readConfigText } from "./rewrite-config.ts";

/** What an entry may say that the gateway's configuration can say too; `type` follows from the rest. */
const carried = new Set(["command", "args", "env", "cwd", "type", "url", "headers", "timeout", "disabled"]);

/** Why an entry stays alone; undefined if it can be merged. */
export function whyAlone(entry: ServerEntry): string | undefined {
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
export function upstreamOf({ value }: ServerEntry): JsonObject {
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

function formatOf(text: string): FormattingOptions {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
  return {
    insertSpaces: !indent.includes("\t"),
    tabSize: indent.includes("\t") ? 1 : indent.length,
    eol: lineEndOf(text),
  };
}

/** The text with the value at each path; undefined removes what is there. */
export function withValues(
  text: string,
  values: readonly (readonly [path: readonly string[], value: unknown])[],
  atStart = false,
): string {
  const formattingOptions = formatOf(text);
  const place = atStart ? { getInsertionIndex: () => 0 } : {};
  const isBom = text.startsWith("\uFEFF");
  let body = isBom ? text.slice(1) : text;
  for (const [path, value] of values)
    body = applyEdits(body, modify(body, [...path], value, { formattingOptions, ...place }));
  return isBom ? `\uFEFF${body}` : body;
}

/** A file of the gateway's own; `before` is what it said. */
export interface WrittenServers {
  readonly place: string;
  readonly content: string;
  readonly before?: string | undefined;
}

/** What the file of the gateway's servers says. */
export function serversText(upstreams: JsonObject): string {
  return `${JSON.stringify({ upstreams }, undefined, 2)}\n`;
}

/** A text that cannot be read again, or says anything else than it should, is not written. */
export async function checkMerged(text: string, file: string, meant: JsonObject): Promise<void> {
  const { value } = await readConfigText(text, file);
  if (!isDeepStrictEqual(plain(value), meant))
    throw new ConfigTextError(
      "The result would not say what it should. This is a fault of Waybill's own: please report the file's form.",
    );
}

/** A value of its own, with the prototypes that JSON.parse gives. */
export function plain(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
