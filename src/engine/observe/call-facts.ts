import type { JsonValue } from "../../core/json/json-value.ts";

/** What is known of a call before it runs. */
export interface ObservedCall {
  readonly tool: string;
  readonly requestId: string;
  /** From the request's `_meta`; ignored if it breaks the W3C format. */
  readonly traceparent?: string;
  readonly tracestate?: string;
  /** From the headers of the HTTP request; used if `_meta` names no parent and no span is active around the call. */
  readonly carried?: { readonly traceparent: string; readonly tracestate?: string | undefined };
  readonly tenant?: string;
  readonly session?: string;
}

/** What is known of a call after it ran. */
export interface CallFacts {
  readonly ok: boolean;
  readonly errorCode?: string;
  readonly errorType?: string;
  readonly dialect: string;
  readonly profile: string;
  /** Bytes of the texts that were sent, in UTF-8. */
  readonly bytes?: number;
  readonly cacheHit?: boolean;
  /** How many secrets were masked. */
  readonly redactions?: number;
  /** Whether something was left out to keep the budget. */
  readonly isCut?: boolean;
  /** Whether the part that was left out is kept; undefined if nothing was left out. */
  readonly isArchived?: boolean;
  /** Whether it was a call of the retrieval tool. */
  readonly answersRetrieval?: boolean;
  readonly durationMs: number;
}

/** A stage that a call has passed. */
export interface StageEvent {
  readonly stage: string;
  readonly says: string;
  /** The tokens of the stage's output; counted only when the function is called. */
  readonly tokens: () => number | Promise<number>;
}

/** A problem of which the model learns little or nothing. */
export interface TroubleEvent {
  readonly event: string;
  readonly level: "warn" | "error";
  readonly requestId: string;
  readonly tool: string;
  readonly error?: unknown;
  readonly fields?: Readonly<Record<string, JsonValue>> | undefined;
}

/** Watches one call from its start. */
export interface CallWatch {
  /** Runs the call, for example inside the context of a span. */
  readonly around?: (<Value>(run: () => Value) => Value) | undefined;
  readonly stage?: ((event: StageEvent) => void) | undefined;
  /** Undefined for a call without a result: the client cancelled it, or must provide something first. */
  readonly end?: ((facts: CallFacts | undefined) => void) | undefined;
}

export interface CallListener {
  /** Called before every call, if given: nothing is prepared for a listener that is off. */
  readonly isOn?: (() => boolean) | undefined;
  /** Called for every call; undefined means that the listener does not watch this call. */
  readonly start?:
    | ((call: ObservedCall) => CallWatch | Promise<CallWatch | undefined> | undefined)
    | undefined;
  readonly trouble?: ((event: TroubleEvent) => void) | undefined;
}
