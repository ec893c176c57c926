// This file loads nothing: a server that is started before anything else writes through it.
import type { LogForm } from "../choices.ts";

/** A line of a gateway's log for programs, in the format of pino's tools. */
export function logLine(level: number, event: string, fields: object): string {
  return `${JSON.stringify({ level, time: Date.now(), pid: process.pid, name: "waybill", msg: event, ...fields })}\n`;
}

const INFO = 30;

/** A line of a server's stderr, as written to the gateway's stderr: prefixed with the server's name. */
export function serverLine(form: LogForm, upstream: string, line: string): string {
  return form === "json" ? logLine(INFO, "server-stderr", { upstream, line }) : `[${upstream}] ${line}\n`;
}
