// Tells listeners what happens to a call: its start, each stage, problems, its end. Spans, metrics, the log
// and pages that show traffic are listeners. Listeners never change a result; without listeners, this costs
// one check.

import type {
  CallFacts,
  CallListener,
  CallWatch,
  ObservedCall,
  TroubleEvent,
} from "../observe/call-facts.ts";
import type { JsonValue } from "../../core/json/json-value.ts";
import type { Parcel } from "../../core/pipeline/parcel.ts";
import type { CarriedTrace } from "../request/call-request.ts";
import type { ToolCall } from "./called-tool.ts";
import type { AnsweredCall, CallTimes } from "./answered-call.ts";

type Watching = readonly CallWatch[];

/** Hears how a call ended, before the answer is sent. It must not keep the result: some results have megabytes. */
export interface AnswerListener {
  readonly answered: (call: ToolCall, answered: AnsweredCall, times: CallTimes | undefined) => void;
  /**
   * What was thrown instead of an answer: a response that is passed on as it is, or an error only the client
   * can handle.
   */
  readonly unanswered?: ((call: ToolCall, thrown: unknown, times: CallTimes) => void) | undefined;
  /** What a handler gave, and what the tool's output schema made of it. */
  readonly parsed?: ((call: ToolCall, given: unknown, sent: unknown) => void) | undefined;
  /** The text that a tool's `format` wrote for data. */
  readonly formatted?: ((call: ToolCall, text: string, data: JsonValue) => void) | undefined;
}

export class CallEvents {
  readonly #listeners = new Set<CallListener>();
  #answerListeners: readonly AnswerListener[] = [];
  readonly #onFailure: (error: unknown) => void;

