import type { FidelityLevel, Success } from "../../contract/outcome.ts";
import { type WrittenValue, jsonChunks } from "../../json/json-chunks.ts";
import { type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { mainCollection } from "../../json/main-collection.ts";
import { parsePointer } from "../../json/pointer.ts";
import { TABLE } from "../../json/table/table-notation.ts";
import { rankByQuery } from "../../text/bm25.ts";
import { type CutPart, type Parcel, placedData } from "../parcel.ts";
import { type FitContext, type PipelineContext, tableFormOf } from "../pipeline-context.ts";
import { planBlocks } from "./blocks.ts";
import { type CutCandidate, CandidateMaker, type TrimLevel } from "./candidate.ts";
import { type CutPlace, elastic, rootPlace } from "./cut-place.ts";
import type { CutTools } from "./cut-value.ts";
import { KnownPage } from "./cut-page.ts";
import { KnownText } from "./known-text.ts";
import { type Omission, type OmissionCount, PAGE_TEXT } from "./omission.ts";
import type { ParcelWeigher } from "./weigh-parcel.ts";

function* textsOf(items: readonly JsonValue[]): Generator<string> {
  for (const item of items) yield typeof item === "string" ? item : JSON.stringify(item);
}

type RankItems = NonNullable<CutTools["rank"]>;

/** The places of items in the order in which they are kept; undefined keeps the first. */
function rankItems({ strategy, query = "" }: Pick<FitContext, "strategy" | "query">): RankItems | undefined {
  if (strategy === "head") return undefined;
  const words = query.trim();
  // A list is ranked once, although several cuts of it are tried.
  const known = new Map<readonly JsonValue[], readonly number[]>();
  const matching = (items: readonly JsonValue[]): readonly number[] => {
    if (words === "") return [];
    const ranked = known.get(items) ?? rankByQuery(textsOf(items), words).map(({ index }) => index);
    known.set(items, ranked);
    return ranked;
  };
  return (items) => {
    const ranked = matching(items);
    const isByPlace = ranked.length === 0;
    if (strategy === "auto") {
      const ends = [...fromBothEnds(items)];
      return { order: isByPlace ? ends : distinct([...endsOf(items), ...ranked, ...ends]), isByPlace };
    }
    return isByPlace ? undefined : { order: distinct([...ranked, ...items.keys()]), isByPlace };
  };
}

function distinct(places: readonly number[]): readonly number[] {
  return [...new Set(places)];
}

/** The first and the last item show what kind of list it is, and in which order. */
function endsOf({ length }: readonly JsonValue[]): readonly number[] {
  return length === 0 ? [] : [0, length - 1];
}

/** For this many of the first items, one of the last is taken. */
const FIRST_FOR_A_LAST = 3;

function* fromBothEnds({ length }: readonly JsonValue[]): Generator<number> {
  let [first, last] = [0, length - 1];
  for (let turn = 1; first <= last; turn++) yield turn % (FIRST_FOR_A_LAST + 1) === 0 ? last-- : first++;
}

export type SuccessParcel = Parcel & { readonly outcome: Success };

/** The archive's key begins with a key of the data; a very long key would take the room of everything else. */
const MAX_NAME_BYTES = 32;

/** The key of the main list; for a table the list's own key, not that of its rows or objects. */
function mainName(whole: JsonValue): string {
  const { pointer = "", name = "data" } = mainCollection(whole) ?? {};
  const path = parsePointer(pointer);
  const at = path.indexOf(TABLE);
  return at < 0 ? name : path[at - 1] || "items";
}

interface ProposalExtras {
  readonly counted?: OmissionCount;
  /** The parts that are archived besides the whole. */
  readonly besides?: readonly CutPart[];
}

/** One result that is being cut. */
export class ResultCut {
  readonly whole: JsonValue;
  /** The archived value: what the tool returned, without the key that wraps it on the wire. */
  readonly kept: JsonValue;
  readonly root: CutPlace;
  readonly tools: CutTools;
  /** Empty data, to find the weight of the envelope around it. */
  readonly nothing: JsonValue;
  readonly maker: CandidateMaker;
  readonly hasMovedBlocks: boolean;
  /** The result is weighed as a known client shows it: data may weigh a multiple of what it weighs alone. */
  readonly isShown: boolean;
  readonly #name: string;
  /** The data is an exact text, and the whole is the object that contains it. */
  readonly #isPlaced: boolean;
  readonly #isWrapped: boolean;
  readonly #contentType: string;
  /** The archived whole of a lean result. */
  readonly #lean: CutPart | undefined;
  /** The original text of the archived value, if it came as a text, so that it need not be written again. */
  readonly written: WrittenValue | undefined;

  constructor(parcel: SuccessParcel, context: PipelineContext, fitting: FitContext, scale: ParcelWeigher) {
    const { data } = parcel.outcome;
    const placed = placedData(parcel, data, context);
    this.whole = fitting.wrap(placed);
    this.#isPlaced = placed !== data;
    this.#isWrapped = this.whole !== placed;
    const { before = parcel.outcome, part } = parcel.lean ?? {};
    const isFromWrapper = parcel.source?.isWrapped === true && isJsonObject(before.data);
    this.kept = isFromWrapper ? (before.data["result"] ?? before.data) : before.data;
    this.#lean = part;
    this.written = parcel.source?.written;
    const blocks = planBlocks(parcel, fitting, scale);
    this.hasMovedBlocks = blocks.omissions.length > 0;
    this.isShown = fitting.showTo !== undefined;
    this.maker = new CandidateMaker(parcel, context, fitting, scale, blocks, this.kept);
    const textAt = fitting.textPlace?.(parcel);
    const isBareText = textAt === "" && typeof this.whole === "string";
    const { strategy, query = "" } = fitting;
    const words = strategy === "head" ? undefined : query.trim();
    const rank = rankItems(fitting);
    const pages = pagesOf(fitting);
    this.tools = { gauge: scale.gauge, rank, isBareText, textAt, words, known: new KnownText(), pages };
    this.nothing = isBareText ? "" : {};
    const name = mainName(this.whole);
    this.#name = fitting.byteLength(name) <= MAX_NAME_BYTES ? name : "data";
    const hasTables = tableFormOf(context.encoding) !== undefined;
    this.#contentType = hasTables ? "application/json;encoding=table" : "application/json";
    // The schema describes the data itself, which is one level deeper in a wrapped value.
    const isDescribed = parcel.isSelected !== true && placed === data;
    const elasticity = isDescribed ? fitting.elasticity?.() : undefined;
    const isDeeper = this.#isWrapped && elasticity !== undefined;
    this.root = rootPlace(isDeeper ? { ...elastic, at: () => elasticity } : elasticity);
  }

  /** A part of the whole in the form of the tool's own value; the sender adds the key again. */
  ownForm(part: JsonValue): JsonValue {
    return this.#isWrapped && isJsonObject(part) ? (part["result"] ?? null) : part;
  }

  propose(
    data: JsonValue | ((archive: string | undefined) => JsonValue),
    level: FidelityLevel,
    omissions: readonly Omission[],
    trim: TrimLevel,
    { counted, besides = [] }: ProposalExtras = {},
  ): CutCandidate {
    const content = { [Symbol.iterator]: () => jsonChunks(this.kept, undefined, this.written) };
    const whole = this.#lean ?? { name: this.#name, content, contentType: this.#contentType };
    return this.maker.make({
      level,
      trim,
      omissions: this.#isPlaced ? omissions.map(inText) : omissions,
      // The whole comes first: a reader who wants it back looks there.
      parts: omissions.length > 0 ? [whole, ...besides, ...pageParts(omissions)] : [],
      counted,
      namesArchive: typeof data === "function",
      outcomeWith: (notes, archive) => ({
        ok: true,
        data: typeof data === "function" ? data(archive) : data,
        notes,
      }),
    });
  }
}

function pagesOf({ pages, strategy }: FitContext): CutTools["pages"] {
  if (pages === undefined || strategy === "head") return undefined;
  return new Map([...pages].map(([source, page]) => [source, new KnownPage(source, page)]));
}

/** The texts of pages that were sent without their markup, to which the lines in their marks refer. */
function pageParts(omissions: readonly Omission[]): readonly CutPart[] {
  const texts = omissions.flatMap((one) => (one.kind === "text" && one.page ? [one.page.text] : []));
  return texts.map((text) => ({
    name: PAGE_TEXT,
    content: { [Symbol.iterator]: () => jsonChunks(text) },
    contentType: "application/json",
  }));
}

/** The same in the text alone, which is all that is archived. */
function inText(omission: Omission): Omission {
  return omission.kind === "text" ? { ...omission, pointer: "" } : { kind: "part", id: "/*" };
}
