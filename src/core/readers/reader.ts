// A reader is what is behind a connection: a client, and how it shows results to its model.

import type { PictureFamily } from "./picture.ts";
import type { SoundFamily } from "./sound.ts";

/**
 * What a model gets of a result that has blocks and a structure: the blocks, the structure in their place, one of the
 * two (it is not known which), both, the whole result written as JSON; or, by what the result has, the structure only
 * if every block is a text, the structure only of a tool without an output schema, both only beside a single text.
 */
export type Shown = ShownNow | "structure-for-texts" | "structure-if-untyped" | "both-for-one-text";

/** What a model gets of a given result. */
export type ShownNow = "blocks" | "structure" | "either" | "both" | "whole";

type BlockKind = "text" | "image" | "audio" | "resource" | "resource_link";

/** What a client shows at most, and what it does with more. */
export interface ReaderLimit {
  readonly most: number;
  readonly unit: "tokens" | "characters" | "bytes" | "lines";
  /** What is counted: all that is shown of a result, each text by itself, or the message as the client receives it. */
  readonly of: "result" | "text" | "line";
  /** The part of the limit that is used around a result: by the client's own words, the frame of the message. */
  readonly taken?: number;
  /** The part that is used around each text, in addition. */
  readonly takenByText?: number;
  readonly keeps: "the beginning" | "beginning and end" | "whole lines" | "a file" | "nothing";
  /** Failures are shown whole. */
  readonly sparesFailures?: true;
  /** Successes are shown whole, or have a limit of their own. */
  readonly onlyFailures?: true;
}

/** How a row is known: the client was run, its source was read, or a document describes it. */
interface Knowledge {
  readonly on: string;
  readonly by: "run" | "source" | "report";
  readonly version?: string;
  readonly where: string;
}

/** One row a client. */
export interface Reader {
  readonly id: string;
  readonly name: string;
  /** Matches the name that the client gives itself, in lower case. */
  readonly match?: RegExp;
  /** Chosen by the model that the client names with a call. Without this and a name, only the setting `reader` chooses the row. */
  readonly isByModel?: true;
  readonly success: Shown;
  readonly failure: Shown;
  /** The model is never shown a tool's output schema. */
  readonly ignoresOutputSchemas?: true;
  /** On failures the blocks are shown a second time. */
  readonly repeatsFailures?: true;
  /** A first text that is JSON also replaces a missing structure: a failure shown whole has it twice. */
  readonly copiesJson?: true;
  /** A structure without any block reaches the model. */
  readonly showsBareStructure: boolean;
  /** A text that is exactly the compact JSON of the structure is shown once. */
  readonly showsMirrorOnce?: true;
  readonly limits: readonly ReaderLimit[];
  /** Blocks that the model does not get, without a word about them. */
  readonly drops: readonly BlockKind[];
  /** Of an embedded resource the model gets the text, but not where it is from. */
  readonly hidesUris?: true;
  /** Blocks whose bytes reach the model as text. */
  readonly asText: readonly BlockKind[];
  /** The models that get pictures; `any` if the client's user chooses. */
  readonly pictures: PictureFamily;
  /** The models that get sounds, if the client was seen to give them any. */
  readonly sounds?: SoundFamily;
  /** Blocks that end the client's run. */
  readonly failsOn: readonly BlockKind[];
  /** What is between two texts; `apart` if the model gets them as separate parts. */
  readonly joins: "apart" | "" | "\n" | "\n\n";
  readonly showsMeta: "never" | "failures" | "always";
  /** A failure whose structure breaks the tool's output schema is replaced by the client's own error. */
  readonly hidesBrokenFailures: boolean;
  /** So is a success whose structure breaks that schema, or that has none. */
  readonly hidesBrokenSuccesses: boolean;
  readonly known: Knowledge;
}

/** What a reader shows of a given result, if its habit depends on that. */
export function shownOf(
  shown: Shown,
  blocks: readonly { readonly type?: unknown }[],
  isTyped: boolean,
): ShownNow {
  const areTexts = blocks.every(({ type }) => type === "text");
  if (shown === "structure-if-untyped") return isTyped ? "blocks" : "structure";
  if (shown === "structure-for-texts") return areTexts ? "structure" : "blocks";
  if (shown === "both-for-one-text") return areTexts && blocks.length < 2 ? "both" : "blocks";
  return shown;
}

/** The lowest limit of a reader in a unit; those for failures alone are counted by what is shown of one. */
export function limitIn({ limits }: Reader, unit: ReaderLimit["unit"]): number | undefined {
  const found = limits
    .filter((limit) => limit.unit === unit && limit.onlyFailures !== true)
    .map(({ most, taken = 0 }) => most - taken);
  return found.length === 0 ? undefined : Math.min(...found);
}

/** The limit of a reader for the whole message that it receives, whatever it then shows. */
export function lineLimitOf({ limits }: Reader): ReaderLimit | undefined {
  return limits.find((limit) => limit.of === "line");
}

/** Everything counts twice for a reader whose model gets both channels. */
export function paysTwice({ success }: Reader): boolean {
  return ["both", "both-for-one-text", "whole"].includes(success);
}

/** What the client does with a result, in words that follow "it". */
export function sayReader(reader: Reader): string {
  const { limits } = reader;
  const keeping = [...new Set(limits.map(({ keeps }) => keeps))];
  const cuts = keeping.map((keeps) => {
    const amounts = limits.filter((limit) => limit.keeps === keeps).map(sayAmount);
    const most = amounts.join(" or ");
    if (keeps === "nothing") return `fails at more than ${most}`;
    return keeps === "a file" ? `writes more than ${most} to a file` : `cuts at ${most} and keeps ${keeps}`;
  });
  const channels = paysTwice(reader) ? ["shows both channels"] : [];
  return [...cuts, ...channels].join(", and ") || "shows results of any length";
}

function sayAmount({ most, unit, of, onlyFailures }: ReaderLimit): string {
  const where = onlyFailures === true ? " of a failure" : of === "result" ? "" : ` a ${of}`;
  return `${most.toLocaleString("en-US")} ${unit}${where}`;
}

/** Whether a limit counts for a result. */
export function countsFor({ sparesFailures, onlyFailures }: ReaderLimit, isFailure: boolean): boolean {
  return (isFailure ? sparesFailures : onlyFailures) !== true;
}
