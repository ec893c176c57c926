// Starts the server of `waybill gateway -- command` before anything else is loaded: it takes longer to start than we
// do.

import { accessSync, constants, statSync } from "node:fs";
import type { EarlyServer } from "../doors/gateway/bridge/stdio.ts";
import { profileNames } from "../core/contract/choices.ts";
import { spanProblem } from "../core/options/span.ts";
import { RETRIEVE_NAME } from "../core/contract/wire-names.ts";
import { logLevels } from "../engine/observe/log-event.ts";
import { type LogForm, logForms } from "../engine/observe/terminal.ts";
import { type Leaf, leavesIn } from "../engine/settings/table-leaves.ts";

// This file loads little: a server that is started before anything else writes through it.

/** A line of a gateway's log for programs, in the format of pino's tools. */
export function logLine(level: number, event: string, fields: object): string {
  return `${JSON.stringify({ level, time: Date.now(), pid: process.pid, name: "waybill", msg: event, ...fields })}\n`;
}

const INFO = 30;

/** A line of a server's stderr, as written to the gateway's stderr: prefixed with the server's name. */
export function serverLine(form: LogForm, upstream: string, line: string): string {
  return form === "json" ? logLine(INFO, "server-stderr", { upstream, line }) : `[${upstream}] ${line}\n`;
}

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

/**
 * Whether a value of a setting is certainly valid: a line that is refused must not have started anything. A profile may
 * be one of a configuration, and a store may be unusable.
 */
function isCertain({ kind }: Leaf, value: string): boolean {
  if (kind.is === "amount") return value === "off" || /^[1-9]\d{0,8}$/.test(value);
  if (kind.is === "whole") return /^[1-9]\d{0,8}$/.test(value);
  if (kind.is === "span") return spanProblem(value, kind) === undefined;
  if (kind.is === "choice") return kind.of.includes(value);
  if (kind.is === "tool-name") return RETRIEVE_NAME.test(value);
  const known: readonly string[] = kind.is === "profile" ? profileNames : ["memory", "off"];
  return known.includes(value) || (kind.is === "text" && isUsableFolder(value));
}

const settings = leavesIn("gateway");

/** Options with which a server can be started early. Every other line is left to the full parser. */
const valued: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ...settings
    .filter(({ kind }) => kind.is !== "toggle")
    .map((leaf): [string, (value: string) => boolean] => [
      leaf.line ?? "",
      (value) => isCertain(leaf, value),
    ]),
  ["--log", (value: string) => logForms.some((form) => form === value)],
  ["--log-level", (value: string) => Object.hasOwn(logLevels, value)],
  ["--name", (value: string) => /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(value)],
]);
const toggles = settings.flatMap(({ kind, line = "" }) => (kind.is === "toggle" ? [line] : []));
const bare = [...toggles, "--summary", "--no-color", "--wrapped", "--dashboard"];
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
  const [{ childUpstream }, { connectOnStdio }] = await Promise.all([
    import("../doors/gateway/upstream/child-upstream.ts"),
    import("../doors/gateway/bridge/stdio.ts"),
  ]);
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
