import { ContractError } from "../contract/contract-error.ts";

/** What a word, a path or a URL means. */
export interface StoreSpec {
  readonly kind: "memory" | "redis" | "file";
  readonly place: string;
}

const forms =
  'give "memory", a directory, "file:<directory>", or redis://, rediss:// or valkey:// with a host';

/** Reads what names a store; refuses what names none. */
export function parseStoreSpec(spec: string): StoreSpec {
  const text = typeof spec === "string" ? spec.trim() : "";
  if (text === "memory" || text === "memory:") return { kind: "memory", place: "" };
  if (/^(redis|valkey)s?:/i.test(text)) return { kind: "redis", place: text };
  const directory = directoryOf(text);
  if (directory === undefined) throw refusal(text);
  return { kind: "file", place: directory };
}

/** The same for whoever only wants to know that it can be read. */
export function checkStoreSpec(spec: string): void {
  parseStoreSpec(spec);
}

/** A path as it is, or behind `file:`; undefined for what is no path. */
function directoryOf(text: string): string | undefined {
  const isUrl = /^file:\/\//i.test(text);
  const path = isUrl ? pathOfUrl(text) : text.replace(/^file:/i, "");
  if (path === undefined || path === "" || path.includes("\0")) return undefined;
  // A word before a colon is a scheme nobody serves, unless it is a Windows drive.
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

/** Says the scheme only: the rest may hold a password. */
function refusal(text: string): ContractError {
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0];
  const what =
    text === "" ? "The store is not named" : `The store ${JSON.stringify(scheme ?? text)} is unknown`;
  return new ContractError("INVALID_OPTION", `${what}: ${forms}.`, { option: "store" });
}
