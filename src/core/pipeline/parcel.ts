import { base64In } from "../contract/block-reference.ts";
import { ContractError } from "../contract/contract-error.ts";
import type { DialectChoice, DialectId } from "../contract/dialect-id.ts";
import type { DigestPayload } from "../contract/digest-payload.ts";
import type { Failure, Notes, Outcome } from "../contract/outcome.ts";
import type { Profile, RequestIdOrigin } from "../contract/profile.ts";
import type { WarningDetail } from "../contract/warning.ts";
import type { WrittenValue } from "../json/json-chunks.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import type { Pagination } from "../contract/pagination.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { CompiledFilter, FieldFilter } from "./shape/compile-filter.ts";

/** A page that can be made shorter: where its items stand in the data, and the cursor after the first `keep` of them. */
export interface Pager {
  readonly path: string;
  shrink(keep: number): Promise<Pagination>;
}

/** What a handler gave: a value, a ready-made tool result, or something it threw; and what it noted on the way. */
export type Arrival = { readonly notes?: Notes | undefined; readonly pager?: Pager | undefined } & (
  | { readonly kind: "value"; readonly value: unknown }
  | {
      readonly kind: "result";
      readonly result: JsonObject;
      /** Its texts are documents that somebody else wrote: what reads like a failure in them is none. */
      readonly isDocument?: boolean | undefined;
    }
  | {
      readonly kind: "thrown";
      readonly error: unknown;
      /** The tool had done its work when this was thrown. */
      readonly hasRun?: boolean | undefined;
      /** The caller gave up: nobody waits for the answer. */
      readonly isCancelled?: boolean | undefined;
    }
);

/** An outcome in a dialect's words, not yet in an MCP result unless the dialect is one. */
export interface Wire {
  readonly level: "envelope" | "result";
  readonly json: JsonValue;
  /** Notes without a place in the dialect, for one further text item. */
  readonly aside?: JsonObject | undefined;
  /** Set where the JSON goes out as structure alone: the notes that then stand in a text of their own, if any. */
  readonly unmirrored?: { readonly aside: JsonObject | undefined };
  /** The dialect that was spoken: the context may leave it to the result. */
  readonly dialect?: DialectId | undefined;
  /** The JSON is the ready-made result with all its blocks, as its server sent it; at most notes were added. */
  readonly isAsSent?: true;
  /** Its texts are the tool's own words, not JSON that stands for them. */
  readonly isBareText?: boolean;
  /** What the tool returned stands under the key `result`, since only objects can be sent. */
  readonly isWrapped?: boolean;
}

/** What a ready-made result said before any stage changed it. */
export interface Source {
  readonly data: JsonValue | undefined;
  readonly blocks: readonly JsonObject[];
  readonly meta: JsonObject | undefined;
  /** What it said beside its data itself, if another contract wrote it. */
  readonly notes: Notes;
  /** It was an envelope already. */
  readonly isEnvelope: boolean;
  /** Its data is what its tool returned, under the key `result`: another contract says so. */
  readonly isWrapped?: boolean | undefined;
  /** Its data is several texts, which no structure repeats. */
  readonly isTexts: boolean;
  /** The data's own JSON text, where it came as one. */
  readonly written?: WrittenValue | undefined;
  /** The data, where it is the text of a structure that JSON.parse would have changed. */
  readonly exactText?: string | undefined;
}

/** An MCP `CallToolResult`. */
export interface ToolResult {
  readonly content: readonly JsonObject[];
  readonly structuredContent?: JsonObject;
  readonly isError?: true;
  readonly _meta?: JsonObject;
}

/** An outcome as it would be sent: the words and every text a model may be shown, the main one first. */
export interface Rendering {
  readonly outcome: Outcome;
  readonly wire: Wire;
  readonly texts: readonly string[];
  /** The structure's JSON where no text repeats it; it must fit by itself, since a client shows either channel. */
  readonly structure?: string | undefined;
}

/** One thing that must be kept before a cut may be announced. */
export interface CutPart {
  /** The collection's name, which begins the archive's key. */
  readonly name: string;
  readonly content: Iterable<string | Uint8Array>;
  readonly contentType: string;
}

