import { refuseOptions } from "../../core/options/check-options.ts";
import type { Settings } from "../../engine/settings/settings.ts";
import { storeLimitsOf } from "../../engine/settings/store-limits.ts";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import type { ContractState } from "../../engine/call/contract-state.ts";
import type { ArchiveStore } from "../../engine/archive/archive-store.ts";
import { STORE_OFF, openStore, storeProblem } from "../../engine/archive/open-store.ts";
import { type Log, createLog } from "../../engine/observe/log-event.ts";
import { type TokenCounter, loadCounter } from "../../core/tokens/token-counter.ts";
import type { GatewayOptions, GatewaySummary, UpstreamOptions } from "./gateway-options.ts";
import type { NoteRefusal } from "./listen/http-listener.ts";
import type { AccessLog } from "./access-log/access-log.ts";
import { archiveFolder } from "./state-folder.ts";
import { contractFor } from "./upstream-contract.ts";
import {
  type AnsweredCall,
  type Readable,
  isCut,
  isRepaired,
  readableTexts,
} from "../../engine/call/answered-call.ts";
import type { CalledTool } from "../../engine/call/called-tool.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { sessionTenant } from "../../engine/call/open-call.ts";

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
  readonly #tally = new Tally();
  readonly #served = new Set<ServedSource>();
  readonly #changeListeners = new Set<() => void>();
  /** For events that concern no single upstream. */
  readonly log: Log;
  #counter: TokenCounter | undefined;
  #store: ContractOptions["store"];
  #opened: ArchiveStore | undefined;
  #accessLog: AccessLog | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.log = createLog({ logger: options.logger, level: options.logLevel });
    this.#store = options.store ?? settingsOf(options).store?.place ?? defaultStore();
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

  /** Opens the store that contracts share: each contract would otherwise open its own. */
  async openStore(): Promise<void> {
    if (typeof this.#store !== "string" || this.#store === STORE_OFF || this.#opened !== undefined) return;
    const problem = storeProblem(this.#store);
    if (problem !== undefined)
      refuseOptions("createGateway", [{ path: ["store"], part: "value", message: `"store" ${problem}` }]);
    this.#opened = await openStore(this.#store, storeLimitsOf(settingsOf(this.#options)));
    this.#store = this.#opened;
  }

  /** Makes the contract of one upstream; throws if its settings are wrong. */
  add(name: string, options: UpstreamOptions): ServedSource {
    const store = this.#store === undefined ? {} : { store: this.#store };
    const state = contractFor(name, options, { ...this.#options, ...store });
    state.events.onAnswer({ answered: ({ tool }, answered) => this.#tally.note(tool, answered) });
    this.#accessLog?.follow(name, state);
    const served = { name, options, state };
    this.#served.add(served);
    this.#tellChange();
    return served;
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
    await served.state.archive.close();
  }

  async summary(): Promise<GatewaySummary> {
    this.#counter = await loadCounter();
    return this.#tally.summary(this.#counter);
  }

  /**
   * The tokens of the summary, synchronously; undefined until the counter is loaded, which the first request starts.
   */
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
    await this.#accessLog?.close();
    this.#accessLog = undefined;
  }

  #tellChange(): void {
    for (const listener of this.#changeListeners) listener();
  }
}

function addTo(gauge: TokenGauge, result: JsonObject): void {
  for (const text of readableTexts(result)) gauge.add(text);
}

function sum(...parts: readonly Gauged[]): Gauged {
  return {
    tokens: parts.reduce((total, { tokens }) => total + tokens, 0),
    isEstimated: parts.some(({ isEstimated }) => isEstimated),
  };
}

/** Counts the traffic of all upstreams of a gateway; for a result it only adds up a few lengths. */
class Tally {
  readonly #untouched = new TokenGauge();
  readonly #before = new TokenGauge();
  readonly #after = new TokenGauge();
  #calls = 0;
  #cuts = 0;
  #retrievals = 0;
  #errorsRepaired = 0;

  note({ answersRetrieval }: CalledTool, answered: AnsweredCall): void {
    const { result, arrival, outcome, dialect } = answered;
    // A request for input, or a task: its answer comes later.
    if (dialect === undefined) return;
    this.#calls += 1;
    if (isCut(answered)) this.#cuts += 1;
    if (isRepaired(answered)) this.#errorsRepaired += 1;
    if (arrival.kind === "result") {
      if (answered.isUntouched) return addTo(this.#untouched, result);
      addTo(this.#before, arrival.result);
    } else if (answersRetrieval === true && outcome?.ok === true) this.#retrievals += 1;
    addTo(this.#after, result);
  }

  summary(counter: TokenCounter): GatewaySummary {
    const untouched = this.#untouched.total(counter);
    const before = sum(untouched, this.#before.total(counter));
    const after = sum(untouched, this.#after.total(counter));
    return {
      calls: this.#calls,
      tokensIn: before.tokens,
      tokensOut: after.tokens,
      isEstimated: before.isEstimated || after.isEstimated,
      cuts: this.#cuts,
      retrievals: this.#retrievals,
      errorsRepaired: this.#errorsRepaired,
    };
  }
}

/** How many texts are kept for counting. Together they take at most 512 KiB of memory. */
const MAX_SAMPLES = 128;
const MAX_SAMPLE_CHARS = 2_048;

interface Sample {
  readonly head: string;
  /** The length of the whole text. */
  readonly chars: number;
  /** The tokens of the head, counted once: frequent reads of `/metrics` must not repeat the counting. */
  tokens: number | undefined;
}

interface Gauged {
  readonly tokens: number;
  /** Some texts were not counted to their end. */
  readonly isEstimated: boolean;
}

/** A copy: a slice would keep the whole text in memory. */
function headOf(text: Readable): string {
  if (typeof text === "string" && text.length <= MAX_SAMPLE_CHARS) return text;
  return Buffer.from(text.slice(0, MAX_SAMPLE_CHARS), "utf16le").toString("utf16le");
}

/**
 * Estimates how many tokens a stream of texts has, at low cost: the beginnings of some texts, chosen at random, are
 * kept and counted on demand. A few short texts are counted exactly.
 */
export class TokenGauge {
  readonly #samples: Sample[] = [];
  readonly #random: () => number;
  #texts = 0;
  #chars = 0;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  add(text: Readable): void {
    const chars = text.length;
    if (chars === 0) return;
    this.#texts += 1;
    this.#chars += chars;
    // Every text has the same chance to be kept, whenever it arrived.
    const place =
      this.#texts <= MAX_SAMPLES ? this.#samples.length : Math.floor(this.#random() * this.#texts);
    if (place < MAX_SAMPLES) this.#samples[place] = { head: headOf(text), chars, tokens: undefined };
  }

  total(counter: TokenCounter): Gauged {
    let counted = 0;
    let sampled = 0;
    let isWhole = this.#texts <= MAX_SAMPLES;
    for (const sample of this.#samples) {
      const { head, chars } = sample;
      sample.tokens ??= counter.count(head);
      isWhole &&= head.length === chars;
      counted += (sample.tokens * chars) / head.length;
      sampled += chars;
    }
    if (sampled === 0) return { tokens: 0, isEstimated: false };
    return { tokens: Math.round((counted * this.#chars) / sampled), isEstimated: !isWhole };
  }
}

/** The most entries of one session that are removed; the rest expires by itself. */
const MAX_ENTRIES = 10_000;

/**
 * Removes what was archived for one session only: after its end no caller can ask for it. Callers with a token or a
 * verified name have their own archives, which outlive their sessions.
 */
export async function forgetSession({ archive, log }: ContractState, sessionId: string): Promise<void> {
  if (!archive.isOn || !archive.isOpen) return;
  const tenant = sessionTenant(sessionId);
  try {
    const store = await archive.store();
    const hashes: string[] = [];
    for await (const { hash } of store.list(tenant)) if (hashes.push(hash) >= MAX_ENTRIES) break;
    for (const hash of hashes) await store.delete(tenant, hash);
  } catch (error) {
    log.warn("session-archive-kept", { err: error });
  }
}
