// Everything a stage may know or do besides the parcel: it comes from the call, so that the stages themselves do no I/O.

import type { ReaderBytes } from "../readers/bytes-for.ts";
import type { DialectChoice } from "../contract/dialect-id.ts";
import type { DigestPayload } from "../contract/digest-payload.ts";
import type { Failure, Outcome } from "../contract/outcome.ts";
import type { Profile, RequestIdOrigin } from "../contract/profile.ts";
import type { WarningDetail } from "../contract/warning.ts";
import type { WrittenValue } from "../json/json-chunks.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { TableForm } from "../json/table/choose-columns.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { CutPart, DeliveryMode, KeptPart, Parcel, ReaderShare, Rendering } from "./parcel.ts";
import type { CompiledFilter, FieldFilter } from "./shape/compile-filter.ts";

/** How lists of like objects are written: as they are, as columns and rows, or with more stated only once. */
export const dataEncodings = ["json", "table", "dense-table"] as const;
export type DataEncoding = (typeof dataEncodings)[number];

const formByEncoding: Readonly<Record<DataEncoding, TableForm | undefined>> = {
  json: undefined,
  table: "plain",
  "dense-table": "dense",
};

/** The form of the tables; undefined where lists stay as they are. */
export function tableFormOf(encoding: DataEncoding | undefined): TableForm | undefined {
  return formByEncoding[encoding ?? "json"];
}

export const fitStrategies = ["auto", "head", "relevance", "digest"] as const;
export type FitStrategy = (typeof fitStrategies)[number];

/** What may be cut at a place of the data, according to the tool's schema. */
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

/** A digest, and the text that its hash and its locators refer to. */
export interface TextDigest {
  readonly payload: DigestPayload;
  readonly text: string;
}

/** What a web page says, each heading, paragraph, item and row on a line of its own. */
export interface PageText {
  readonly text: string;
  /** Of each line the heading above it; -1 without one. */
  readonly headings: Int32Array;
  /** Its lines in the order in which they are kept. */
  readonly order: readonly [title: Int32Array, main: Int32Array, others: Int32Array, links: Int32Array];
}

/** How much of a result may be sent. */
export type Limit = number | "off";

export interface Budget {
  readonly tokens: Limit;
  readonly bytes: Limit;
  /** UTF-16 units, as clients count characters; set by a reader that has such a limit. */
  readonly characters?: number | undefined;
  readonly lines?: number | undefined;
  /** Characters are counted as JSON writes them. */
  readonly countsEscapes?: boolean | undefined;
}

/** What `fit` must know to cut a result down to the budget. */
export interface FitContext {
  readonly budget: Budget;
  /** Loaded for the first result that may be over the budget. */
  readonly counter: () => TokenCounter | Promise<TokenCounter>;
  readonly byteLength: (text: string) => number;
  readonly decodeBase64: (text: string) => Uint8Array;
  /** The outcome in the chosen dialect and delivery, with everything that counts towards the budget. */
  readonly render: (parcel: Parcel) => Rendering;
  /** The parcel as the reader behind this client would show it; undefined for clients that are not known. */
  readonly showTo?: ((parcel: Parcel) => ReaderShare) | undefined;
  /** Writes data that is not an object as the dialect does, so that pointers name what the reader sees. */
  readonly wrap: (data: JsonValue) => JsonValue;
  /** The place of the text that is sent as it is, not as a JSON string: "" if it is all of the data. */
  readonly textPlace?: ((parcel: Parcel) => string | undefined) | undefined;
  /** False if a cut could not be announced: the result is then sent whole. */
  readonly canCut: boolean;
  /** Images, sounds and other bytes above this go to the archive. */
  readonly maxBlobBytes: number | "off";
  /** Which pictures and sounds the model behind the client can be given; undefined if nothing is known of it. */
  readonly bytes?: ReaderBytes | undefined;
  /** Scales a picture down; undefined if pictures cannot be scaled here. */
  readonly scalePicture?: ScalePicture | undefined;
  /** Smaller copies of pictures that cannot be sent or have no room, by the places of their blocks. */
  readonly copies?: ReadonlyMap<number, PictureCopy> | undefined;
  readonly strategy: FitStrategy;
  /** The call's own words, for strategies that rank by them. */
  readonly query?: string | undefined;
  /** Digests one long text, for the strategy `digest`; undefined if no digest can be made. Never rejects. */
  readonly digest?: ((text: string, limits: DigestLimits) => Promise<TextDigest | undefined>) | undefined;
  /** Reads the text of a web page; undefined where its markup is what was asked for. Never rejects. */
  readonly readPage?: ((html: string) => Promise<PageText | undefined>) | undefined;
  /** The pages in the data, once it is known that there is a cut. */
  readonly pages?: ReadonlyMap<string, PageText> | undefined;
  readonly elasticity?: (() => Elasticity) | undefined;
  readonly idPath?: string | undefined;
  /** The tool that returns the rest; undefined if nothing is archived. */
  readonly retrieveTool?: string | undefined;
  /** True if it opens an archive by the full hash only: the warning then names that, not the handle. */
  readonly namesFullHash?: boolean | undefined;
  /** Makes the example in a cut's warning; undefined if questions cannot be asked. */
  readonly exampleFor?: ((data: JsonValue) => Promise<CutExample | undefined>) | undefined;
  /** The example, once it is known that there is a cut. */
  readonly example?: CutExample | undefined;
}