/** Where a part of a cut is kept. */
export interface KeptPart {
  readonly hash: string;
  readonly usedFallback: boolean;
}

/** What a cut result says and carries. */
export interface CutEnding {
  readonly outcome: Outcome;
  readonly blocks: readonly JsonObject[];
}

/** What was left out, and how the result reads once it is known which parts are kept. */
export interface Cut {
  readonly parts: readonly CutPart[];
  /** The parcel for the parts that were kept; undefined stands for one that was not. */
  readonly ending: (kept: readonly (KeptPart | undefined)[]) => CutEnding;
}

interface TraceNote {
  readonly stage: string;
  readonly says: string;
}

/** The value that flows through the pipeline; each stage returns a new one. */
export interface Parcel {
  readonly arrival: Arrival;
  readonly source?: Source | undefined;
  readonly outcome?: Outcome | undefined;
  /** What the author of a ready-made result wrote beside its data: images, links, text that does not repeat it. */
  readonly blocks?: readonly JsonObject[] | undefined;
  /** Set once the budget has no room for both the author's text and a text that repeats the structure. */
  readonly dropsRepeatedText?: true | undefined;
  /** Set once the budget has no room for the server's own writing of JSON, but has for all of it written densely. */
  readonly isDense?: true | undefined;
  /** Set once the data is the answer to a question, of which the tool's schema says nothing. */
  readonly isSelected?: true | undefined;
  /** `_meta` of a ready-made result. */
  readonly resultMeta?: JsonObject | undefined;
  /** The outcome's words where an earlier stage had to know them; they hold as long as the outcome is this one. */
  readonly rendering?: Rendering | undefined;
  readonly cut?: Cut | undefined;
  readonly wire?: Wire | undefined;
  readonly result?: ToolResult | undefined;
  readonly trace: readonly TraceNote[];
}

export const deliveryModes = ["mirror", "text", "brief"] as const;
export type DeliveryMode = (typeof deliveryModes)[number];

export const dataEncodings = ["json", "table"] as const;
export type Encoding = (typeof dataEncodings)[number];

export const fitStrategies = ["head", "relevance", "digest"] as const;
export type FitStrategy = (typeof fitStrategies)[number];

/** What may be cut at a place of the data, by what the tool's schema says of it. */
export interface Elasticity {
  readonly canDropItems: boolean;
  readonly canCutText: boolean;
  /** The same for a member or an item. */
  at(key: string | number): Elasticity;
}

/** How much a digest may hold, in characters and parts. */
export interface DigestLimits {
  readonly maxSnippets: number;
  readonly snippetChars: number;
  readonly summaryChars: number;
  readonly maxKeyPoints: number;
}

/** A digest, and the text that its hash and its locators are about. */
export interface TextDigest {
  readonly payload: DigestPayload;
  readonly text: string;
}

/** How much of a result may be sent. */
export type Limit = number | "off";

export interface Budget {
  readonly tokens: Limit;
  readonly bytes: Limit;
}

/** What `fit` must know to cut a result down to what can be afforded. */
export interface FitContext {
  readonly budget: Budget;
  /** Loaded by the first result that may be over the budget. */
  readonly counter: () => TokenCounter | Promise<TokenCounter>;
  readonly byteLength: (text: string) => number;
  readonly decodeBase64: (text: string) => Uint8Array;
  /** The outcome in the chosen dialect and delivery, with everything that counts. */
  readonly render: (parcel: Parcel) => Rendering;
  /** How the dialect writes data that is not an object, so that pointers name what the reader sees. */
  readonly wrap: (data: JsonValue) => JsonValue;
  /** Whether a text that is all of the data is sent as it is, not as a JSON string. */
  readonly sendsBareText?: boolean | undefined;
  /** False where a cut could not be announced: the result is then sent whole. */
  readonly canCut: boolean;
  /** Images, sounds and other bytes above this go to the archive. */
  readonly maxBlobBytes: number | "off";
  readonly strategy: FitStrategy;
  /** The call's own words, for the strategies that rank by them. */
  readonly query?: string | undefined;
  /** Digests one long text, for the strategy `digest`; undefined where no digest can be made. Never rejects. */
  readonly digest?: ((text: string, limits: DigestLimits) => Promise<TextDigest | undefined>) | undefined;
  readonly elasticity?: (() => Elasticity) | undefined;
  readonly idPath?: string | undefined;
  /** The tool that gives the rest back; undefined where nothing is kept. */
  readonly retrieveTool?: string | undefined;
  /** True where it opens an archive by the full hash only: the warning then names that, not the handle. */
  readonly namesFullHash?: boolean | undefined;
  /** Makes arguments that ask the whole of the data, for the warning of a cut; undefined where no questions can be asked. */
  readonly exampleFor?: ((data: JsonValue) => Promise<JsonObject | undefined>) | undefined;
  /** The arguments that the warning shows, once it is known that something is cut. */
  readonly example?: JsonObject | undefined;
}

