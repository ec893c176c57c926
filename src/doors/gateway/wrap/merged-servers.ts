// The servers behind a merged entry: the entry names a configuration of the gateway's own, and that names them.

import { readFile } from "node:fs/promises";
import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import type { ServerEntry } from "./config-text.ts";
import { wrappedTarget } from "./gateway-command.ts";

/** Where a merged entry has its servers; undefined for any other entry. */
export function serversFileOf(entry: ServerEntry): string | undefined {
  const target = wrappedTarget(entry);
  return target?.kind === "merged" ? target.config : undefined;
}

/** The servers in such a file, by name; undefined if it cannot be read. */
export async function readUpstreams(file: string): Promise<JsonObject | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    const upstreams = isJsonObject(value) ? value["upstreams"] : undefined;
    return isJsonObject(upstreams) ? upstreams : undefined;
  } catch {
    return undefined;
  }
}

/** The names of the servers that an entry stands for; undefined if it stands for its own alone, or they are not known. */
export async function serversBehind(entry: ServerEntry): Promise<readonly string[] | undefined> {
  const file = serversFileOf(entry);
  const upstreams = file === undefined ? undefined : await readUpstreams(file);
  return upstreams && Object.keys(upstreams);
}
