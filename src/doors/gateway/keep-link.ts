// Where the link to the dashboard stands if the log must not have it: logs are collected, and read by others.

import { chmodSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFoldersSync } from "../../engine/runtime/make-folders.ts";
import { type Machine, dashboardLinkFile } from "./state-folder.ts";

/** Writes the link into a file that only this user can read; its path, or undefined if there is no place for it. */
export function keepLink(link: string, machine?: Machine): string | undefined {
  const path = dashboardLinkFile(new URL(link).port, machine);
  if (path === undefined) return undefined;
  try {
    makeFoldersSync(dirname(path), 0o700);
    writeFileSync(path, `${link}\n`, { mode: 0o600 });
    // The file of an earlier gateway keeps its mode.
    chmodSync(path, 0o600);
    return path;
  } catch {
    return undefined;
  }
}
