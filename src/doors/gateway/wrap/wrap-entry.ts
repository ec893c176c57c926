import {
  type ClientConfigText,
  type Member,
  type ServerEntry,
  type TextEdit,
  indentBefore,
  lineEndOf,
  spanText,
} from "./config-text.ts";
import {
  HEADERS_VARIABLE,
  type Launcher,
  argsBeforeCommand,
  argsForUrl,
  missingName,
  textList,
  isBehindGateway,
  wrappedTarget,
} from "./gateway-command.ts";

/** What is needed to undo one entry in a file that was changed since. */
export interface EntryRecord {
  readonly path: readonly string[];
  readonly kind: "command" | "url";
  /** False if the whole `args` is ours. */
  readonly hadArgs: boolean;
  /** The removed texts of a url entry, by kind; `headersName` is the name in the header of a TOML table. */
  readonly lost: Readonly<Partial<Record<"url" | "headers" | "headersName" | "type", string>>>;
  /** The values of those texts. */
  readonly was: Readonly<Record<string, unknown>>;
  /** The values that were written instead. */
  readonly wrote: {
    readonly program: string;
    readonly args: readonly string[];
    readonly headers?: string | undefined;
  };
}

export interface WrappedEntry {
  readonly edits: readonly TextEdit[];
  readonly record: EntryRecord;
  /** The entry's value after the edits; the text is parsed again and compared with it. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** How an entry is wrapped: what starts the gateway, and the gateway's name for the server. */
interface Wrapping {
  readonly launcher: Launcher;
  readonly name: string;
}

type Wrappable = Exclude<Judgement, { kind: "wrapped" | "left" }>;

/** The edits that put the gateway in front of one server. They change nothing else. */
export function wrapEntry(
  config: ClientConfigText,
  entry: ServerEntry,
  judged: Wrappable,
  { launcher, name }: Wrapping,
): WrappedEntry {
  return judged.kind === "command"
    ? wrapCommand(config, entry, judged, launcher, argsBeforeCommand(launcher, name))
    : wrapUrl(config, entry, judged, launcher, name);
}

/**
 * The edits that add the name to an entry that an older `wrap` wrote without one; undefined if it has a name. The
 * record is updated to match.
 */
export function nameEntry(
  config: ClientConfigText,
  entry: ServerEntry,
  name: string,
  record: EntryRecord | undefined,
): (Omit<WrappedEntry, "record"> & { readonly record: EntryRecord | undefined }) | undefined {
  const args = entry.launch.get("args");
  const missing = missingName(textList(args?.value) ?? [], name);
  const next = missing && args?.items[missing.at];
  if (missing === undefined || args === undefined || next === undefined) return undefined;
  const put = (list: readonly string[]): readonly string[] => {
    const { at, words } = missingName(list, name) ?? {};
    return at === undefined || words === undefined ? list : list.toSpliced(at, 0, ...words);
  };
  const { text, syntax } = config;
  const gap = gapBefore(text, args, next.start);
  const words = missing.words.map((word) => syntax.text(word) + gap).join("");
  return {
    edits: [{ start: next.start, end: next.start, text: words }],
    record: record && { ...record, wrote: { ...record.wrote, args: put(record.wrote.args) } },
    value: withLaunch(entry, { args: put(args.value as string[]) }),
  };
}

/** The text between two items of a list: the same separator as before the item at this position. */
function gapBefore(text: string, args: Member, start: number): string {
  const indent = indentBefore(text, start);
  return indent === undefined ? listGap(args) : `,${lineEndOf(text)}${indent}`;
}

function wrapCommand(
  config: ClientConfigText,
  entry: ServerEntry,
  { program, args }: Extract<Wrappable, { kind: "command" }>,
  launcher: Launcher,
  before: readonly string[],
): WrappedEntry {
  const { text, syntax } = config;
  // The text of the program is moved unchanged, escapes included, so that it can be restored unchanged.
  const items = [...before.map(syntax.text), spanText(text, program.valueSpan)];
  const all = [...before, String(program.value), ...((args?.value as string[] | undefined) ?? [])];
  const put =
    args === undefined ? putArgs(config, program, items) : putItems(config, args, items, entry.isList);
  return {
    edits: [{ ...program.valueSpan, text: syntax.text(launcher.program) }, put],
    record: {
      path: entry.path,
      kind: "command",
      hadArgs: args !== undefined,
      lost: {},
      was: {},
      wrote: { program: launcher.program, args: before },
    },
    value: withLaunch(entry, { [entry.programKey]: launcher.program, args: all }),
  };
}

/** The entry's value with other members that say what is run; undefined removes one. */
export function withLaunch(
  entry: ServerEntry,
  changed: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (entry.isList) {
    const { command, args } = { ...launchValues(entry), ...changed };
    return { ...entry.value, command: [command, ...((args as readonly unknown[] | undefined) ?? [])] };
  }
  if (entry.programKey === "command") return withoutUndefined({ ...entry.value, ...changed });
  const command = withoutUndefined({ ...(entry.value["command"] as object), ...changed });
  return { ...entry.value, command };
}

function launchValues({ launch }: ServerEntry): Record<string, unknown> {
  return { command: launch.get("command")?.value, args: launch.get("args")?.value };
}

function withoutUndefined(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined));
}

