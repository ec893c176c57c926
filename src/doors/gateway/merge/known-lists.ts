// What servers last listed, kept on disk or in a Redis: the names of a merged endpoint must not depend on which server is up.

import { createHash, randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type JsonObject, type JsonValue, isJsonObject, jsonIn } from "../../../core/json/json-value.ts";
import { makeFolders } from "../../../engine/runtime/make-folders.ts";
import { toolChoiceOf } from "../../../engine/session/tool-names.ts";
import type { UpstreamOptions } from "../gateway-options.ts";
import { localTenant } from "../upstream-contract.ts";

export type ListedKind = "tools" | "prompts";

/** What is remembered of one server. */
export interface KnownServer {
  readonly tools: readonly string[];
  readonly prompts: readonly string[];
  /** What it said it can do when it was last greeted. */
  readonly capabilities: JsonObject;
}

/** Of a server with more names than this, the rest is not remembered. */
const MAX_NAMES = 10_000;
const MAX_NAME_CHARS = 256;
const MAX_FILE_BYTES = 4 * 1024 * 1024;

const nothing: KnownServer = { tools: [], prompts: [], capabilities: {} };

function namesIn(value: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(value)) return [];
  const names = (value as readonly JsonValue[]).filter(
    (name): name is string => typeof name === "string" && name.length <= MAX_NAME_CHARS,
  );
  return names.slice(0, MAX_NAMES);
}

/** A file that is missing or damaged says nothing: the next list is written over it. */
function readKnown(path: string): KnownServer {
  try {
    const bytes = readFileSync(path);
    const json = bytes.length > MAX_FILE_BYTES ? undefined : jsonIn(bytes.toString());
    if (!isJsonObject(json)) return nothing;
    const capabilities = isJsonObject(json["capabilities"]) ? json["capabilities"] : {};
    return { tools: namesIn(json["tools"]), prompts: namesIn(json["prompts"]), capabilities };
  } catch {
    return nothing;
  }
}

/** One for each server and each choice of its tools: the same server may be merged in several ways. */
function idOf(options: UpstreamOptions): string {
  const choice = JSON.stringify(toolChoiceOf(options));
  const hash = createHash("sha256").update(localTenant(options)).update(choice).digest("hex");
  return hash.slice(0, 32);
}

/** Tells other replicas the last names of a server, and gives all that any of them knows. */
export type SharedNames = (
  server: string,
  kind: ListedKind,
  names: readonly string[],
) => Promise<readonly string[]>;

export interface KnownListsOptions {
  readonly shared?: SharedNames | undefined;
  /** Where they are kept; undefined: only in memory. */
  readonly folder: string | undefined;
  /** Told once, if they cannot be kept. */
  readonly failed: (error: unknown) => void;
}

/** The last lists of one server. */
export class KnownLists {
  readonly #options: KnownListsOptions;
  readonly #id: string;
  readonly #file: string | undefined;
  readonly #listeners = new Set<(kind: ListedKind) => void>();
  #known: KnownServer;
  /** What the next start is to know: the last lists alone. */
  #kept: KnownServer;
  #writing: Promise<void> | undefined;
  #isStale = false;
  #hasFailed = false;

  constructor(upstream: UpstreamOptions, options: KnownListsOptions) {
    this.#options = options;
    this.#id = idOf(upstream);
    this.#file = options.folder === undefined ? undefined : join(options.folder, `${this.#id}.json`);
    this.#known = this.#file === undefined ? nothing : readKnown(this.#file);
    this.#kept = this.#known;
  }

  get current(): KnownServer {
    return this.#known;
  }

  /** Called after a list has changed. Returns a function that stops this. */
  onChange(listener: (kind: ListedKind) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Takes a whole list. Until the next start no name is forgotten: callers may see different lists, and the list of one
   * must not change the names of another.
   */
  listed(kind: ListedKind, names: readonly string[]): void {
    const last = namesIn(names);
    if (!isDeepStrictEqual(this.#kept[kind], last)) this.#keep({ ...this.#kept, [kind]: last });
    this.seen(kind, last);
  }

  /** Takes names that are not to be known after the next start. */
  seen(kind: ListedKind, last: readonly string[]): void {
    const known = new Set(this.#known[kind]);
    const fresh = last.filter((name) => !known.has(name)).slice(0, MAX_NAMES - known.size);
    if (fresh.length === 0) return;
    this.#known = { ...this.#known, [kind]: [...known, ...fresh] };
    for (const listener of this.#listeners) listener(kind);
  }

  /** Learns the names that other replicas know, and tells them ours. */
  async share(kind: ListedKind): Promise<void> {
    const { shared } = this.#options;
    if (shared !== undefined) this.seen(kind, namesIn([...(await shared(this.#id, kind, this.#kept[kind]))]));
  }

  greeted(capabilities: JsonObject): void {
    this.#known = { ...this.#known, capabilities };
    if (!isDeepStrictEqual(this.#kept.capabilities, capabilities))
      this.#keep({ ...this.#kept, capabilities });
  }

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  #keep(known: KnownServer): void {
    this.#kept = known;
    this.#isStale = true;
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
  }

  async #write(): Promise<void> {
    const { folder } = this.#options;
    if (folder === undefined || this.#file === undefined) return;
    while (this.#isStale) {
      this.#isStale = false;
      const draft = `${this.#file}.${randomUUID()}`;
      try {
        await makeFolders(folder, 0o700);
        await writeFile(draft, JSON.stringify(this.#kept), { mode: 0o600 });
        await rename(draft, this.#file);
      } catch (error) {
        await rm(draft, { force: true }).catch(() => undefined);
        if (!this.#hasFailed) this.#options.failed(error);
        this.#hasFailed = true;
      }
    }
  }
}
