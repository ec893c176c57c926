import { ContractError } from "../../core/contract/contract-error.ts";
import type { Log } from "../observe/log-event.ts";
import type { KeepPart } from "../../core/pipeline/pipeline-context.ts";
import type { ArchiveStore } from "../archive/archive-store.ts";
import { exposedPlace, remoteKindOf, remoteKinds } from "../archive/remote-address.ts";
import { type SharedRedis, isShared } from "../archive/redis/shared-redis.ts";
import type { ContractOptions } from "../settings/contract-options.ts";
import type { Namesakes } from "../guards/guard-set.ts";
import { lifetimeIn, storeLimitsOf } from "../settings/store-limits.ts";
import type { ToolContract } from "../settings/tool-contract.ts";
import type { SettingsResolver } from "../settings/settings-resolver.ts";

/** A local store may have much to write. A store behind a network that is silent for long counts as away. */
const LOCAL_TIMEOUT_MS = 60_000;
const REMOTE_TIMEOUT_MS = 5_000;

/** Stores of which the log has said that they are exposed: contracts may share one. */
const toldOf = new WeakSet<ArchiveStore>();

/** The place of an exposed store that the log has not named. */
function untoldPlace(store: ArchiveStore | string | false | undefined): string | undefined {
  if (typeof store === "string") return exposedPlace(store);
  if (typeof store !== "object" || store.isExposed !== true || toldOf.has(store)) return undefined;
  toldOf.add(store);
  return store.location;
}

/** What the settings say of keeping a tool's results. */
type KeptTool = Pick<ToolContract, "archive" | "store">;

/** Whether what any tool leaves out is kept: with `archive: "off"` for all of them there is nothing to give back. */
function keepsAnything(
  { toolSettings = {}, tools = [] }: ContractOptions,
  effective: SettingsResolver,
): boolean {
  const { general, settings } = effective;
  if (general.archive !== "off") return true;
  const own = [
    ...Object.values(settings.tools),
    ...Object.values(toolSettings),
    ...tools.map(({ config }) => config),
  ];
  return own.some(({ archive }) => archive === "cuts");
}

/** The store in which a contract keeps what it cuts. It is opened when something is first kept, read or signed. */
export class ArchiveAccess {
  /** Whether the contract keeps anything at all; of one tool: `keeps`. */
  readonly isOn: boolean;
  readonly #options: ContractOptions;
  readonly #effective: SettingsResolver;
  readonly #namesakes: Namesakes;
  readonly #log: Log;
  readonly #sharesLocal: boolean;
  #isNoted = false;
  #opened: Promise<{ readonly own: ArchiveStore; readonly guarded: ArchiveStore }> | undefined;

  /**
   * `isOffered`: a retrieval tool is listed; without one, nothing is kept. `sharesLocal`: stdio servers of
   * one user may open each other's entries.
   */
  constructor(
    options: ContractOptions,
    effective: SettingsResolver,
    namesakes: Namesakes,
    log: Log,
    { isOffered, sharesLocal }: { readonly isOffered: boolean; readonly sharesLocal: boolean },
  ) {
    this.#sharesLocal = sharesLocal;
    this.isOn = isOffered && effective.store !== false && keepsAnything(options, effective);
    this.#options = options;
    this.#effective = effective;
    this.#namesakes = namesakes;
    this.#log = log;
    const place = this.isOn ? untoldPlace(effective.store) : undefined;
    if (place !== undefined) log.warn("store-unencrypted", { store: place });
  }

  /** True if the store outlives this process, so that a key kept there is useful. */
  get isLasting(): boolean {
    const { store } = this.#effective;
    if (typeof store === "string") return !/^memory:?$/.test(store.trim());
    return typeof store === "object" && store.kind !== "memory";
  }

  /** Whether anything has been kept, read or signed so far. */
  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  async #open() {
    const { store } = this.#effective;
    if (store === false) throw new ContractError("INVALID_OPTION", "The contract has no store.");
    const { guardedStore } = await import("../archive/guarded-store.ts");
    const own = await this.#find(store);
    const isRemote = (remoteKinds as readonly string[]).includes(own.kind);
    const timeoutMs = isRemote ? REMOTE_TIMEOUT_MS : LOCAL_TIMEOUT_MS;
    const onEvent = ({ type, ...event }: { readonly type: string }) => this.#log.warn(type, event);
    return { own, guarded: guardedStore(own, { timeoutMs, onEvent }) };
  }

  async #find(store: ArchiveStore | string | undefined): Promise<ArchiveStore> {
    const limits = storeLimitsOf(this.#effective.settings);
    if (store === undefined) return this.#namesakes.store(limits);
    if (typeof store === "object") return store;
    const { openStore } = await import("../archive/open-store.ts");
    return openStore(store, limits);
  }

  #both() {
    this.#opened ??= this.#open();
    // If the store cannot be opened, the next call tries again: a wrong path may be corrected while the server runs.
    this.#opened.catch(() => (this.#opened = undefined));
    return this.#opened;
  }

  async store(): Promise<ArchiveStore> {
    return (await this.#both()).guarded;
  }

  /** The connection of a Redis store, for other state that replicas share. */
  async redis(): Promise<SharedRedis | undefined> {
    if (!this.isLasting) return undefined;
    const { own } = await this.#both();
    return isShared(own) ? own : undefined;
  }

  /** Whether anything is kept of this tool's results. */
  keeps({ archive }: KeptTool): boolean {
    return this.isOn && archive !== "off";
  }

  keepFor(tenant: string, tool: KeptTool): KeepPart {
    const ttlMs = lifetimeIn(tool.store);
    return async ({ content, contentType }) => {
      const store = await this.store();
      const { entry, usedFallback = false } = await store.put(tenant, content, { contentType, ttlMs });
      await this.#note(tenant);
      return { hash: entry.hash, usedFallback };
    };
  }

  /** Notes once that a tenant is a stdio server, if the door says that such servers of one user share entries. */
  async #note(tenant: string): Promise<void> {
    if (!this.#sharesLocal || this.#isNoted) return;
    const { own } = await this.#both();
    this.#isNoted = own.localTenants === undefined || (await own.localTenants.note(tenant));
  }

  /** Called when a stdio server starts: the user's other servers can open what it kept before. */
  async announce(tenant: string): Promise<void> {
    const { store } = this.#effective;
    // A server is not contacted before something is kept there.
    const isFolder = typeof store === "string" ? remoteKindOf(store) === undefined : store !== undefined;
    if (this.isOn && this.isLasting && isFolder) await this.#note(tenant);
  }

  /** The other tenants whose entries this tenant may open by hash or handle: those of the same user on stdio. */
  async othersOf(tenant: string): Promise<readonly string[]> {
    if (!this.#sharesLocal || !tenant.startsWith("local:")) return [];
    await this.#note(tenant);
    const all = (await (await this.#both()).own.localTenants?.all()) ?? [];
    return all.filter((each) => each !== tenant);
  }

  /** The code that made a store closes it. A store that contracts of one name share lasts as long as the process. */
  #isOwn(): boolean {
    if (this.#effective.store === undefined) return !this.#namesakes.isShared;
    return typeof this.#options.store !== "object";
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    if (opened === undefined || !this.#isOwn()) return;
    await opened.own.close();
  }
}
