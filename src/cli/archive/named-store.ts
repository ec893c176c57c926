import { resolve } from "node:path";
import { loadConfig } from "../../config/load-config.ts";
import { ContractError } from "../../contract/contract-error.ts";
import type { ArchiveStore } from "../../stores/archive-store.ts";
import { openStore, type OpenStoreOptions } from "../../stores/open-store.ts";
import { CliError } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";

export interface StoreOptions {
  readonly store?: string | undefined;
  readonly config?: string | undefined;
  readonly ttlDays?: number | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

const howToName =
  "Name one with --store <directory or redis://…>, or set `store` in waybill.config.json to what the server uses.";

/** The store that the line names, else the configuration. */
export async function nameStore(options: StoreOptions, io: CliIo): Promise<string> {
  if (options.store !== undefined) return refuseMemory(options.store);
  const { settings } = await loadConfig({
    configPath: options.config,
    cwd: io.cwd,
    home: io.env["HOME"],
    environment: io.env,
  });
  if (settings.store !== undefined) return refuseMemory(settings.store);
  throw new CliError("No store is named.", { errorCode: "MISSING_REQUIRED", remediation: howToName });
}

/** Opens it; a path that is not absolute starts where the person stands, as it does for a server started there. */
export async function openNamedStore(
  spec: string,
  io: CliIo,
  options: OpenStoreOptions = {},
): Promise<ArchiveStore> {
  try {
    return await openStore(fromHere(spec, io.cwd), options);
  } catch (error) {
    if (!ContractError.isInstance(error)) throw error;
    throw new CliError(error.message, { remediation: howToName });
  }
}

export function ttlOf({ ttlDays }: StoreOptions): { readonly ttlMs?: number } {
  return ttlDays === undefined ? {} : { ttlMs: Math.round(ttlDays * DAY_MS) };
}

export function isMemory(spec: string): boolean {
  return /^memory:?$/.test(spec.trim());
}

function refuseMemory(spec: string): string {
  if (!isMemory(spec)) return spec;
  throw new CliError("A store in memory lives inside its server: nothing of it can be read from outside.", {
    remediation: howToName,
  });
}

function fromHere(spec: string, cwd: string): string {
  const text = spec.trim();
  const path = /^file:(?!\/\/)/i.test(text) ? text.slice("file:".length) : text;
  const isPath = path !== "" && !/^[a-z][a-z0-9+.-]+:/i.test(path) && !path.includes("\0");
  return isPath ? resolve(cwd, path) : text;
}
