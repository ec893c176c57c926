/** What is known of a call before it runs. */
export interface ObservedCall {
  readonly tool: string;
  readonly requestId: string;
  /** From the request's `_meta`; ignored when it is not as the W3C wants it. */
  readonly traceparent?: string;
  readonly tracestate?: string;
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
  /** Size of what went out. */
  readonly bytes?: number;
  readonly tokens?: number;
  readonly cacheHit?: boolean;
  /** How many secrets were masked. */
  readonly redactions?: number;
  readonly durationMs: number;
}