/** The answer to a question, perhaps with a warning; or only the warning, which says why there is no answer. */
export type AskedResult =
  | {
      readonly answer: JsonValue;
      readonly warning?: WarningDetail | undefined;
      /** Where the whole is kept, if it is: keys of archives with their hashes. */
      readonly archives?: readonly (readonly [key: string, hash: string])[] | undefined;
    }
  | {
      readonly warning: WarningDetail;
      readonly archives?: readonly (readonly [key: string, hash: string])[] | undefined;
    };

/** The question that a call puts to its own result. */
export interface Asking {
  /** The tool has an output schema, so the answer stands beside what that promises. */
  readonly isTyped: boolean;
  /** Never rejects. What is kept of the data is its own text, where that is known. */
  readonly ask: (data: JsonValue, written?: WrittenValue) => Promise<AskedResult>;
}

/** How an author writes a tool's data for models. */
export interface AuthorFormat {
  /** Undefined where no text could be made. Never throws, and never changes the data. */
  readonly write: (data: JsonValue) => string | undefined;
  /** The text was made, and has no room in the budget. */
  readonly onTooLong: () => void;
}

/** Keeps one part of a cut; rejects when it cannot. */
export type KeepPart = (part: CutPart) => Promise<KeptPart>;

/** Everything a stage may know or do besides the parcel; no stage reaches for anything else. */
export interface PipelineContext {
  readonly tool: { readonly id: string; readonly version?: string | undefined };
  readonly dialect: DialectChoice;
  /** Under `auto`: nothing becomes an envelope, since a widget reads the tool's own data. */
  readonly staysPlain?: boolean | undefined;
  readonly profile: Profile;
  readonly delivery: DeliveryMode;
  /** What the tool itself said beside its data is sent in every profile. */
  readonly sendsAuthored?: boolean | undefined;
  /** Where notes are written in the draft dialect; no other dialect has the choice. */
  readonly draftNotes?: "meta" | "data" | undefined;
  readonly requestId: string;
  readonly requestIdFrom: RequestIdOrigin;
  readonly tier?: string | undefined;
  /** What this call offers besides its answer; undefined where the profile does not show it. */
  readonly capabilities?: readonly string[] | undefined;
  /** Which fields of `data` the tool's configuration asks for; compile it once where calls are many. */
  readonly filter?: FieldFilter | CompiledFilter | undefined;
  /** Names the fields of `data` that the tool's schema marks deprecated; undefined where it marks none. */
  readonly deprecated?: ((data: JsonValue) => readonly string[]) | undefined;
  /** Undefined where the call asks nothing. */
  readonly asking?: Asking | undefined;
  /** The tool has an output schema, so clients expect a structure of one of the listed forms. */
  readonly isTyped?: boolean | undefined;
  /** Undefined where models read the JSON. */
  readonly format?: AuthorFormat | undefined;
  /** How lists of like objects are written in the data of a success. Default: "json", as they are. */
  readonly encoding?: Encoding | undefined;
  /** Undefined where no budget is set. */
  readonly fit?: FitContext | undefined;
  /** Undefined where nothing is kept. */
  readonly keep?: KeepPart | undefined;
  /** Reads ready-made results in the form that their server speaks. Default: as response-v2, where they are that. */
  readonly reader?: FormReader | undefined;
  /** Makes notes of metadata that a tool put into its data; undefined where the dialect knows no such thing. */
  readonly lift?: ((outcome: Outcome) => Outcome) | undefined;
  /** The author's fault for an error that is not a ToolFault; undefined leaves it an internal error. */
  readonly mapError?: ((error: unknown) => Failure | undefined) | undefined;
  /** Masks secrets in everything that leaves with a failure. */
  readonly redact?: Redact | undefined;
  /** The data comes out of an archive: what is to say of its numbers was said when it was kept, and its page is full. */
  readonly answersRetrieval?: boolean | undefined;
  /** Whether successes are masked too. */
  readonly redactsSuccesses?: boolean | undefined;
  /** Further keys for the `_meta` of a failed result, where a draft of the specification is followed. */
  readonly failureMeta?: ((failure: Failure) => JsonObject) | undefined;
  /** Where the text of an unforeseen error goes, since it never goes to the model. */
  readonly log?:
    | ((event: {
        readonly requestId: string;
        readonly tool: string;
        readonly error: unknown;
        /** What happened, where it is not the tool that failed. */
        readonly event?: "archive-failed";
      }) => void)
    | undefined;
}