/** Inserts items at the front of the arguments. `isList`: the program is before them in the same list. */
function putItems(
  { text }: ClientConfigText,
  args: Member,
  items: readonly string[],
  isList: boolean,
): TextEdit {
  const first = args.items[0];
  if (first === undefined) {
    const start = args.valueSpan.start + 1;
    const gap = listGap(args);
    return { start, end: start, text: (isList ? gap : "") + items.join(gap) };
  }
  const gap = gapBefore(text, args, first.start);
  return { start: first.start, end: first.start, text: items.map((item) => item + gap).join("") };
}

/** Inserts a new list before the program: after it, a comment on the program's line could be in the way. */
function putArgs({ text, syntax }: ClientConfigText, program: Member, items: readonly string[]): TextEdit {
  const { start } = program.whole;
  const pair = pairText(program, syntax.key("args"), `[${items.join(listGap(program))}]`);
  return { start, end: start, text: pair + gapAfter(text, program) };
}

function pairText({ keyPrefix, between }: Member, key: string, value: string): string {
  return keyPrefix + key + between + value;
}

function listGap({ between }: Member): string {
  return between === ":" ? "," : ", ";
}

/** The separator between a member and the next: the same as before the member itself. */
function gapAfter(text: string, member: Member): string {
  const indent = indentBefore(text, member.whole.start);
  const comma = member.hasCommas ? "," : "";
  if (indent !== undefined) return `${comma}${lineEndOf(text)}${indent}`;
  return member.between === ":" ? comma : `${comma} `;
}

function wrapUrl(
  config: ClientConfigText,
  entry: ServerEntry,
  { url, headers, type }: Extract<Wrappable, { kind: "url" }>,
  launcher: Launcher,
  name: string,
): WrappedEntry {
  const { text, syntax } = config;
  const args = argsForUrl(launcher, name, String(url.value), type?.value === "sse" ? "sse" : undefined);
  const edits: TextEdit[] = [
    { ...url.whole, text: launchText(config, entry, url, [launcher.program, ...args]) },
  ];
  const keys = urlFormKeys(entry);
  const rest = Object.entries(entry.value).filter(([key]) => key !== url.key && key !== headers?.key);
  const launch = entry.isList
    ? { command: [launcher.program, ...args] }
    : { command: launcher.program, args };
  const value: Record<string, unknown> = { ...Object.fromEntries(rest), ...launch };
  const lost: { -readonly [Name in keyof EntryRecord["lost"]]: string } = { url: spanText(text, url.whole) };
  const was: Record<string, unknown> = { [url.key]: url.value };
  const json = headers && JSON.stringify(headers.value);
  if (headers !== undefined && json !== undefined) {
    edits.push(...putHeaders(config, headers, keys.env, json));
    lost.headers = spanText(text, headers.table?.body ?? headers.whole);
    if (headers.table !== undefined) lost.headersName = spanText(text, headers.table.name);
    was[headers.key] = headers.value;
    value[keys.env] = { [HEADERS_VARIABLE]: json };
  }
  if (type !== undefined && type.value !== keys.type) {
    edits.push({ ...type.valueSpan, text: syntax.text(keys.type) });
    lost.type = spanText(text, type.valueSpan);
    was["type"] = type.value;
    value["type"] = keys.type;
  }
  const wrote = { program: launcher.program, args, headers: json };
  return { edits, record: { path: entry.path, kind: "url", hadArgs: false, lost, was, wrote }, value };
}

