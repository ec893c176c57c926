import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** What the folder depends on, so that a test can simulate a machine. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Undefined for a user without a home, as in some containers. */
  readonly home: string | undefined;
}

function homeOf(): string | undefined {
  try {
    const home = homedir();
    return isAbsolute(home) && home !== "/" ? home : undefined;
  } catch {
    return undefined;
  }
}

export function thisMachine(): Machine {
  return { platform: process.platform, env: process.env, home: homeOf() };
}

/** Where programs of this user keep persistent state; undefined if no place is known. */
function stateHome({ platform, env, home }: Machine): string | undefined {
  const named = env["XDG_STATE_HOME"];
  // The XDG specification ignores a relative path.
  if (named !== undefined && isAbsolute(named)) return named;
  if (platform === "win32") {
    const local = env["LOCALAPPDATA"];
    return local !== undefined && local !== "" ? local : home && join(home, "AppData", "Local");
  }
  if (platform === "darwin") return home && join(home, "Library", "Application Support");
  return home && join(home, ".local", "state");
}

/**
 * The folder that keeps what the gateways of this user cut: `$XDG_STATE_HOME/waybill/archive`, or the platform's own
 * place for it. The store creates it with access for its owner only. Undefined for a user without a home.
 */
export function archiveFolder(machine: Machine = thisMachine()): string | undefined {
  const state = stateHome(machine);
  return state && join(state, "waybill", "archive");
}

/** The folder for `waybill unwrap`: `$XDG_STATE_HOME/waybill/wrapped`, or the platform's own place for it. */
export function wrapFolder(machine: Machine = thisMachine()): string | undefined {
  const state = stateHome(machine);
  return state && join(state, "waybill", "wrapped");
}

/** The folder of the logins at servers that sign in with OAuth: `$XDG_STATE_HOME/waybill/logins`, or the platform's own. */
export function loginFolder(machine: Machine = thisMachine()): string | undefined {
  const state = stateHome(machine);
  return state && join(state, "waybill", "logins");
}

/** What the stdio gateways of this user counted: `$XDG_STATE_HOME/waybill/ledger/ledger.json`, or the platform's own. */
export function ledgerFile(machine: Machine = thisMachine()): string | undefined {
  const state = stateHome(machine);
  return state && join(state, "waybill", "ledger", "ledger.json");
}

/** The link to the dashboard on a port, for a gateway whose log must not have it. */
export function dashboardLinkFile(port: string, machine: Machine = thisMachine()): string | undefined {
  const state = stateHome(machine);
  return state && join(state, "waybill", "dashboard", `${port}.link`);
}

/** The folder of what merged servers last listed: `$XDG_STATE_HOME/waybill/lists`, or the platform's own place for it. */
export function mergeFolder(machine: Machine = thisMachine()): string | undefined {
  const state = stateHome(machine);
  return state && join(state, "waybill", "lists");
}
