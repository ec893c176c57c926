import { homedir } from "node:os";
import type { Machine } from "../doors/gateway/state-folder.ts";
import type { CliIo } from "./cli-io.ts";

/** The machine as the command line sees it: with the environment in `io`, which a test can replace. */
export function machineOf({ env }: Pick<CliIo, "env">): Machine {
  const home = env["HOME"] ?? env["USERPROFILE"] ?? homedir();
  return { platform: process.platform, env, home: home === "" ? undefined : home };
}