/** What a URL entry has as a command: the key of its variables, and its type. */
export function urlFormKeys({ isList }: ServerEntry): { readonly env: string; readonly type: string } {
  return isList ? { env: "environment", type: "local" } : { env: "env", type: "stdio" };
}

/** The settings in place of a url: a program and its arguments, or one list of both. */
function launchText(
  { text, syntax }: ClientConfigText,
  { isList }: ServerEntry,
  url: Member,
  words: readonly string[],
): string {
  const [program = "", ...args] = words.map(syntax.text);
  const listOf = (items: readonly string[]): string => `[${items.join(listGap(url))}]`;
  if (isList) return pairText(url, syntax.key("command"), listOf([program, ...args]));
  return (
    pairText(url, syntax.key("command"), program) +
    gapAfter(text, url) +
    pairText(url, syntax.key("args"), listOf(args))
  );
}

function putHeaders({ syntax }: ClientConfigText, headers: Member, key: string, json: string): TextEdit[] {
  const { table } = headers;
  if (table === undefined) {
    return [
      {
        ...headers.whole,
        text: pairText(headers, syntax.key(key), syntax.map({ [HEADERS_VARIABLE]: json })),
      },
    ];
  }
  return [
    { ...table.name, text: syntax.key(key) },
    { ...table.body, text: `${HEADERS_VARIABLE} = ${syntax.text(json)}` },
  ];
}

/** What can be done with one server of a config file. */
type Judgement =
  | { readonly kind: "command"; readonly program: Member; readonly args: Member | undefined }
  | {
      readonly kind: "url";
      readonly url: Member;
      readonly headers: Member | undefined;
      readonly type: Member | undefined;
      /** What a person does so that the gateway is let in; undefined if fixed headers do that. */
      readonly signIn: string | undefined;
    }
  | { readonly kind: "wrapped" }
  | { readonly kind: "left"; readonly reason: string };

const urlKeys = ["httpUrl", "url", "serverUrl"] as const;
const headerKeys = ["headers", "http_headers"] as const;

/** Settings by which a client gets a token itself in a way of its own; behind the gateway this would not work. */
const tokenKeys: Readonly<Record<string, string>> = {
  headersHelper: "a program of the client makes its headers",
  bearer_token_env_var: "its token comes from a variable that only the client reads (bearer_token_env_var)",
  env_http_headers: "its headers come from variables that only the client reads (env_http_headers)",
};

/** Decides what to do with an entry; `isNamed` if a person asked for this server by name. */
export function judgeEntry(entry: ServerEntry, isNamed: boolean): Judgement {
  if (wrappedTarget(entry) !== undefined) return { kind: "wrapped" };
  if (isBehindGateway(entry)) return left("it runs through the gateway already, but not by `waybill wrap`");
  const program = entry.launch.get(entry.programKey);
  const hasUrl = urlKeys.some((key) => entry.value[key] !== undefined);
  if (program !== undefined && hasUrl) return left("it has both a command and a url");
  if (program !== undefined) return judgeCommand(program, entry.launch.get("args"));
  return hasUrl ? judgeUrl(entry, isNamed) : left("it has neither a command nor a url in this file");
}

