// What the page receives about one call, and what it can do with the call.

import type { CallRow } from "./traffic.ts";

/** A text that was kept for the page: masked as in the log, and cut at a limit. */
export interface Body {
  readonly text: string;
  /** The length of the whole text. */
  readonly chars: number;
  readonly tokens: number;
  /** The text is too long to be counted at once, so its tokens are estimated from its first MiB. */
  readonly isEstimated?: boolean | undefined;
  /** The text shown is only the beginning. */
  readonly isHead: boolean;
}

export interface StageView {
  readonly stage: string;
  /** What the stage did, in words. */
  readonly says: string;
  /** Tokens of what the stage handed on; absent if they can no longer be counted. */
  readonly tokens?: number | undefined;
  readonly isEstimated?: boolean | undefined;
}

export interface ArchiveLink {
  /** The entry's name in the envelope. */
  readonly name: string;
  /** 64 hex digits. */
  readonly hash: string;
  /** If the entry is no longer kept: a sentence with the reasons. */
  readonly gone?: string | undefined;
}

/** Answer to `GET /api/calls/SEQ`. */
export interface CallDetail {
  readonly row: CallRow;
  /** The six stages in order; empty if the result was forwarded untouched. */
  readonly stages: readonly StageView[];
  /** Code and message; without `--dashboard-bodies` only the code, since messages may quote the content of a call. */
  readonly warnings: readonly string[];
  /** For a failure: what the model was told. Absent without `--dashboard-bodies`. */
  readonly failure?: { readonly message: string; readonly remediation: string } | undefined;
  /** Empty without `--dashboard-bodies`: the ids may come from the result. */
  readonly droppedIds: readonly string[];
  readonly archives: readonly ArchiveLink[];
  /** Absent if bodies are not allowed or no longer kept: `whyNoBodies` says which. */
  readonly bodies?: CallBodies | undefined;
  readonly whyNoBodies?: "bodies-off" | "not-kept" | undefined;
  /** Absent for a call that was abandoned, and if nothing is kept of the call. */
  readonly reader?: ReaderView | undefined;
}

/** The client behind a call, and what its model was given. */
export interface ReaderView {
  /** The client's row, as `waybill clients` has it: its name, and what `--reader` takes. */
  readonly name: string;
  readonly id: string;
  /**
   * What led to the row. `model`: the one that the client names with its calls; `request`: it asked for a form of its
   * own, as programs do; `nothing`: no row has the client's name; `off`: rows of clients are switched off.
   */
  readonly chosenBy: "setting" | "name" | "model" | "request" | "nothing" | "off";
  /** What the client calls itself. */
  readonly client?: string | undefined;
  /** One; two if it is not known which channel the client shows; none for a result that is too long. */
  readonly views: readonly GivenView[];
  /** Blocks that the model does not get, by their kinds: `2 × resource_link`. */
  readonly dropped?: string | undefined;
  /** The model gets `_meta` beside it. */
  readonly hasMeta: boolean;
  /** What Waybill changed for this client, as sentences without content. */
  readonly changes: readonly string[];
  /** What is lost or paid twice all the same, in words that follow "it". They quote the result: absent without bodies. */
  readonly failings?: readonly string[] | undefined;
}

/** What a model is given, or may be given. */
export interface GivenView {
  readonly channel: "blocks" | "structure" | "both" | "whole";
  readonly tokens: number;
  readonly isEstimated?: boolean | undefined;
  readonly limits: readonly GivenLimit[];
  /** What the client puts between the texts, if there are several and they become one: `a line end`. */
  readonly joint?: string | undefined;
  /** Absent without bodies, and if the result is not kept whole. */
  readonly texts?: readonly Body[] | undefined;
}

/** A limit of the client, and how much of it is used. */
export interface GivenLimit {
  readonly unit: "tokens" | "characters" | "bytes" | "lines";
  readonly most: number;
  readonly used: number;
  readonly isEstimated?: boolean | undefined;
  /** The limit is for each text: the longest is meant. */
  readonly isOfText: boolean;
  /** What the client's own words around the result may take of it. */
  readonly taken: number;
  /** What the client does with more: `beginning and end`, `a file`. */
  readonly keeps: string;
}

export interface CallBodies {
  readonly arguments: Body;
  /** The result as the server sent it. */
  readonly before: Body;
  /** The result as it was delivered. */
  readonly after: Body;
}

/**
 * Answer to `GET /api/calls/SEQ/as?dialect=D&profile=P`: the same outcome in another dialect or profile; a missing
 * parameter means that of the call. Needs bodies.
 */
export interface TranslatedResult {
  readonly dialect: string;
  readonly profile: string;
  readonly body: Body;
  /** What this dialect cannot express, as sentences. */
  readonly losses: readonly string[];
}

/** Answer to `GET /api/dialects`: what can be chosen. */
export interface DialectChoices {
  readonly dialects: readonly string[];
  readonly profiles: readonly string[];
}

/** Answer to `POST /api/calls/SEQ/retrieve` with `{ hash, ids? }`: the whole was read and its hash computed again. */
export interface RetrieveReply {
  readonly hash: string;
  readonly isVerified: boolean;
  readonly bytes: number;
  readonly contentType: string;
  /** Why the entry is not verified. */
  readonly problem?: string | undefined;
  /** Absent without `--dashboard-bodies`, if not verified, and for bytes that are not text, such as an image. */
  readonly body?: Body | undefined;
  /** The requested ids for which nothing was found. */
  readonly missing?: readonly string[] | undefined;
}

/** Answer to `POST /api/calls/SEQ/ask` with `{ hash, select }`. Needs bodies. */
export interface QuestionReply {
  readonly select: string;
  /** JSON text of the answer. */
  readonly body: Body;
  /** The number of items that the answer was computed from, if it is known. */
  readonly count?: number | undefined;
  readonly hash: string;
  /** What the question may have missed, as sentences. */
  readonly hints: readonly string[];
}