/** A picture in base64, at most `side` pixels a side and with at most `bytes` bytes; undefined if it cannot be made. Never rejects. */
export type ScalePicture = (
  base64: string,
  limits: { readonly side: number; readonly bytes: number },
) => Promise<{ readonly base64: string; readonly mimeType: string } | undefined>;

/** What is sent in place of a picture. */
export interface PictureCopy {
  readonly block: JsonObject;
  readonly tokens: number;
  /** From which size to which. */
  readonly says: string;
}

/** A place where a cut left something out. */
export interface MissingPlace {
  readonly pointer: string;
  /** For a list: the first and the last place of the longest run of missing items. */
  readonly run?: readonly [number, number] | undefined;
  /** For a text: how many of its first characters were sent, in code points. */
  readonly after?: number | undefined;
  /** For a text: where its first missing part ends, if more of it was sent after that, in code points. */
  readonly until?: number | undefined;
}

/** Arguments, without the archive, that ask for what is missing; of no places, about the whole. Never throws. */
export type CutExample = (missing: readonly MissingPlace[]) => JsonObject | undefined;

/** The answer to a question, perhaps with a warning; or only a warning that says why there is no answer. */
export type AskedResult =
  | {
      readonly answer: JsonValue;
      readonly warning?: WarningDetail | undefined;
      /** Where the whole is archived, if it is: keys of archives with their hashes. */
      readonly archives?: readonly (readonly [key: string, hash: string])[] | undefined;
    }
  | {
      readonly warning: WarningDetail;
      readonly archives?: readonly (readonly [key: string, hash: string])[] | undefined;
    };

/** The question that a call asks about its own result. */
export interface Asking {
  /** The tool has an output schema, so the answer goes beside what the schema promises. */
  readonly isTyped: boolean;
  /** Never rejects. The data is archived as its original text, if that is known. */
  readonly ask: (data: JsonValue, written?: WrittenValue) => Promise<AskedResult>;
}

/** How an author writes a tool's data for models. */
export interface AuthorFormat {
  /** Undefined if no text could be made. Never throws, and never changes the data. */
  readonly write: (data: JsonValue) => string | undefined;
  /** Called if the text was made but has no room in the budget. */
  readonly onTooLong: () => void;
}

/** What is known of the server whose results are made lean. */
export interface LeanServer {
  /** Presets, by their ids. */
  readonly presets: readonly string[];
  /** The names of all arguments of its tools: a later call may need a field of such a name. */
  readonly arguments: readonly string[];
}

/** What lean must know and do. */
export interface LeanContext {
  readonly server: LeanServer;
  /** The names of fields that the tool's output schema requires. */
  readonly required: ReadonlySet<string>;
  /** Whether data keeps to the output schema; undefined without a schema. */
  readonly keepsSchema?: ((data: JsonValue) => boolean) | undefined;
  /** Whether JSON inside texts may be written anew. */
  readonly opensTexts: boolean;
  /** The call names a place, and the tool gives what is there: its text must stay exact. */
  readonly isDocument: boolean;
  readonly counter: () => TokenCounter | Promise<TokenCounter>;
  readonly keep: KeepPart;
  /** Writes data that is not an object as the dialect does; undefined if a list is sent bare, unless it is cut. */
  readonly wrap: ((data: JsonValue) => JsonValue) | undefined;
  readonly retrieveTool: string;
  readonly namesFullHash: boolean;
}

/** Archives one part of a cut; rejects if it cannot. */
export type KeepPart = (part: CutPart) => Promise<KeptPart>;

