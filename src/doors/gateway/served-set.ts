import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import type { ContractState } from "../../engine/call/contract-state.ts";
import type { ArchiveStore } from "../../engine/archive/archive-store.ts";
import { STORE_OFF, checkStoreFolder, openStore } from "../../engine/archive/open-store.ts";
import { type Log, createLog } from "../../engine/observe/log-event.ts";
import { type TokenCounter, loadCounter } from "../../core/tokens/token-counter.ts";
import type { GatewayOptions, GatewaySummary, UpstreamOptions } from "./gateway-options.ts";
import { archiveFolder } from "./state-folder.ts";
import { Tally } from "./summary.ts";
import { contractFor } from "./upstream-contract.ts";

/** One upstream with the contract around it, which outlives its connections. */
export interface Served {
  readonly name: string;
  readonly options: UpstreamOptions;
  readonly state: ContractState;
}

function configuredStore({ config }: GatewayOptions): string | undefined {
  if (config === undefined) return undefined;
  if ("current" in config) return config.current.settings.store;
  return "settings" in config ? config.settings.store : config.store;
}

/** Where cut results go if nobody named a place: a folder of the user, or memory where no folder can be written. */
export function defaultStore(folder: string | undefined = archiveFolder()): string {
  return folder !== undefined && checkStoreFolder(folder) === undefined ? folder : "memory";
}

/** The contracts of all upstreams of a gateway, with the one store and the one count that they have in common. */
export class ServedSet {
  readonly #options: GatewayOptions;
  readonly #tally = new Tally();
  readonly #served = new Set<Served>();
  readonly #changeListeners = new Set<() => void>();
  /** For what concerns no single upstream. */
  readonly log: Log;
  #counter: TokenCounter | undefined;
  #store: ContractOptions["store"];
  #opened: ArchiveStore | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.log = createLog({ logger: options.logger, level: options.logLevel });
    this.#store = options.store ?? configuredStore(options) ?? defaultStore();
  }

  /** Opens the store for contracts that share it: each would otherwise open it for itself. */
  async openStore(): Promise<void> {
    if (typeof this.#store !== "string" || this.#store === STORE_OFF || this.#opened !== undefined) return;
    this.#opened = await openStore(this.#store);
    this.#store = this.#opened;
  }

  /** Makes the contract around one upstream; throws where its settings are wrong. */
  add(name: string, options: UpstreamOptions): Served {
    const store = this.#store === undefined ? {} : { store: this.#store };
    const state = contractFor(name, options, { ...this.#options, ...store });
    state.events.onAnswer({ answered: ({ tool }, answered) => this.#tally.note(tool, answered) });
    const served = { name, options, state };
    this.#served.add(served);
    this.#tellChange();
    return served;
  }

  all(): readonly Served[] {
    return [...this.#served];
  }

  /** Calls back when an upstream came or went; the function that is given ends it. */
  onChange(listener: () => void): () => void {
    this.#changeListeners.add(listener);
    return () => void this.#changeListeners.delete(listener);
  }

  async remove(served: Served): Promise<void> {
    this.#served.delete(served);
    this.#tellChange();
    await served.state.archive.close();
  }

  async summary(): Promise<GatewaySummary> {
    this.#counter = await loadCounter();
    return this.#tally.summary(this.#counter);
  }

  /** The tokens of the summary, at once; undefined before the counter is loaded, which the first question starts. */
  tokens(): Pick<GatewaySummary, "tokensIn" | "tokensOut"> | undefined {
    if (this.#counter !== undefined) return this.#tally.summary(this.#counter);
    loadCounter().then(
      (counter) => (this.#counter = counter),
      (error: unknown) => this.log.warn("token-counter-missing", { err: error }),
    );
    return undefined;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#served].map((one) => this.remove(one)));
    await this.#opened?.close();
    this.#opened = undefined;
  }

  #tellChange(): void {
    for (const listener of this.#changeListeners) listener();
  }
}
