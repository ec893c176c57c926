// What the page is told of one call, and what it can do with it.

import type { CallRow } from "./traffic.ts";

/** A text that was kept for the page: masked as in the log, and cut at a limit. */
export interface Body {
  readonly text: string;
  /** Of the whole. */
  readonly chars: number;
  readonly tokens: number;
  /** The text is too long to be counted at once, so that its tokens are estimated from its first MiB. */
  readonly isEstimated?: boolean | undefined;
  /** The text shown is only the beginning. */
  readonly isHead: boolean;
}

export interface StageView {
  readonly stage: string;
  /** What the stage did, in words. */
  readonly says: string;
  /** Tokens of what it handed on; absent where they could not be counted any more. */
  readonly tokens?: number | undefined;
  readonly isEstimated?: boolean | undefined;
}

export interface ArchiveLink {
  /** The name under which the envelope gives it. */
  readonly name: string;
  /** 64 hex digits. */
  readonly hash: string;
  /** Where it is not kept any more: a sentence that says so. */
  readonly gone?: string | undefined;
}

/** Answer to `GET /api/calls/SEQ`. */
export interface CallDetail {
  readonly row: CallRow;
  /** The six stages in their order; empty where the result left untouched. */
  readonly stages: readonly StageView[];
  /** Code and message; without `--dashboard-bodies` the code alone, since messages may quote what a call carried. */
  readonly warnings: readonly string[];
  /** Of a failure: what the model was told. Absent without `--dashboard-bodies`. */
  readonly failure?: { readonly message: string; readonly remediation: string } | undefined;
  /** Empty without `--dashboard-bodies`: they may be ids out of the result. */
  readonly droppedIds: readonly string[];
  readonly archives: readonly ArchiveLink[];
  /** Absent where bodies are not allowed or not kept any more: `whyNoBodies` says which. */
  readonly bodies?: CallBodies | undefined;
  readonly whyNoBodies?: "bodies-off" | "not-kept" | undefined;
}

export interface CallBodies {
  readonly arguments: Body;
  /** The result as the server sent it. */
  readonly before: Body;
  /** The result as it was delivered. */
  readonly after: Body;
}

/** Answer to `GET /api/calls/SEQ/as?dialect=D&profile=P`: the same outcome in other words, those of the call where one is left out. Needs bodies. */
export interface TranslatedResult {
  readonly dialect: string;
  readonly profile: string;
  readonly body: Body;
  /** What this dialect cannot carry, as sentences. */
  readonly losses: readonly string[];
}

/** Answer to `GET /api/dialects`: what can be chosen. */
export interface DialectChoices {
  readonly dialects: readonly string[];
  readonly profiles: readonly string[];
}

/** Answer to `POST /api/calls/SEQ/retrieve` with `{ hash, ids? }`: the whole was read and its hash computed again. */
export interface Retrieved {
  readonly hash: string;
  readonly isVerified: boolean;
  readonly bytes: number;
  readonly contentType: string;
  /** Why it is not verified. */
  readonly problem?: string | undefined;
  /** Absent without `--dashboard-bodies`, for what is not verified, and for bytes that are no text, such as an image. */
  readonly body?: Body | undefined;
  /** Of the ids that were asked for: those that nothing was found for. */
  readonly missing?: readonly string[] | undefined;
}

/** Answer to `POST /api/calls/SEQ/ask` with `{ hash, select }`. Needs bodies. */
export interface Asked {
  readonly select: string;
  /** JSON text of the answer. */
  readonly body: Body;
  /** From how many items it was computed, where that can be said. */
  readonly count?: number | undefined;
  readonly hash: string;
  /** What the question may have missed, as sentences. */
  readonly hints: readonly string[];
}
