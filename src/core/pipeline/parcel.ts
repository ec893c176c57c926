import { ContractError } from "../contract/contract-error.ts";
import type { DialectId } from "../contract/dialect-id.ts";
import type { Notes, Outcome, Success } from "../contract/outcome.ts";
import type { WrittenValue } from "../json/json-chunks.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { Pagination } from "../contract/meta.ts";

/** How clients show a block is known to the readers; the stages weigh blocks by it. */
export { blockText } from "../readers/shown-result.ts";

/** A page that can be made shorter: the place of its items, and the cursor after the first `keep` of them. */
export interface Pager {
  readonly path: string;
  shrink(keep: number): Promise<Pagination>;
}

/** What a handler gave: a value, a ready-made tool result, or something it threw; and what it noted during the call. */
export type Arrival = { readonly notes?: Notes | undefined; readonly pager?: Pager | undefined } & (
  | { readonly kind: "value"; readonly value: unknown }
  | {
      readonly kind: "result";
      readonly result: JsonObject;
      /** The texts are documents that others wrote: a text that reads like a failure is not one. */
      readonly isDocument?: boolean | undefined;
      /** The length of the message in which another server sent it; it leaves as these bytes if nothing is changed. */
      readonly messageBytes?: number | undefined;
    }
  | {
      readonly kind: "thrown";
      readonly error: unknown;
      /** The tool had finished its work when this was thrown. */
      readonly hasRun?: boolean | undefined;
      /** The caller cancelled and does not wait for the answer. */
      readonly isCancelled?: boolean | undefined;
    }
);

/** An outcome written in a dialect, not yet an MCP result unless the dialect writes one. */
export interface Wire {
  readonly level: "envelope" | "result";
  readonly json: JsonValue;
  /** Notes that have no place in the dialect, for one further text item. */
  readonly aside?: JsonObject | undefined;
  /** Set if the JSON is sent only as structure: the texts beside it, such as notes, or the same data in words. */
  readonly unmirrored?: { readonly texts: readonly string[]; readonly isSame?: true };
  /** Notes that no text has in a form for programs: they go into the result's `_meta`. */
  readonly noted?: JsonObject | undefined;
  /** The dialect that was used: the context may let the result decide. */
  readonly dialect?: DialectId | undefined;
  /** The JSON is the ready-made result with all its blocks, as its server sent it; at most notes were added. */
  readonly isAsSent?: true;
  /** The texts are the tool's own words, not a JSON form of them. */
  readonly isBareText?: boolean;
  /** What the tool returned is under the key `result`, because only objects can be sent. */
  readonly isWrapped?: boolean;
}

/** What a ready-made result contained before any stage changed it. */
export interface ResultSource {
  readonly data: JsonValue | undefined;
  readonly blocks: readonly JsonObject[];
  readonly meta: JsonObject | undefined;
  /** What the result itself said beside its data, if another contract wrote it. */
  readonly notes: Notes;
  /** The result was already an envelope. */
  readonly isEnvelope: boolean;
  /** The data has what the tool returned under the key `result`: another contract says so. */
  readonly isWrapped?: boolean | undefined;
  /** The data is several texts, which no structure repeats. */
  readonly isTexts: boolean;
  /** The data's original JSON text, if it came as a text. */
  readonly written?: WrittenValue | undefined;
  /** Set if the data is the text of a structure that JSON.parse would have changed. */
  readonly exactText?: string | undefined;
  /** The field of the structure that the server sent as a text too. */
  readonly textAt?: string | undefined;
}

/** An MCP `CallToolResult`. */
export interface ToolResult {
  readonly content: readonly JsonObject[];
  readonly structuredContent?: JsonObject;
  readonly isError?: true;
  readonly _meta?: JsonObject;
}

/** An outcome as it would be sent: the wire form and every text a model may be shown, the main one first. */
export interface Rendering {
  readonly outcome: Outcome;
  readonly wire: Wire;
  readonly texts: readonly string[];
  /** The structure's JSON if no text repeats it; it must fit by itself, because a client shows either channel. */
  readonly structure?: string | undefined;
}

/** One part that must be archived before a cut may be announced. */
export interface CutPart {
  /** The collection's name, which begins the archive's key. */
  readonly name: string;
  readonly content: Iterable<string | Uint8Array>;
  readonly contentType: string;
  /** Set if an earlier stage archived it already. */
  readonly kept?: KeptPart | undefined;
}

/** Where a part of a cut is archived. */
export interface KeptPart {
  readonly hash: string;
  readonly usedFallback: boolean;
}

