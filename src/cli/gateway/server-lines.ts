// It loads nothing: a server that is started before anything else writes through it.
import type { LogForm } from "../choices.ts";

/** A line of a gateway's log for programs, as pino's tools read it. */
export function logLine(level: number, event: string, fields: object): string {
  return `${JSON.stringify({ level, time: Date.now(), pid: process.pid, name: "waybill", msg: event, ...fields })}\n`;
}

const INFO = 30;

/** What a server writes to its stderr, as it leaves on the gateway's: with its name in front. */
export function serverLine(form: LogForm, upstream: string, line: string): string {
  return form === "json" ? logLine(INFO, "server-stderr", { upstream, line }) : `[${upstream}] ${line}\n`;
}
