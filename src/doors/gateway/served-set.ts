import { refuseOptions } from "../../core/options/check-options.ts";
import type { Settings } from "../../engine/settings/settings.ts";
import { storeLimitsOf } from "../../engine/settings/store-limits.ts";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import type { ContractState } from "../../engine/call/contract-state.ts";
import type { ArchiveStore } from "../../engine/archive/archive-store.ts";
import { STORE_OFF, openStore, storeProblem } from "../../engine/archive/open-store.ts";
import { type SharedRedis, isShared } from "../../engine/archive/redis/shared-redis.ts";
import { type Log, createLog } from "../../engine/observe/log-event.ts";
import { type TokenCounter, loadCounter } from "../../core/tokens/token-counter.ts";
import type { GatewayOptions, GatewaySummary, UpstreamOptions } from "./gateway-options.ts";
import type { NoteRefusal } from "./listen/http-listener.ts";
import type { AccessLog, CountedTokens } from "./access-log/access-log.ts";
import { CallTally } from "./call-tally.ts";
import { Ledger } from "./ledger/ledger.ts";
import type { LedgerRow } from "./ledger/ledger-file.ts";
import { archiveFolder, ledgerFile } from "./state-folder.ts";
import { contractFor } from "./upstream-contract.ts";
import { sessionsForgotten } from "./session-archives.ts";

/** One upstream with its contract, which outlives its connections. */
export interface ServedSource {
  readonly name: string;
  readonly options: UpstreamOptions;
  readonly state: ContractState;
}

function settingsOf({ config }: GatewayOptions): Pick<Settings, "store"> {
  if (config === undefined) return {};
  if ("current" in config) return config.current.settings;
  return "settings" in config ? config.settings : config;
}

/** Where cut results are kept. Default: a folder of the user, or memory if no folder can be written. */
export function defaultStore(folder: string | undefined = archiveFolder()): string {
  return folder !== undefined && storeProblem(folder) === undefined ? folder : "memory";
}

/** The contracts of all upstreams of a gateway, with the store and the counts that they share. */
export class ServedSet {
  readonly #options: GatewayOptions;
  readonly #tally = new CallTally();
  readonly #served = new Set<ServedSource>();
  readonly #changeListeners = new Set<() => void>();
  /** For events that concern no single upstream. */
  readonly log: Log;
  #store: ContractOptions["store"];
  #opened: ArchiveStore | undefined;
  #accessLog: AccessLog | undefined;
  /** What the access log counted until it was closed. */
  #counted: CountedTokens | undefined;
  #tellCalls: ((name: string, state: ContractState) => void) | undefined;
  readonly #ledger: Ledger | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.log = createLog({ logger: options.logger, level: options.logLevel, form: options.logForm });
    this.#store = options.store ?? settingsOf(options).store?.place ?? defaultStore();
    const file = options.http === undefined && options.ledger === "on" ? ledgerFile() : undefined;
    this.#ledger = file === undefined ? undefined : new Ledger(file, this.log);
  }

  /** Opens the access log, before the first upstream is added; its code is loaded only if there is one. */
  async openAccessLog(): Promise<AccessLog | undefined> {
    const { accessLog: target, http } = this.#options;
    if (target === undefined) return undefined;
    const { openAccessLog } = await import("./access-log/access-log.ts");
    const stream = http === undefined ? process.stderr : process.stdout;
    this.#accessLog = await openAccessLog({ target, stream, log: this.log });
    return this.#accessLog;
  }

  /** Tells each call, for `--log-level debug`, before the first upstream is added; its code is loaded only then. */
  async openDebugLines(): Promise<void> {
    if (this.#options.logLevel !== "debug") return;
    this.#tellCalls = (await import("./access-log/debug-lines.ts")).tellCalls;
  }

  /** Opens the store that contracts share: each contract would otherwise open its own. */
  async openStore(): Promise<void> {
    if (typeof this.#store !== "string" || this.#store === STORE_OFF || this.#opened !== undefined) return;
    const problem = storeProblem(this.#store);
    if (problem !== undefined)
      refuseOptions("createGateway", [{ path: ["store"], part: "value", message: `"store" ${problem}` }]);
    this.#opened = await openStore(this.#store, storeLimitsOf(settingsOf(this.#options)));
    this.#store = this.#opened;
  }

  /** The connection of a Redis store, for what replicas share besides archives. */
  async redis(): Promise<SharedRedis | undefined> {
    await this.openStore();
    const store = this.#store;
    return typeof store === "object" && isShared(store) ? store : undefined;
  }

  /** Makes the contract of one upstream; throws if its settings are wrong. */
  add(name: string, options: UpstreamOptions): ServedSource {
    const store = this.#store === undefined ? {} : { store: this.#store };
    const state = contractFor(name, options, { ...this.#options, ...store });
    state.events.onAnswer({ answered: ({ tool }, answered) => this.#tally.note(tool, answered) });
    this.#accessLog?.follow(name, state);
    this.#tellCalls?.(name, state);
    this.#ledger?.follow(name, state);
    const served = { name, options, state };
    this.#served.add(served);
    this.#tellChange();
    return served;
  }

  /** The ledger with what was counted here; undefined if calls are not counted there. */
  get ledger(): (() => Promise<readonly LedgerRow[]>) | undefined {
    const ledger = this.#ledger;
    return ledger && (() => ledger.read());
  }

  /** At the end: a client may not wait for the rest. */
  async writeLedger(): Promise<void> {
    await this.#ledger?.write();
  }

  /** For the access log; undefined without one. */
  get noteRefusal(): NoteRefusal | undefined {
    const log = this.#accessLog;
    return log && ((refusal, known) => log.refused(refusal, known));
  }

  all(): readonly ServedSource[] {
    return [...this.#served];
  }

  /** Calls `listener` when an upstream was added or removed. Returns a function that stops this. */
  onChange(listener: () => void): () => void {
    this.#changeListeners.add(listener);
    return () => void this.#changeListeners.delete(listener);
  }

  async remove(served: ServedSource): Promise<void> {
    this.#served.delete(served);
    this.#tellChange();
    await sessionsForgotten(served.state);
    await served.state.archive.close();
  }

  async summary(): Promise<GatewaySummary> {
    return this.#summarise(await loadCounter());
  }

  /** The tokens of the summary; undefined if there is no counter, which the first request loads. */
  async tokens(): Promise<Pick<GatewaySummary, "tokensIn" | "tokensOut"> | undefined> {
    try {
      return await this.summary();
    } catch (error) {
      this.log.warn("token-counter-missing", { err: error });
      return undefined;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#served].map((one) => this.remove(one)));
    await this.#opened?.close();
    this.#opened = undefined;
    await this.#accessLog?.close();
    this.#counted = this.#accessLog?.counted() ?? this.#counted;
    this.#accessLog = undefined;
    await this.#ledger?.close();
  }

  /** The tally counts samples. An access log counts each call, and then the same figure is told everywhere. */
  #summarise(counter: TokenCounter): GatewaySummary {
    return { ...this.#tally.summary(counter), ...(this.#accessLog?.counted() ?? this.#counted) };
  }

  #tellChange(): void {
    for (const listener of this.#changeListeners) listener();
  }
}
