import type { JsonValue } from "../../core/json/json-value.ts";

/** What is known of a call before it runs. */
export interface ObservedCall {
  readonly tool: string;
  readonly requestId: string;
  /** From the request's `_meta`; ignored when it is not as the W3C wants it. */
  readonly traceparent?: string;
  readonly tracestate?: string;
  /** From the headers of the HTTP request; counts where `_meta` names no parent and no span is around the call. */
  readonly carried?: { readonly traceparent: string; readonly tracestate?: string | undefined };
  readonly tenant?: string;
  readonly session?: string;
}

/** What is known of it afterwards. */
export interface CallFacts {
  readonly ok: boolean;
  readonly errorCode?: string;
  readonly errorType?: string;
  readonly dialect: string;
  readonly profile: string;
  /** Bytes of the texts that went out, as UTF-8. */
  readonly bytes?: number;
  readonly cacheHit?: boolean;
  /** How many secrets were masked. */
  readonly redactions?: number;
  /** Whether something was left out to keep the budget. */
  readonly isCut?: boolean;
  /** Whether what was left out is kept; undefined where nothing had to be. */
  readonly isArchived?: boolean;
  /** Whether it was a call of the tool that gives back what was left out. */
  readonly answersRetrieval?: boolean;
  readonly durationMs: number;
}

/** A stage that a call has passed. */
export interface StageEvent {
  readonly stage: string;
  readonly says: string;
  /** The tokens of what the stage handed on; counted only when it is asked for. */
  readonly tokens: () => number | Promise<number>;
}

/** A problem of which the model is told little or nothing. */
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
  /** Runs the call, e.g. inside the context of a span. */
  readonly around?: (<Value>(run: () => Value) => Value) | undefined;
  readonly stage?: ((event: StageEvent) => void) | undefined;
  /** Undefined for a call that gave no result: the client cancelled it, or is asked for something itself. */
  readonly end?: ((facts: CallFacts | undefined) => void) | undefined;
}

export interface CallListener {
  /** Asked before every call, where it is given: nothing is prepared for a listener that is off. */
  readonly isOn?: (() => boolean) | undefined;
  /** Called for every call; undefined means that this one is of no interest. */
  readonly start?:
    | ((call: ObservedCall) => CallWatch | Promise<CallWatch | undefined> | undefined)
    | undefined;
  readonly trouble?: ((event: TroubleEvent) => void) | undefined;
}
