import { ContractError } from "../../core/contract/contract-error.ts";
import { neededBuiltIn } from "../runtime/built-in.ts";
import { edgeRuntime } from "../runtime/edge-runtime.ts";
import type { ArchiveStore } from "./archive-store.ts";
import type { Durability } from "./file/file-store-options.ts";
import { type RemoteKind, checkRemoteAddress, remoteKindOf, remoteKinds } from "./remote-address.ts";
import { packageProblem } from "./store-package.ts";

/** The word for a store that keeps nothing. */
export const STORE_OFF = "off";

/** The meaning of a word, a path or a URL. */
interface StoreSpec {
  readonly kind: "memory" | "file" | RemoteKind;
  readonly place: string;
}

const forms =
  'give "memory", a directory, "file:<directory>", or redis://, rediss://, valkey:// or postgres:// with a host';

/** Parses the text that names a store; throws for any other text. */
function parseStoreSpec(spec: string): StoreSpec {
  const text = typeof spec === "string" ? spec.trim() : "";
  if (text === STORE_OFF) throw refusal(text);
  if (text === "memory" || text === "memory:") return { kind: "memory", place: "" };
  const remote = remoteKindOf(text);
  if (remote !== undefined) return { kind: remote, place: text };
  const directory = directoryOf(text);
  if (directory === undefined) throw refusal(text);
  return { kind: "file", place: directory };
}

function isRemote(kind: StoreSpec["kind"]): kind is RemoteKind {
  return (remoteKinds as readonly string[]).includes(kind);
}

/** Checks the text alone; throws if it cannot name a store. */
export function checkStoreSpec(spec: string): void {
  const { kind, place } = parseStoreSpec(spec);
  if (isRemote(kind)) checkRemoteAddress(kind, place);
}

/** The same store for a program that is started elsewhere: a relative path counts from `folder`. */
export function storeSeenFrom(folder: string, spec: string): string {
  if (spec.trim() === STORE_OFF) return STORE_OFF;
  const { kind, place } = parseStoreSpec(spec);
  return kind === "file" ? neededBuiltIn("node:path").resolve(folder, place) : spec.trim();
}

/** Whether a path is a folder; undefined if nothing is there. */
function isFolder(path: string): boolean | undefined {
  try {
    return neededBuiltIn("node:fs").statSync(path).isDirectory();
  } catch {
    return undefined;
  }
}

function isWritable(path: string): boolean {
  const { accessSync, constants, mkdtempSync, rmdirSync } = neededBuiltIn("node:fs");
  const paths = neededBuiltIn("node:path");
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    // Root may do everything, and yet nothing can be made in /proc: only an attempt shows it.
    if (process.getuid?.() === 0) rmdirSync(mkdtempSync(paths.join(path, ".waybill-")));
    return true;
  } catch {
    return false;
  }
}

/**
 * Why a store cannot be used here, as the end of a sentence: its folder cannot be written, or the package for Redis or
 * PostgreSQL is not installed. Undefined otherwise; whether a server answers is another question. Throws if the text names no store.
 */
export function storeProblem(spec: string): string | undefined {
  checkStoreSpec(spec);
  const { kind, place } = parseStoreSpec(spec);
  if (isRemote(kind)) return packageProblem(kind);
  return kind === "file" ? folderProblem(place) : undefined;
}

function folderProblem(place: string): string | undefined {
  const runtime = edgeRuntime();
  if (runtime !== undefined)
    return `needs a folder, and ${runtime} has no file system that lasts: leave it out, and memory is used.`;
  const paths = neededBuiltIn("node:path");
  // The first write makes a missing folder, inside the nearest existing one.
  let at = paths.resolve(place);
  while (isFolder(at) === undefined && paths.dirname(at) !== at) at = paths.dirname(at);
  if (isFolder(at) === false)
    return `needs a folder, but ${JSON.stringify(at)} is a file: name another folder.`;
  if (isWritable(at)) return undefined;
  return `cannot be written: this process may not write in ${JSON.stringify(at)}. Allow it, or name another folder.`;
}

/** A path, with or without `file:`; undefined for a text that is not a path. */
function directoryOf(text: string): string | undefined {
  const isUrl = /^file:\/\//i.test(text);
  const path = isUrl ? pathOfUrl(text) : text.replace(/^file:/i, "");
  if (path === undefined || path === "" || path.includes("\0")) return undefined;
  // A word before a colon is an unknown scheme, unless it is a Windows drive.
  return !isUrl && /^[a-z][a-z0-9+.-]+:/i.test(path) ? undefined : path;
}

function pathOfUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.hostname !== "" && url.hostname !== "localhost")) return undefined;
  try {
    return decodeURIComponent(url.pathname);
  } catch {
    return undefined;
  }
}

/** Names only the scheme: the rest may contain a password. */
function refusal(text: string): ContractError {
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0];
  const what =
    text === "" ? "The store is not named" : `The store ${JSON.stringify(scheme ?? text)} is unknown`;
  return new ContractError("INVALID_OPTION", `${what}: ${forms}.`, { option: "store" });
}

export interface OpenStoreOptions {
  /** How long an entry lives. Default: a week. */
  readonly ttlMs?: number;
  /** The most bytes to keep; each kind of store has its own default. */
  readonly maxBytes?: number;
  /** What an entry in a directory survives; other stores do not have this option. */
  readonly durability?: Durability;
}

/** The store for a word, a path or a URL. Only the chosen kind is loaded. */
export async function openStore(spec: string, options: OpenStoreOptions = {}): Promise<ArchiveStore> {
  const { kind, place } = parseStoreSpec(spec);
  const { durability: _only, ...limits } = options;
  if (kind === "memory") return (await import("./memory-store.ts")).memoryStore(limits);
  if (kind === "redis") return (await import("./redis/redis-store.ts")).redisStore(place, limits);
  if (kind === "postgres") return (await import("./postgres/postgres-store.ts")).postgresStore(place, limits);
  return (await import("./file/file-store.ts")).fileStore(place, options);
}
