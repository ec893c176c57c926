// Starts the server behind `waybill gateway -- command` before anything else is loaded: it needs longer than we do.

import type { EarlyServer } from "../gateway/listen/stdio.ts";

interface NamedCommand {
  readonly name: string;
  readonly words: readonly string[];
}

/** Options that a server can be started under; any other line is left to the parser of all options. */
const valued = ["--config", "--budget", "--profile", "--dialect", "--store", "--name"];
const bare = ["--summary", "--no-color", "--wrapped"];

/** The command behind `--`, where the line is one that starts a server on stdio. */
export function commandIn(args: readonly string[]): NamedCommand | undefined {
  const end = args.indexOf("--");
  if (args[0] !== "gateway" || end === -1 || end === args.length - 1) return undefined;
  let name = "server";
  for (let at = 1; at < end; at++) {
    const [option = "", value] = (args[at] ?? "").split("=", 2);
    if (bare.includes(option) && value === undefined) continue;
    if (!valued.includes(option)) return undefined;
    const given = value ?? args[(at += 1)];
    if (given === undefined || at >= end) return undefined;
    if (option === "--name") name = given;
  }
  return { name, words: args.slice(end + 1) };
}

let early: EarlyServer | undefined;

export async function startEarly(args: readonly string[]): Promise<void> {
  const found = commandIn(args);
  if (found === undefined) return;
  const [command = "", ...commandArgs] = found.words;
  const { childUpstream } = await import("../gateway/upstream/child-upstream.ts");
  const { connectOnStdio } = await import("../gateway/listen/stdio.ts");
  early = connectOnStdio(childUpstream(found.name, { command, args: commandArgs, inheritEnv: true }));
}

/** The server that was started early, for whoever goes on with it. */
export function takeEarlyServer(): EarlyServer | undefined {
  const taken = early;
  early = undefined;
  return taken;
}

/** A line that turned out to be wrong leaves no process behind. */
export async function dropEarlyServer(): Promise<void> {
  await takeEarlyServer()?.upstream.close();
}