/** Everything a stage may know or do besides the parcel; no stage uses anything else. */
export interface PipelineContext {
  readonly tool: { readonly id: string; readonly version?: string | undefined };
  readonly dialect: DialectChoice;
  /** Under `auto`: nothing becomes an envelope, because a widget reads the tool's own data. */
  readonly staysPlain?: boolean | undefined;
  readonly profile: Profile;
  readonly delivery: DeliveryMode;
  /** What the tool itself said beside its data is sent in every profile. */
  readonly sendsAuthored?: boolean | undefined;
  /** Where the draft dialect writes notes; no other dialect has the choice. */
  readonly draftNotes?: "meta" | "data" | undefined;
  readonly requestId: string;
  readonly requestIdFrom: RequestIdOrigin;
  readonly tier?: string | undefined;
  /** What this call offers besides its answer; undefined if the profile does not show it. */
  readonly capabilities?: readonly string[] | undefined;
  /** Which fields of `data` the tool's configuration asks for; compile it once for many calls. */
  readonly filter?: FieldFilter | CompiledFilter | undefined;
  /** Names the fields of `data` that the tool's schema marks deprecated; undefined if it marks none. */
  readonly deprecated?: ((data: JsonValue) => readonly string[]) | undefined;
  /** Undefined if the call asks no question. */
  readonly asking?: Asking | undefined;
  /** The tool has an output schema, so clients expect a structure of one of the listed forms. */
  readonly isTyped?: boolean | undefined;
  /** Undefined if models read the JSON. */
  readonly format?: AuthorFormat | undefined;
  /** Undefined if results keep what a model does not need. */
  readonly lean?: LeanContext | undefined;
  /** How lists of like objects are written in the data of a success. Default: "json", as they are. */
  readonly encoding?: DataEncoding | undefined;
  /** Undefined if no budget is set. */
  readonly fit?: FitContext | undefined;
  /** Undefined if nothing is archived. */
  readonly keep?: KeepPart | undefined;
  /** Beginnings of texts with which this tool reports failures that it does not mark. */
  readonly failureStarts?: readonly string[] | undefined;
  /** Reads ready-made results in the form that their server speaks. Default: reads only response-v2. */
  readonly reader?: FormReader | undefined;
  /** Turns metadata that a tool put into its data into notes; undefined if the dialect has no such metadata. */
  readonly lift?: ((outcome: Outcome) => Outcome) | undefined;
  /** The author's fault for an error that is not a ToolFault; undefined leaves it an internal error. */
  readonly mapError?: ((error: unknown) => Failure | undefined) | undefined;
  /** Masks secrets in everything that leaves with a failure. */
  readonly redact?: Redact | undefined;
  /** The data comes from an archive: its number warnings were given when it was archived, and its page is full. */
  readonly answersRetrieval?: boolean | undefined;
  /** Whether successes are masked too. */
  readonly redactsSuccesses?: boolean | undefined;
  /** Further keys for the `_meta` of a failed result, if a draft of the specification is followed. */
  readonly failureMeta?: ((failure: Failure) => JsonObject) | undefined;
  /** Receives the text of an unforeseen error, which never goes to the model. */
  readonly log?:
    | ((event: {
        readonly requestId: string;
        readonly tool: string;
        readonly error: unknown;
        /** What happened, if it is not the tool that failed. */
        readonly event?: "archive-failed";
      }) => void)
    | undefined;
}

/** The content of another server's result in a recognised form. */
export interface ReadForm {
  readonly outcome: Outcome;
  /** The result was an envelope, so it is not wrapped again. */
  readonly isEnvelope: boolean;
  /** The failure names its own code; otherwise its words decide the code. */
  readonly isCoded: boolean;
}

/** Reads the forms in which other servers speak; undefined for any other form. */
export interface FormReader {
  /** A structure, or the JSON of a text; `meta` is the `_meta` of its result. Default: only response-v2. */
  readonly envelope?: (json: JsonValue, meta: JsonObject | undefined) => ReadForm | undefined;
  /** A whole result whose mark or words show its form. */
  readonly result: (result: JsonObject) => ReadForm | undefined;
}

/** Masks secrets in a JSON value and says how many it found. */
export type Redact = <Value extends JsonValue>(
  value: Value,
) => { readonly value: Value; readonly count: number };

export type Stage = (parcel: Parcel, context: PipelineContext) => Parcel | Promise<Parcel>;