  /** `onFailure` is called for listeners that throw: a listener must not fail a call. */
  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** Adds a listener; the returned function removes it. */
  listen(listener: CallListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** For listeners that only count: they are told at once, and nothing is prepared for them. */
  onAnswer(listener: AnswerListener): () => void {
    this.#answerListeners = [...this.#answerListeners, listener];
    return () => (this.#answerListeners = this.#answerListeners.filter((other) => other !== listener));
  }

  answered(call: ToolCall, answered: AnsweredCall, times: CallTimes | undefined): void {
    for (const listener of this.#answerListeners)
      this.#quietly(() => listener.answered(call, answered, times));
  }

  unanswered(call: ToolCall, thrown: unknown, times: CallTimes): void {
    for (const { unanswered } of this.#answerListeners)
      this.#quietly(() => unanswered?.(call, thrown, times));
  }

  parsed(call: ToolCall, given: unknown, sent: unknown): void {
    for (const { parsed } of this.#answerListeners)
      if (parsed !== undefined) this.#quietly(() => parsed(call, given, sent));
  }

  formatted(call: ToolCall, text: string, data: JsonValue): void {
    for (const { formatted } of this.#answerListeners) this.#quietly(() => formatted?.(call, text, data));
  }

  trouble(event: TroubleEvent): void {
    for (const { trouble } of this.#listeners) this.#quietly(() => trouble?.(event));
  }

  /** Tells the listeners of stages; undefined without any, so that no count is prepared. */
  stageTeller(
    watches: Watching | undefined,
    count: (parcel: Parcel) => number | Promise<number>,
  ): ((parcel: Parcel) => void) | undefined {
    const hearing = watches?.filter(({ stage }) => stage !== undefined) ?? [];
    if (hearing.length === 0) return undefined;
    return (parcel) => {
      const { stage = "", says = "" } = parcel.trace.at(-1) ?? {};
      for (const watch of hearing)
        this.#quietly(() => watch.stage?.({ stage, says, tokens: () => count(parcel) }));
    };
  }

  /** The listeners that watch a call; undefined without any. Waits only for one that is still being loaded. */
  start(describe: () => ObservedCall): Watching | Promise<Watching> | undefined {
    let call: ObservedCall | undefined;
    const watches: CallWatch[] = [];
    const loading: Promise<CallWatch | undefined>[] = [];
    for (const { start, isOn } of this.#listeners) {
      if (start === undefined || isOn?.() === false) continue;
      call ??= describe();
      const watch = this.#begin(start, call);
      if (watch instanceof Promise) loading.push(watch);
      else if (watch !== undefined) watches.push(watch);
    }
    if (loading.length > 0)
      return Promise.all(loading).then((loaded) => [
        ...watches,
        ...loaded.filter((watch) => watch !== undefined),
      ]);
    return watches.length === 0 ? undefined : watches;
  }

  /** Runs a call and tells those who watch it its result. */
  watch<Result>(
    watches: Watching | Promise<Watching>,
    run: (watches: Watching | undefined) => Promise<Result>,
    facts: (result: Result, durationMs: number) => CallFacts,
  ): Promise<Result> {
    if (!(watches instanceof Promise)) return this.#watch(watches, run, facts);
    return watches.then((loaded) => (loaded.length === 0 ? run(undefined) : this.#watch(loaded, run, facts)));
  }

  #begin(
    start: NonNullable<CallListener["start"]>,
    call: ObservedCall,
  ): CallWatch | Promise<CallWatch | undefined> | undefined {
    try {
      const watch = start(call);
      if (!(watch instanceof Promise)) return watch;
      return watch.catch((error: unknown) => {
        this.#onFailure(error);
        return undefined;
      });
    } catch (error) {
      this.#onFailure(error);
      return undefined;
    }
  }

  async #watch<Result>(
    watches: Watching,
    run: (watches: Watching) => Promise<Result>,
    facts: (result: Result, durationMs: number) => CallFacts,
  ): Promise<Result> {
    const started = performance.now();
    let told: CallFacts | undefined;
    try {
      const result = await this.#around(watches, () => run(watches));
      this.#quietly(() => void (told = facts(result, roundMs(performance.now() - started))));
      return result;
    } finally {
      for (const { end } of watches) this.#quietly(() => end?.(told));
    }
  }

  /** Listeners may wrap the call, but the call runs once, and listeners cannot change its result. */
  #around<Value>(watches: Watching, run: () => Promise<Value>): Promise<Value> {
    let running: Promise<Value> | undefined;
    const once = (): Promise<Value> => (running ??= run());
    const nested = watches.reduceRight<() => unknown>(
      (inner, { around }) => (around === undefined ? inner : () => around(inner)),
      once,
    );
    this.#quietly(() => {
      const given = nested();
      if (given === running || !(given instanceof Promise)) return undefined;
      // A wrapper that waits for the call fails with it, which is not the wrapper's own failure.
      return given.catch((error: unknown) =>
        once().then(
          () => Promise.reject(error),
          () => undefined,
        ),
      );
    });
    return once();
  }

  /** What a listener throws, at once or later, is reported to `onFailure` and dropped. */
  #quietly(action: () => unknown): void {
    try {
      const later = action();
      if (later instanceof Promise) later.catch((error: unknown) => this.#onFailure(error));
    } catch (error) {
      this.#onFailure(error);
    }
  }
}

/** Clocks are not exact beyond hundredths of a millisecond. */
export function roundMs(ms: number): number {
  return Math.round(ms * 100) / 100;
}

/** The global under which the OpenTelemetry API keeps its providers; it is empty until an SDK registers one. */
const OPEN_TELEMETRY = Symbol.for("opentelemetry.js.api.1");

/** The global stays when an SDK is turned off again; its providers do not. */
function hasOpenTelemetry(): boolean {
  const { [OPEN_TELEMETRY]: api } = globalThis as { readonly [OPEN_TELEMETRY]?: object };
  return api !== undefined && ("trace" in api || "metrics" in api);
}

let readTrace: (() => CarriedTrace | undefined) | undefined;

/** The span that is open now, to pass on to an upstream server; undefined if no SDK makes spans. */
export function openTrace(): CarriedTrace | undefined {
  return readTrace === undefined || !hasOpenTelemetry() ? undefined : readTrace();
}

/** Spans and metrics. OpenTelemetry is loaded at the first call after an SDK has registered a provider. */
export function openTelemetryListener(serverName: string | undefined): CallListener {
  let loading: Promise<NonNullable<CallListener["start"]>> | undefined;
  let loaded: CallListener["start"];
  const load = async (): Promise<NonNullable<CallListener["start"]>> => {
    const { createCallObserver, traceNow } = await import("../observe/call-observer.ts");
    readTrace = traceNow;
    loaded = createCallObserver({ serverName });
    return loaded;
  };
  return {
    isOn: hasOpenTelemetry,
    start: (call) => {
      if (loaded !== undefined) return loaded(call);
      loading ??= load();
      return loading.then((start) => start(call));
    },
  };
}
