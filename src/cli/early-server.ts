// Starts the server of `waybill gateway -- command` before anything else is loaded: it takes longer to start than we
// do.

import { accessSync, constants, statSync } from "node:fs";
import type { EarlyServer } from "../doors/gateway/listen/stdio.ts";
import { profileNames } from "../core/contract/choices.ts";
import { dialectIds } from "../core/contract/dialect-id.ts";

// This file loads nothing: a server that is started before anything else writes through it.

/** A line of a gateway's log for programs, in the format of pino's tools. */
export function logLine(level: number, event: string, fields: object): string {
  return `${JSON.stringify({ level, time: Date.now(), pid: process.pid, name: "waybill", msg: event, ...fields })}\n`;
}

const INFO = 30;

/** A line of a server's stderr, as written to the gateway's stderr: prefixed with the server's name. */
export function serverLine(form: LogForm, upstream: string, line: string): string {
  return form === "json" ? logLine(INFO, "server-stderr", { upstream, line }) : `[${upstream}] ${line}\n`;
}

/** The gateway's dialects; `auto` chooses for each result. */
export const gatewayDialectChoices = ["auto", ...dialectIds] as const;

/** The formats of a gateway's log. */
export const logForms = ["plain", "json"] as const;
export type LogForm = (typeof logForms)[number];

interface NamedCommand {
  readonly name: string;
  readonly words: readonly string[];
  readonly log: LogForm;
}

function isUsableFolder(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function isOneOf(choices: readonly string[]): (value: string) => boolean {
  return (value) => choices.includes(value);
}

/**
 * Options with which a server can be started early, and which of their values are certainly valid: a line that is
 * refused must not have started anything. Every other line is left to the full parser.
 */
const valued: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ["--budget", (value: string) => value === "off" || /^[1-9]\d{0,8}$/.test(value)],
  ["--profile", isOneOf(profileNames)],
  ["--dialect", isOneOf(gatewayDialectChoices)],
  ["--upstream-dialect", isOneOf(gatewayDialectChoices)],
  ["--store", (value: string) => value === "memory" || value === "off" || isUsableFolder(value)],
  ["--log", isOneOf(logForms)],
  ["--retrieve-name", (value: string) => /^[A-Za-z0-9_-]{1,60}$/.test(value)],
  ["--name", (value: string) => /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(value)],
]);
const bare = ["--select", "--summary", "--no-color", "--wrapped", "--dashboard"];
/** Only valid together with `--dashboard`. */
const ofDashboard = ["--dashboard-actions", "--dashboard-bodies"];

/** The command after `--`, if the line starts a server on stdio. */
export function commandIn(args: readonly string[]): NamedCommand | undefined {
  const end = args.indexOf("--");
  if (args[0] !== "gateway" || end === -1 || end === args.length - 1) return undefined;
  let name = "server";
  let log: LogForm = "plain";
  for (let at = 1; at < end; at++) {
    const word = args[at] ?? "";
    const equals = word.indexOf("=");
    const option = equals === -1 ? word : word.slice(0, equals);
    const value = equals === -1 ? undefined : word.slice(equals + 1);
    if (bare.includes(option) && value === undefined) continue;
    if (ofDashboard.includes(word) && args.slice(0, end).includes("--dashboard")) continue;
    const given = value ?? args[(at += 1)];
    if (given === undefined || at >= end || valued.get(option)?.(given) !== true) return undefined;
    if (option === "--name") name = given;
    if (option === "--log") log = given as LogForm;
  }
  return { name, words: args.slice(end + 1), log };
}

let early: EarlyServer | undefined;

export async function startEarly(args: readonly string[]): Promise<void> {
  const found = commandIn(args);
  if (found === undefined) return;
  const [command = "", ...commandArgs] = found.words;
  const { childUpstream } = await import("../doors/gateway/upstream/child-upstream.ts");
  const { connectOnStdio } = await import("../doors/gateway/listen/stdio.ts");
  const { name, log } = found;
  const note = (line: string): void => void process.stderr.write(serverLine(log, name, line));
  early = connectOnStdio(childUpstream(name, { command, args: commandArgs, inheritEnv: true }, { note }));
}

/** Hands over the server that was started early. */
export function takeEarlyServer(): EarlyServer | undefined {
  const taken = early;
  early = undefined;
  return taken;
}

/** If the line turns out to be wrong, no process is left behind. */
export async function dropEarlyServer(): Promise<void> {
  await takeEarlyServer()?.upstream.close();
}