function left(reason: string): Judgement {
  return { kind: "left", reason };
}

function judgeCommand(program: Member, args: Member | undefined): Judgement {
  const { value } = program;
  if (typeof value !== "string" || value === "") return left("its command is not a text");
  if (value.startsWith("~"))
    return left("its command begins with ~, which the gateway does not expand: write the whole path");
  if (args !== undefined && textList(args.value) === undefined)
    return left("its args are not a list of texts");
  return { kind: "command", program, args };
}

function judgeUrl({ value, members, isList }: ServerEntry, isNamed: boolean): Judgement {
  const url = urlKeys.map((key) => members.get(key)).find((member) => member !== undefined);
  const headerKey = headerKeys.find((key) => value[key] !== undefined);
  const headers = headerKey === undefined ? undefined : members.get(headerKey);
  const type = members.get("type");
  if (url === undefined || (headerKey !== undefined && headers === undefined)) {
    return left("it is written with dotted keys, which are not rewritten");
  }
  if (value["type"] === "remote" && !isList)
    return left("its type is remote, which is known of opencode alone, under `mcp`");
  const reason = whyNotUrl(value, url.value, headers?.value, isNamed);
  if (reason !== undefined) return left(reason);
  const isEmpty = headers !== undefined && Object.keys(headers.value as object).length === 0;
  // Codex refuses them in a command, and opencode in a local server.
  if (isEmpty && (isList || headerKey === "http_headers"))
    return left(`its ${headerKey} are empty: remove them first`);
  const refused = isList ? remoteOnly.find((key) => value[key] !== undefined) : undefined;
  if (refused !== undefined) return left(`it has ${refused}, which opencode refuses in a local server`);
  // Other clients ignore them, so they may stay.
  return {
    kind: "url",
    url,
    headers: isEmpty ? undefined : headers,
    type,
    signIn: signInAdvice(value, url.value, headers?.value),
  };
}

/** Settings with which a client signs in with OAuth itself; behind the gateway that does it. */
const oauthKeys = ["oauth", "auth"] as const;

/** Keys that would make the whole file invalid for opencode once the server is a local one. */
const remoteOnly = ["oauth", "environment"] as const;

function signInAdvice(entry: ServerEntry["value"], url: unknown, headers: unknown): string | undefined {
  const own = oauthKeys.map((key) => entry[key]).find((value) => value !== undefined);
  const hasHeaders = isTextMap(headers) && Object.keys(headers).length > 0;
  if (own === undefined && hasHeaders) return undefined;
  const does = own === undefined ? "may want" : "wants";
  const client = hasClient(own) ? ", with the client id of this entry as --client-id" : "";
  return `it ${does} a sign-in: run \`waybill login ${String(url)}\`${client}, or open the address that its first call gives`;
}

function hasClient(own: unknown): boolean {
  if (typeof own !== "object" || own === null) return false;
  return Object.keys(own).some((key) => /^client_?id$/i.test(key));
}

function whyNotUrl(
  entry: ServerEntry["value"],
  url: unknown,
  headers: unknown,
  isNamed: boolean,
): string | undefined {
  if (typeof url !== "string" || !/^(https?:\/\/|\$\{)/i.test(url))
    return "its url is not one of http or https";
  for (const [key, reason] of Object.entries(tokenKeys)) if (entry[key] !== undefined) return reason;
  if (entry["env"] !== undefined) return "it has both a url and an env";
  if (headers !== undefined && !isTextMap(headers)) return "its headers are not texts";
  if (isNamed) return undefined;
  if (/[?@]/.test(url.replaceAll(/\$\{[^}]*\}/g, ""))) {
    return "its url may hold a key, which would be readable on a command line; if it does not, name it with --server";
  }
  return undefined;
}

function isTextMap(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((item) => typeof item === "string")
  );
}
