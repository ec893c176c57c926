// Log events as JSON lines that pino's tools read, on stderr: stdout belongs to the protocol. Nothing given to a log
// makes it throw, and secrets are masked in whatever goes out.
import { edgeRuntime } from "../runtime/edge-runtime.ts";
import { createRedactor } from "../../core/text/redact-secrets.ts";
import type { Redactor } from "../../core/text/redact-secrets.ts";
import { toLoggable } from "./loggable.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What pino offers, and any logger with the same methods. */
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
  /** The least level that is written; "warn" by default, and with a `logger` whatever that lets through. */
  readonly level?: LogLevel | undefined;
  /** Takes the events instead of stderr. The console is not taken: half of it writes to stdout. */
  readonly logger?: Logger | undefined;
  /** `false` masks nothing. */
  readonly redactor?: Redactor | false | undefined;
  /** Where a line goes, its line end included. */
  readonly sink?: ((line: string) => void) | undefined;
}

const reserved = new Set(["level", "time", "pid", "name", "msg"]);

export function createLog(options: LogOptions = {}): Log {
  const logger = options.logger === (console as unknown) ? undefined : options.logger;
  const { level = logger === undefined ? "warn" : "debug", sink = writeToStderr } = options;
  const clean = cleaner(options.redactor);
  const emit = (spoken: SpokenLevel, event: string, fields: Fields): void => {
    if (logLevels[spoken] < (logLevels[level] ?? logLevels.warn)) return;
    try {
      const safe = clean(fields);
      if (logger === undefined) sink(toLine(spoken, event, safe));
      else logger[spoken]?.(safe, event);
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

/** Properties one by one, since a getter may throw; a field never replaces what the line says of itself. */
function* entriesOf(fields: Fields): Generator<[string, unknown]> {
  for (const key of Object.keys(fields)) {
    let value: unknown = "[unreadable]";
    try {
      value = fields[key];
    } catch {
      // The rest of the event is still worth its line.
    }
    yield [reserved.has(key) ? `field_${key}` : key, key === "err" ? toError(value) : value];
  }
}

/** Callers without types may pass anything. */
function renamed(fields: unknown): Fields {
  const isRecord = typeof fields === "object" && fields !== null && !ArrayBuffer.isView(fields);
  return isRecord ? Object.fromEntries(entriesOf(fields as Fields)) : { fields };
}

/** Anything can be thrown; what is not an error is logged like one. */
function toError(value: unknown): unknown {
  if (typeof value === "object" && value !== null) return value;
  return { type: typeof value, message: String(value) };
}

function toLine(spoken: SpokenLevel, event: string, safe: object): string {
  const head = { level: logLevels[spoken], time: Date.now(), pid: globalThis.process?.pid, name: "waybill" };
  return `${JSON.stringify({ ...head, msg: event, ...safe })}\n`;
}

function writeToStderr(line: string): void {
  const { stderr } = (globalThis.process ?? {}) as Partial<NodeJS.Process>;
  if (stderr !== undefined && edgeRuntime() === undefined) stderr.write(line);
  // Edge runtimes have a console and no streams; the console adds the end of the line.
  // eslint-disable-next-line no-console
  else console.error(line.trimEnd());
}