/** What a result of another server says, in a form that was recognised. */
export interface ReadForm {
  readonly outcome: Outcome;
  /** It was an envelope, so it is not wrapped again. */
  readonly isEnvelope: boolean;
  /** A failure names its code itself; one that does not is named by its words. */
  readonly isCoded: boolean;
}

/** Reads the forms in which other servers speak; undefined for what is in none of them. */
export interface FormReader {
  /** A structure, or the JSON of a text; `meta` is the `_meta` of its result. Default: response-v2 alone. */
  readonly envelope?: (json: JsonValue, meta: JsonObject | undefined) => ReadForm | undefined;
  /** A whole result whose form shows by its mark or its words. */
  readonly result: (result: JsonObject) => ReadForm | undefined;
}

/** Masks secrets in a JSON value and says how many it found. */
export type Redact = <Value extends JsonValue>(
  value: Value,
) => { readonly value: Value; readonly count: number };

export type Stage = (parcel: Parcel, context: PipelineContext) => Parcel | Promise<Parcel>;

/** Whether an author wrote text beside the data: then that text, which is what models should read, comes first. */
export function hasProse({ blocks }: Pick<Parcel, "blocks">): boolean {
  return blocks?.some(({ type }) => type === "text") === true;
}

/**
 * The data as it is sent. The exact text of a structure is no data that the tool's schema describes: there it stands in
 * the place that every list has for what is left out.
 */
export function placedData(
  { source }: Pick<Parcel, "source">,
  data: JsonValue,
  { isTyped }: Pick<PipelineContext, "isTyped">,
): JsonValue {
  const isPlaced = isTyped === true && typeof data === "string" && data === source?.exactText;
  return isPlaced ? { omitted: { text: data } } : data;
}

/** The text of a block that a model may be shown; the bytes of images and sounds do not count as text. */
export function blockText(block: JsonObject): string {
  const { type, text, resource } = block;
  if (type === "text" && typeof text === "string") return text;
  if (base64In(block) === undefined) return JSON.stringify(block);
  if (!isJsonObject(resource) || type !== "resource") {
    const { data: _data, ...rest } = block;
    return JSON.stringify(rest);
  }
  const { blob: _blob, ...shown } = resource;
  return JSON.stringify({ ...block, resource: shown });
}

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
export function stamp(parcel: Parcel, stage: string, says: string, change?: Partial<Parcel>): Parcel {
  // Key by key: to spread a parcel takes five times as long, and six stages do it for every call.
  const next: Required<Parcel> = {
    arrival: parcel.arrival,
    source: parcel.source,
    outcome: parcel.outcome,
    blocks: parcel.blocks,
    dropsRepeatedText: parcel.dropsRepeatedText,
    isDense: parcel.isDense,
    isSelected: parcel.isSelected,
    resultMeta: parcel.resultMeta,
    rendering: parcel.rendering,
    cut: parcel.cut,
    wire: parcel.wire,
    result: parcel.result,
    trace: [...parcel.trace, { stage, says }],
  };
  return change === undefined ? next : Object.assign(next, change);
}
