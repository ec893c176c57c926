import { describeError } from "./describe-error.ts";

/** What pino offers, and any logger with the same methods. */
export interface Logger {
  debug?(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface Log {
  debug(event: string, fields?: Readonly<Record<string, unknown>>): void;
  info(event: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(event: string, fields?: Readonly<Record<string, unknown>>): void;
  error(event: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** pino's numbers. */
const levels = { debug: 20, info: 30, warn: 40, error: 50, silent: Number.POSITIVE_INFINITY } as const;
export type LogLevel = keyof typeof levels;

export interface LogOptions {
  readonly level?: LogLevel;
  readonly logger?: Logger;
  readonly redactor?: { json<T>(value: T): { readonly value: T } };
  /** Where a line goes; stderr by default, since stdout belongs to the protocol. */
  readonly sink?: (line: string) => void;
}

const MAX_TEXT = 8_192;

/** A value JSON can carry, whatever it was: cut, without cycles, and with getters that throw named. */
function tame(value: unknown, depth: number, seen: Set<unknown>): unknown {
  if (typeof value === "string") return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "function" || typeof value === "symbol") return String(value).slice(0, 100);
  if (typeof value !== "object" || value === null) return value;
  if (seen.has(value)) return "[circular]";
  if (depth > 6) return "[deeper]";
  seen.add(value);
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => tame(item, depth + 1, seen));
  const tamed: Record<string, unknown> = {};
  for (const key of Object.keys(value).slice(0, 100)) {
    try {
      tamed[key] = tame((value as Record<string, unknown>)[key], depth + 1, seen);
    } catch {
      tamed[key] = "[unreadable]";
    }
  }
  return tamed;
}

function fieldsOf(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { err, ...rest } = fields;
  const tamed = tame(rest, 0, new Set()) as Record<string, unknown>;
  return err === undefined ? tamed : { ...tamed, err: tame(describeError(err), 0, new Set()) };
}

function writeLine(line: string): void {
  process.stderr.write(line);
}

/** Log events as JSON lines that pino's tools read, or through a logger of your own. Never throws. */
export function createLog(options: LogOptions = {}): Log {
  const { level = "warn", logger, redactor, sink = writeLine } = options;
  const emit = (
    name: Exclude<LogLevel, "silent">,
    event: string,
    fields: Readonly<Record<string, unknown>>,
  ): void => {
    if (levels[name] < levels[level]) return;
    try {
      const plain = fieldsOf(fields);
      const safe = redactor === undefined ? plain : redactor.json(plain).value;
      if (logger !== undefined) {
        logger[name]?.(safe, event);
        return;
      }
      const head = { level: levels[name], time: Date.now(), pid: process.pid, name: "waybill" };
      sink(`${JSON.stringify({ ...head, ...safe, msg: event })}\n`);
    } catch {
      // A log that fails must not fail the call it speaks of.
    }
  };
  return {
    debug: (event, fields = {}) => emit("debug", event, fields),
    info: (event, fields = {}) => emit("info", event, fields),
    warn: (event, fields = {}) => emit("warn", event, fields),
    error: (event, fields = {}) => emit("error", event, fields),
  };
}
