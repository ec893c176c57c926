import { isDeepStrictEqual } from "node:util";
import {
  type ConfigText,
  type Member,
  type ServerEntry,
  type Span,
  type TextEdit,
  textOf,
} from "./config-text.ts";
import { HEADERS_VARIABLE, type WrappedTarget, textsOf } from "./gateway-command.ts";
import type { EntryRecord } from "./wrap-entry.ts";

export interface UnwrappedEntry {
  readonly edits: readonly TextEdit[];
  /** The entry's value after the edits; the text is read again and compared with it. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** What was wrapped cannot be told for sure, so it stays as it is; the reason is for people. */
export interface RefusedEntry {
  readonly reason: string;
}

/** The edits that take the gateway away from one server, or why that is not safe. */
export function unwrapEntry(
  config: ConfigText,
  entry: ServerEntry,
  target: WrappedTarget,
  record: EntryRecord | undefined,
): UnwrappedEntry | RefusedEntry {
  return target.kind === "command"
    ? unwrapCommand(config, entry, target.before, record)
    : unwrapUrl(config, entry, record);
}

/** The command says itself what was there: the arguments after `--`, which somebody may have changed since. */
function unwrapCommand(
  { text }: ConfigText,
  entry: ServerEntry,
  before: number,
  record: EntryRecord | undefined,
): UnwrappedEntry | RefusedEntry {
  const program = entry.launch.get(entry.programKey);
  const args = entry.launch.get("args");
  const own = args?.items[before];
  const values = textsOf(args?.value);
  if (program === undefined || args === undefined || own === undefined || values === undefined) {
    return { reason: "it has no command any more" };
  }
  const rest = values.slice(before + 1);
  const launch: Record<string, unknown> = { [entry.programKey]: values[before], args: rest };
  const wholeArgs =
    rest.length === 0 && record?.hadArgs === false ? spanWithGap(text, args, program) : undefined;
  if (wholeArgs !== undefined) launch["args"] = undefined;
  const removed = wholeArgs ?? {
    start: args.items[0]?.start ?? own.start,
    end: endOfOwn(text, args, before),
  };
  return {
    edits: [
      { ...program.valueSpan, text: textOf(text, own) },
      { ...removed, text: "" },
    ],
    value: replaced(entry, launch),
  };
}

/** Where our items end: at the server's first own argument, or behind a comma that would be left alone. */
function endOfOwn(text: string, { items }: Member, before: number): number {
  const next = items[before + 1];
  if (next !== undefined) return next.start;
  const end = items[before]?.end ?? 0;
  return end + (/^\s*,/.exec(text.slice(end, end + 1_000))?.[0].length ?? 0);
}

/** The span of a member and of what separates it from another; undefined if more than that stands between them. */
function spanWithGap(text: string, member: Member, other: Member): Span | undefined {
  const isFirst = member.whole.start < other.whole.start;
  const [start, end] = isFirst
    ? [member.whole.end, other.whole.start]
    : [other.whole.end, member.whole.start];
  if (!/^\s*,?\s*$/.test(text.slice(start, end))) return undefined;
  return isFirst ? { start: member.whole.start, end } : { start, end: member.whole.end };
}

function replaced(entry: ServerEntry, launch: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (entry.programKey === "command") return withoutUndefined({ ...entry.value, ...launch });
  const command = withoutUndefined({ ...(entry.value["command"] as object), ...launch });
  return { ...entry.value, command };
}

function withoutUndefined(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined));
}

/** What a url entry was is known from the record only. It comes back if what we wrote is still what stands there. */
function unwrapUrl(
  { text }: ConfigText,
  entry: ServerEntry,
  record: EntryRecord | undefined,
): UnwrappedEntry | RefusedEntry {
  if (record === undefined)
    return { reason: "what it was is not on record on this machine: write its url and headers back by hand" };
  const { command, args, env, type } = Object.fromEntries(entry.members) as Partial<Record<string, Member>>;
  const { wrote, lost, was } = record;
  const isOurs = command?.value === wrote.program && isDeepStrictEqual(args?.value, wrote.args);
  if (!isOurs || command === undefined || args === undefined)
    return { reason: "its command or args were changed since" };
  const url = joined(text, command, args);
  if (url === undefined) return { reason: "something stands between its command and its args now" };
  const edits: TextEdit[] = [{ ...url, text: lost.url ?? "" }];
  const { command: _command, args: _args, env: _env, ...rest } = entry.value;
  if (wrote.headers !== undefined) {
    const put = putHeadersBack(env, record);
    if (put === undefined) return { reason: "its env was changed since" };
    edits.push(...put);
  }
  if (lost.type !== undefined) {
    if (type?.value !== "stdio") return { reason: "its type was changed since" };
    edits.push({ ...type.valueSpan, text: lost.type });
  }
  const kept = wrote.headers === undefined && env !== undefined ? { env: env.value } : {};
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

/** The span of two neighbours together. */
function joined(text: string, one: Member, other: Member): Span | undefined {
  const [first, second] = one.whole.start < other.whole.start ? [one, other] : [other, one];
  if (!/^\s*,?\s*$/.test(text.slice(first.whole.end, second.whole.start))) return undefined;
  return { start: first.whole.start, end: second.whole.end };
}
