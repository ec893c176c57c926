import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { loadConfig } from "../../engine/settings/load-config.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import { isJsonObject } from "../../core/json/json-value.ts";
import {
  ArchiveError,
  type ArchiveErrorCode,
  type ArchiveStore,
} from "../../engine/archive/archive-store.ts";
import { type OpenStoreOptions, openStore } from "../../engine/archive/open-store.ts";
import { storeLimitsOf } from "../../engine/settings/store-limits.ts";
import { archiveFolder } from "../../doors/gateway/state-folder.ts";
import { type CliIo, CliError, exitCodes, machineOf } from "../cli-io.ts";
import { printable } from "../output/format-values.ts";
import type { CommandReport } from "../report.ts";

const away: readonly ArchiveErrorCode[] = ["UNREACHABLE", "TIMEOUT"];

/** Turns errors of a store or the retrieval engine into command-line errors; other errors are returned unchanged. */
function explainStoreError(error: unknown): unknown {
  if (ArchiveError.isInstance(error)) return fromStore(error);
  if (ToolFault.isInstance(error)) {
    return ArchiveError.isInstance(error.cause) ? fromStore(error.cause) : fromFault(error);
  }
  if (ContractError.isInstance(error) && error.code === "INVALID_OPTION") return new CliError(error.message);
  return error;
}

function fromStore(error: ArchiveError): CliError {
  const isAway = away.includes(error.code);
  if (error.code === "CORRUPT") {
    return new CliError(`The stored copy is damaged and was not served. ${printable(error.message)}`, {
      exitCode: exitCodes.violated,
      errorCode: "OPERATION_FAILED",
      remediation: "Call the tool that made the result again: storing the same content repairs the entry.",
      details: { reason: "corrupt" },
    });
  }
  return new CliError(printable(error.message), {
    exitCode: isAway ? exitCodes.unreachable : exitCodes.violated,
    errorCode: isAway ? "UNAVAILABLE" : "OPERATION_FAILED",
    remediation: "`waybill doctor` tells what is wrong with the store.",
    details: { reason: error.code.toLowerCase() },
  });
}

function fromFault(fault: ToolFault): CliError {
  const isUsage = fault.type === "validation";
  const candidates = isJsonObject(fault.details) ? fault.details["candidates"] : undefined;
  return new CliError(printable(fault.message), {
    exitCode: isUsage ? exitCodes.usage : exitCodes.violated,
    errorCode: fault.code,
    remediation: fault.remediation,
    details: fault.details,
    lines: Array.isArray(candidates) ? candidates.map(String) : [],
  });
}

export interface StoreOptions {
  readonly store?: string | undefined;
  readonly config?: string | undefined;
  readonly ttlDays?: number | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

const howToName =
  "Name one with --store <directory, redis://… or postgres://…>, or set `store` in a file that --config or WAYBILL_CONFIG names.";

/** A chosen store, and where the choice came from. */
interface ChosenStore {
  readonly spec: string;
  /** No store was named, so it is the folder where the gateway keeps what it cuts. */
  readonly isGateways: boolean;
  /** Why the choice in a file does not count. */
  readonly ignored?: string | undefined;
  /** How long and how much it keeps, as its server was told. */
  readonly limits: OpenStoreOptions;
}

/** The store from the command line, else from the configuration, else the gateway's own. */
async function chooseStore(options: StoreOptions, io: CliIo): Promise<ChosenStore> {
  const { settings, notices } = await loadConfig({
    configPath: options.config,
    namedBy: "--config",
    cwd: io.cwd,
    home: io.env["HOME"],
    environment: io.env,
    // An address may say more than the place.
    commandLine: options.store === undefined ? {} : { store: { place: options.store } },
  });
  const limits = storeLimitsOf(settings);
  const named = settings.store?.place;
  if (named !== undefined) return { spec: refuseMemory(named), isGateways: false, limits };
  const ignored = notices.find((notice) => notice.includes('"store" is ignored'));
  const folder = archiveFolder(machineOf(io));
  if (folder !== undefined) return { spec: folder, isGateways: true, ignored, limits };
  const remediation = ignored === undefined ? howToName : `${howToName} ${ignored}`;
  throw new CliError("No store is named.", { errorCode: "MISSING_REQUIRED", remediation });
}

/** Opens the store; a relative path starts at the working directory. */
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

function ttlOf({ ttlDays }: StoreOptions): { readonly ttlMs?: number } {
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

/** A folder on the command line must exist; a configured one may be missing until its server cuts a first result. */
function refuseAbsent({ kind, location }: ArchiveStore): void {
  if (kind !== "file" || existsSync(location)) return;
  throw new CliError(`There is no folder ${printable(location)}.`, {
    errorCode: "NOT_FOUND",
    remediation: "Check --store: a server makes the folder when it cuts its first result.",
  });
}

/** Printed if no store was named, so that the user knows which folder was read. */
function gatewaysFolder({ location }: ArchiveStore, ignored: string | undefined): string[] {
  const looked = `waybill: looked in ${location}, where the gateway keeps what it cuts`;
  return ignored === undefined ? [looked] : [looked, `waybill: ${ignored}`];
}

/** Opens the chosen store for one report and always closes it; its errors are explained in our words. */
export async function withStore(
  options: StoreOptions,
  io: CliIo,
  use: (store: ArchiveStore) => Promise<CommandReport>,
  given: Pick<OpenStoreOptions, "maxBytes"> = {},
): Promise<CommandReport> {
  const { spec, isGateways, ignored, limits } = await chooseStore(options, io);
  try {
    const store = await openNamedStore(spec, io, {
      ...limits,
      ...ttlOf(options),
      ...given,
    });
    try {
      if (options.store !== undefined) refuseAbsent(store);
      const report = await use(store);
      if (!isGateways) return report;
      return { ...report, remarks: [...gatewaysFolder(store, ignored), ...(report.remarks ?? [])] };
    } finally {
      await store.close();
    }
  } catch (error) {
    throw explainStoreError(error);
  }
}
