import { ContractError } from "../contract/contract-error.ts";
import type { DialectId } from "../contract/dialect-id.ts";
import type { Failure, Notes, Outcome } from "../contract/outcome.ts";
import type { Profile, RequestIdOrigin } from "../contract/profile.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { CompiledFilter } from "./shape/compile-filter.ts";
import type { FieldFilter } from "./shape/field-filter.ts";

/** What a handler gave: a value, a ready-made tool result, or something it threw; and what it noted on the way. */
export type Arrival = { readonly notes?: Notes } & (
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "result"; readonly result: JsonObject }
  | { readonly kind: "thrown"; readonly error: unknown }
);

/** An outcome in a dialect's words, not yet in an MCP result unless the dialect is one. */
export interface Wire {
  readonly level: "envelope" | "result";
  readonly json: JsonValue;
  /** Notes the dialect has no place for, to ride in one further text item. */
  readonly aside?: JsonObject;
}

/** An MCP `CallToolResult`. */
export interface ToolResult {
  readonly content: readonly JsonObject[];
  readonly structuredContent?: JsonObject;
  readonly isError?: true;
  readonly _meta?: JsonObject;
}

interface TraceNote {
  readonly stage: string;
  readonly says: string;
}

/** The value that flows through the pipeline; each stage returns a new one. */
export interface Parcel {
  readonly arrival: Arrival;
  readonly outcome?: Outcome;
  /** Images and other blocks of a ready-made result, which travel beside the words as they are. */
  readonly blocks?: readonly JsonObject[];
  /** `_meta` of a ready-made result. */
  readonly resultMeta?: JsonObject;
  readonly wire?: Wire;
  readonly result?: ToolResult;
  readonly trace: readonly TraceNote[];
}

export const deliveryModes = ["mirror", "text", "brief"] as const;
export type DeliveryMode = (typeof deliveryModes)[number];

/** Everything a stage may know or do besides the parcel; no stage reaches for anything else. */
export interface PipelineContext {
  readonly tool: { readonly id: string; readonly version?: string };
  readonly dialect: DialectId;
  readonly profile: Profile;
  readonly delivery: DeliveryMode;
  /** Where notes ride in the draft dialect; no other has the choice. */
  readonly draftNotes?: "meta" | "data";
  readonly requestId: string;
  readonly requestIdFrom: RequestIdOrigin;
  readonly tier?: string;
  /** Which fields of `data` the tool's configuration asks for; compile it once where calls are many. */
  readonly filter?: FieldFilter | CompiledFilter;
  /** What an author makes of an error that is no ToolFault; undefined leaves it to us. */
  readonly mapError?: (error: unknown) => Failure | undefined;
  /** Masks secrets in the texts of a failure. */
  readonly redact?: Redact;
  /** Where the text of an unforeseen error goes, since it never goes to the model. */
  readonly log?: (event: {
    readonly requestId: string;
    readonly tool: string;
    readonly error: unknown;
  }) => void;
}

/** Masks secrets in a JSON value and says how many it found. */
type Redact = <Value extends JsonValue>(value: Value) => { readonly value: Value; readonly count: number };

export type Stage = (parcel: Parcel, context: PipelineContext) => Parcel | Promise<Parcel>;

/** A part an earlier stage left in the parcel; its absence means the stages ran out of order. */
export function partOf<Key extends "outcome" | "wire" | "result">(
  parcel: Parcel,
  key: Key,
): NonNullable<Parcel[Key]> {
  const part = parcel[key];
  if (part === undefined || part === null) {
    throw new ContractError("INVALID_OPTION", `The parcel has no ${key} yet: run the stages in their order.`);
  }
  return part;
}

/** The parcel with a change and one more line of trace. */
export function stamp(parcel: Parcel, stage: string, says: string, change: Partial<Parcel> = {}): Parcel {
  return { ...parcel, ...change, trace: [...parcel.trace, { stage, says }] };
}