/** What a cut result says and carries. */
export interface CutEnding {
  readonly outcome: Outcome;
  readonly blocks: readonly JsonObject[];
}

/** What was left out, and the result's form once it is known which parts are archived. */
export interface Cut {
  readonly parts: readonly CutPart[];
  /** The result for the archived parts; undefined marks a part that was not archived. */
  readonly ending: (kept: readonly (KeptPart | undefined)[]) => CutEnding;
}

/** What a result was before what a model does not need was left out of it. */
export interface LeanResult {
  readonly before: Success;
  /** The archived whole, which a later cut names too. */
  readonly part: CutPart;
  /** Texts that are JSON were written anew: places inside them are not those of the whole. */
  readonly hasTexts: boolean;
}

/** What a stage did, as facts for programs. */
interface StageFacts {
  /** Set by a stage that changed the data. */
  readonly changed?: boolean;
  /** Set by the stage `deliver`, unless the result leaves as it came. */
  readonly mode?: DeliveryMode;
}

interface TraceNote extends StageFacts {
  readonly stage: string;
  /** The same in words, for people. */
  readonly says: string;
}

/** The value that flows through the pipeline; each stage returns a new one. */
export interface Parcel {
  readonly arrival: Arrival;
  readonly source?: ResultSource | undefined;
  readonly outcome?: Outcome | undefined;
  /** What the author of a ready-made result wrote beside its data: images, links, text that does not repeat it. */
  readonly blocks?: readonly JsonObject[] | undefined;
  /** Set once the budget has no room for both the author's text and a text that repeats the structure. */
  readonly dropsRepeatedText?: true | undefined;
  /** Set once the budget has no room for JSON as the server wrote it, but has room for all of it without spaces. */
  readonly isDense?: true | undefined;
  /** Set once the data is the answer to a question, which the tool's schema does not describe. */
  readonly isSelected?: true | undefined;
  /** Set once what a model does not need was left out. */
  readonly lean?: LeanResult | undefined;
  /** `_meta` of a ready-made result. */
  readonly resultMeta?: JsonObject | undefined;
  /** The rendered outcome, if an earlier stage needed it; valid as long as the outcome is the same. */
  readonly rendering?: Rendering | undefined;
  readonly cut?: Cut | undefined;
  readonly wire?: Wire | undefined;
  readonly result?: ToolResult | undefined;
  readonly trace: readonly TraceNote[];
}

export const deliveryModes = ["mirror", "text", "brief"] as const;
export type DeliveryMode = (typeof deliveryModes)[number];

/** What the model behind a known client is given of a result. */
export interface ReaderShare {
  /** The ways in which the client may show the result, each as its texts: each must fit the budget. */
  readonly views: readonly (readonly string[])[];
  /** The part of the client's own limits that the result takes; above 1 the client cuts it. */
  readonly share: number;
  /** How often the model is given what both channels hold. */
  readonly times: 1 | 2;
}

/** Whether an author wrote text beside the data: that text comes first, because models should read it. */
export function hasProse({ blocks }: Pick<Parcel, "blocks">): boolean {
  return blocks?.some(({ type }) => type === "text") === true;
}

/**
 * The data as it is sent. The tool's schema does not describe the exact text of a structure, so the text goes to the
 * place that every listed schema has for omitted data.
 */
export function placedData(
  { source }: Pick<Parcel, "source">,
  data: JsonValue,
  { isTyped }: { readonly isTyped?: boolean | undefined },
): JsonValue {
  const isPlaced = isTyped === true && typeof data === "string" && data === source?.exactText;
  return isPlaced ? { omitted: { text: data } } : data;
}

/** A part that an earlier stage put into the parcel; if it is missing, the stages ran out of order. */
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
export function stamp(
  parcel: Parcel,
  stage: string,
  says: string,
  change?: Partial<Parcel>,
  facts?: StageFacts,
): Parcel {
  // Key by key: spreading a parcel takes five times as long, and six stages do it for every call.
  const next: Required<Parcel> = {
    arrival: parcel.arrival,
    source: parcel.source,
    outcome: parcel.outcome,
    blocks: parcel.blocks,
    dropsRepeatedText: parcel.dropsRepeatedText,
    isDense: parcel.isDense,
    isSelected: parcel.isSelected,
    lean: parcel.lean,
    resultMeta: parcel.resultMeta,
    rendering: parcel.rendering,
    cut: parcel.cut,
    wire: parcel.wire,
    result: parcel.result,
    trace: [...parcel.trace, facts === undefined ? { stage, says } : { stage, says, ...facts }],
  };
  return change === undefined ? next : Object.assign(next, change);
}
