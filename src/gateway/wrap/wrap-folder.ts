import { isAbsolute, join } from "node:path";

/** What the places of files depend on, so that a test can stand in for a machine. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Undefined for a user without a home, as in some containers. */
  readonly home: string | undefined;
}

/** The folder of this user's records: `$XDG_STATE_HOME/waybill/wrapped`, or the platform's own place for it. */
export function wrapFolder({ platform, env, home }: Machine): string | undefined {
  const state = stateHome(platform, env, home);
  return state && join(state, "waybill", "wrapped");
}

function stateHome(
  platform: NodeJS.Platform,
  env: Machine["env"],
  home: string | undefined,
): string | undefined {
  const named = env["XDG_STATE_HOME"];
  // The XDG specification ignores a relative path.
  if (named !== undefined && isAbsolute(named)) return named;
  if (platform === "win32") return env["LOCALAPPDATA"] || (home && join(home, "AppData", "Local"));
  if (platform === "darwin") return home && join(home, "Library", "Application Support");
  return home && join(home, ".local", "state");
}
