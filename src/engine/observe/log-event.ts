// Log events on stderr: as lines for people on a terminal, else as JSON lines that pino's tools read. stdout belongs to
// the protocol. A log never throws, whatever it is given, and secrets are masked in all output.

import { edgeRuntime, environment } from "../runtime/edge-runtime.ts";
import { createRedactor, type Redactor } from "../../core/text/redact/redact-secrets.ts";
import { type PlainLook, plainLine } from "./plain-line.ts";
import { type LogForm, chooseLogForm, wantsColors } from "./terminal.ts";

type Fields = Readonly<Record<string, unknown>>;

/** pino's methods; any logger with the same methods fits. */
export interface Logger {
  debug?(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface Log {
  debug(event: string, fields?: Fields): void;
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  error(event: string, fields?: Fields): void;
}

/** pino's numbers. */
export const logLevels = { debug: 20, info: 30, warn: 40, error: 50, silent: Infinity } as const;
type LogLevel = keyof typeof logLevels;
type SpokenLevel = keyof Log;

export interface LogOptions {
  /** The lowest level that is written. Default: "warn"; with a `logger`, the logger decides. */
  readonly level?: LogLevel | undefined;
  /** Gets the events instead of stderr. The console does not qualify: half of its methods write to stdout. */
  readonly logger?: Logger | undefined;
  /** `false` masks nothing. */
  readonly redactor?: Redactor | false | undefined;
  /** The form of the lines. Default: "auto", lines for people on a terminal and JSON anywhere else. */
  readonly form?: LogForm | "auto" | undefined;
  /** Receives each line, including its line end, instead of stderr. */
  readonly sink?: ((line: string) => void) | undefined;
}

const reserved = new Set(["level", "time", "pid", "name", "msg"]);

export function createLog(options: LogOptions = {}): Log {
  const logger = options.logger === (console as unknown) ? undefined : options.logger;
  const { level = logger === undefined ? "warn" : "debug", sink = writeToStderr } = options;
  const clean = cleaner(options.redactor);
  const look = chooseLogForm(options.form) === "plain" ? ownLook() : undefined;
  const emit = (spoken: SpokenLevel, event: string, fields: Fields): void => {
    if (logLevels[spoken] < (logLevels[level] ?? logLevels.warn)) return;
    try {
      const safe = clean(fields);
      if (logger !== undefined) logger[spoken]?.(safe, event);
      else sink(look === undefined ? toLine(spoken, event, safe) : plainLine(spoken, event, safe, look));
    } catch {
      // A log that fails must not fail its call.
    }
  };
  return {
    debug: (event, fields = {}) => emit("debug", event, fields),
    info: (event, fields = {}) => emit("info", event, fields),
    warn: (event, fields = {}) => emit("warn", event, fields),
    error: (event, fields = {}) => emit("error", event, fields),
  };
}

function cleaner(redactor: Redactor | false = createRedactor()): (fields: Fields) => object {
  const redactText = redactor === false ? (text: string) => text : (text: string) => redactor.text(text).text;
  return (fields) => {
    try {
      const plain = toLoggable(renamed(fields), { redactText }) as object;
      return redactor === false ? plain : redactor.json(plain).value;
    } catch {
      return { fields: "[unreadable]" };
    }
  };
}

/** Reads properties one by one, because a getter may throw; a field never replaces the line's own keys. */
function* entriesOf(fields: Fields): Generator<[string, unknown]> {
  for (const key of Object.keys(fields)) {
    let value: unknown = "[unreadable]";
    try {
      value = fields[key];
    } catch {
      // The rest of the event is still logged.
    }
    yield [reserved.has(key) ? `field_${key}` : key, key === "err" ? toError(value) : value];
  }
}

/** Callers without types may pass anything. */
function renamed(fields: unknown): Fields {
  const isRecord = typeof fields === "object" && fields !== null && !ArrayBuffer.isView(fields);
  return isRecord ? Object.fromEntries(entriesOf(fields as Fields)) : { fields };
}

/** Anything can be thrown; a value that is not an error is logged like one. */
function toError(value: unknown): unknown {
  if (typeof value === "object" && value !== null) return value;
  return { type: typeof value, message: String(value) };
}

function toLine(spoken: SpokenLevel, event: string, safe: object): string {
  const head = { level: logLevels[spoken], time: Date.now(), pid: globalThis.process?.pid, name: "waybill" };
  return `${JSON.stringify({ ...head, msg: event, ...safe })}\n`;
}

function ownLook(): PlainLook {
  const { WAYBILL_DEBUG: debug } = environment();
  return { hasColors: wantsColors(), folder: workingFolder(), showsWholeStacks: debug === "1" };
}

/** Empty where it is gone, and on runtimes without folders: paths are then shown whole. */
function workingFolder(): string {
  try {
    return globalThis.process?.cwd() ?? "";
  } catch {
    return "";
  }
}

function writeToStderr(line: string): void {
  const { stderr } = (globalThis.process ?? {}) as Partial<NodeJS.Process>;
  if (stderr !== undefined && edgeRuntime() === undefined) stderr.write(line);
  // Edge runtimes have a console and no streams; the console adds the end of the line.
  // eslint-disable-next-line no-console
  else console.error(line.trimEnd());
}

/** An error as pino's standard serialiser writes it: causes are part of `message` and `stack`. */
interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly [extra: string]: unknown;
}

const MAX_CAUSES = 8;
const told = new Set(["type", "message", "stack", "cause", "name"]);

/** A property that may throw, or may not have its declared type. */
function textIn(error: Error, key: "message" | "stack" | "name"): string {
  try {
    const value: unknown = error[key];
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}

function causeOf(error: Error): Error | undefined {
  try {
    return error.cause instanceof Error ? error.cause : undefined;
  } catch {
    return undefined;
  }
}

function causesOf(error: Error): readonly Error[] {
  const chain = [error];
  for (let next = causeOf(error); next !== undefined && chain.length < MAX_CAUSES; next = causeOf(next)) {
    if (chain.includes(next)) break;
    chain.push(next);
  }
  return chain;
}

function typeOf(error: Error): string {
  try {
    const own: unknown = error.constructor.name;
    return typeof own === "string" && own !== "" ? own : textIn(error, "name");
  } catch {
    return "Error";
  }
}

/** A store that is away fails every call that cuts something, and the stack trace does not help. */
function isOfStore(error: Error): boolean {
  return textIn(error, "name") === "ArchiveError";
}

function describeError(error: Error): DescribedError {
  const chain = causesOf(error);
  const extras = Object.keys(error).filter((key) => !told.has(key));
  return {
    type: typeOf(error),
    message: chain.map((each) => textIn(each, "message")).join(": "),
    stack: isOfStore(error) ? undefined : chain.map((each) => textIn(each, "stack")).join("\ncaused by: "),
    ...Object.fromEntries(extras.map((key) => [key, readExtra(error, key)])),
  };
}

function readExtra(error: Error, key: string): unknown {
  try {
    return (error as unknown as Record<string, unknown>)[key];
  } catch {
    return "[unreadable]";
  }
}

/** The size limits of one event: enough to find a fault, too little to fill a disk. */
const MAX_DEPTH = 8;
const MAX_ENTRIES = 100;
const MAX_NODES = 1_000;
const MAX_TEXT_LENGTH = 8_192;
/** Only this much of a longer text is searched for secrets before it is cut. */
const MAX_SEARCHED_LENGTH = 1 << 20;

interface LoggableOptions {
  /** Masks secrets in a text before the text is cut: half a secret would not be recognised. */
  readonly redactText: (text: string) => string;
}

interface Walk extends LoggableOptions {
  readonly above: Set<object>;
  nodes: number;
}

/** A plain JSON value for any value. Never throws: not on cycles, getters, proxies, BigInt or hostile `toJSON`. */
function toLoggable(value: unknown, options: LoggableOptions): unknown {
  return tame(value, { ...options, above: new Set(), nodes: 0 });
}

function tame(value: unknown, walk: Walk): unknown {
  try {
    if (typeof value === "string") return cut(value, walk);
    if (typeof value === "bigint") return value.toString();
    if (typeof value === "function" || typeof value === "symbol") return `[${typeof value}]`;
    if (typeof value === "number" && !Number.isFinite(value)) return String(value);
    if (typeof value !== "object" || value === null) return value;
    return tameObject(value, walk);
  } catch {
    return "[unreadable]";
  }
}

function cut(text: string, { redactText }: Walk): string {
  const redacted = redactText(text.slice(0, MAX_SEARCHED_LENGTH));
  if (redacted.length <= MAX_TEXT_LENGTH) return redacted;
  const kept = redacted.slice(0, MAX_TEXT_LENGTH).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept}… [${text.length - kept.length} more]`;
}

function tameObject(value: object, walk: Walk): unknown {
  if (walk.above.has(value)) return "[circular]";
  if (walk.above.size >= MAX_DEPTH || ++walk.nodes > MAX_NODES) return "[cut]";
  walk.above.add(value);
  try {
    if (value instanceof Error) return tameEntries(Object.entries(describeError(value)), walk);
    if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((item: unknown) => tame(item, walk));
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (value instanceof Map) return tameEntries([...value].slice(0, MAX_ENTRIES), walk);
    if (value instanceof Set) return [...value].slice(0, MAX_ENTRIES).map((item) => tame(item, walk));
    if ("toJSON" in value && typeof value.toJSON === "function") {
      const json: unknown = value.toJSON();
      if (json !== value) return tame(json, walk);
    }
    return tameProperties(value, walk);
  } finally {
    walk.above.delete(value);
  }
}

function tameProperties(value: object, walk: Walk): unknown {
  const keys = Object.keys(value);
  const entries = keys.slice(0, MAX_ENTRIES).map((key): [string, unknown] => [key, read(value, key)]);
  if (keys.length > MAX_ENTRIES) entries.push(["…", `${keys.length - MAX_ENTRIES} more`]);
  return tameEntries(entries, walk);
}

function read(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return "[unreadable]";
  }
}

function tameEntries(entries: readonly (readonly [unknown, unknown])[], walk: Walk): unknown {
  const tamed = entries
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => [
      typeof key === "string" ? key.slice(0, MAX_TEXT_LENGTH) : String(tame(key, walk)),
      tame(item, walk),
    ]);
  return Object.fromEntries(tamed) as unknown;
}
