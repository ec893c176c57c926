// What the model behind a client would have had of a server's own result, and what became of the result on its way.

import type { JsonObject } from "../../../src/core/json/json-value.ts";
import { isJsonObject } from "../../../src/core/json/json-value.ts";
import { bytesFor } from "../../../src/core/readers/bytes-for.ts";
import { blocksOf, structureOf, textOf } from "../../../src/core/readers/facts-held.ts";
import { failingsOf } from "../../../src/core/readers/model-view.ts";
import type { Reader } from "../../../src/core/readers/reader.ts";
import { shownBy } from "../../../test/clients/shown-by.ts";

export interface JudgedWith {
  readonly reader: Reader;
  readonly countTokens: (text: string) => number;
  /** Undefined for a tool without an output schema. */
  readonly fits: boolean | undefined;
}

/** What a result had of its own, for one reader. */
export type Before = "failure" | "a warning" | "over the budget" | "everything" | "not everything";

const BUDGET = 8_000;
/** Longer structures are over the budget, whatever is in them: they need not be counted. */
const MANY_CHARACTERS = BUDGET * 20;

export function judgeBefore(result: JsonObject, facts: JudgedWith): Before {
  const { reader, countTokens, fits } = facts;
  if (result["isError"] === true) return "failure";
  if (reader.id === "program") return "everything";
  const views = shownBy(reader, withoutBytes(result), fits);
  // The budget holds for a channel that is not shown too, with the bytes that a structure repeats.
  const structure = JSON.stringify(structureOf(result) ?? {});
  const isOver = structure.length > MANY_CHARACTERS || countTokens(structure) > BUDGET;
  if (isOver || views.some((view) => countTokens(view) > BUDGET)) return "over the budget";
  return lacksOf(result, facts).length === 0 ? "everything" : "not everything";
}

/** Bytes are no text, and have tokens of their own. */
function withoutBytes(result: JsonObject): JsonObject {
  const content = (blocksOf(result) ?? []).map((block) =>
    block["type"] === "image" || block["type"] === "audio" ? { ...block, data: "" } : block,
  );
  return { ...result, content };
}

/** What the model behind a client would lack of a result, or be given twice, in short. */
function lacksOf(result: JsonObject, { reader, countTokens, fits }: JudgedWith): readonly string[] {
  const blocks = blocksOf(result) ?? [];
  const isTyped = fits !== undefined;
  const breaksSchema = isTyped && (!fits || structureOf(result) === undefined);
  const failings = failingsOf(result, reader, { countTokens, isTyped, breaksSchema });
  const refused = bytesFor(reader)?.refused(blocks).size ?? 0;
  const isEmbedded = blocks.some(({ resource }) => isJsonObject(resource) && "text" in resource);
  const isForUser = blocks.some(({ annotations }) => JSON.stringify(annotations ?? {}).includes('["user"]'));
  return [
    ...failings.map(({ kind }) => kind),
    ...(refused > 0 ? ["bytes"] : []),
    ...(reader.hidesUris === true && isEmbedded ? ["addresses"] : []),
    ...(isForUser && reader.success !== "either" ? ["a block for the user"] : []),
    ...(reader.joins === "" && runsTogether(blocks) ? ["texts apart"] : []),
  ];
}

function runsTogether(blocks: readonly JsonObject[]): boolean {
  return blocks.some((block, at) => {
    const [text, next] = [textOf(block), textOf(blocks[at + 1] ?? {})];
    return text !== "" && next !== "" && !text.endsWith("\n");
  });
}

/** A result that reads like a failure, but leaves a doubt, gets a line about that. */
export const WARNED = "a warning";

/** What is different in the result that was sent, each kind once. */
export function changesIn(given: JsonObject, sent: JsonObject): readonly string[] {
  if (sent["isError"] === true) return ["failure"];
  if (isCut(sent)) return ["cut"];
  const [before, after] = [structureOf(given), structureOf(sent)];
  const [blocks, made] = [blocksOf(given) ?? [], blocksOf(sent) ?? []];
  const texts = made.map(textOf);
  const kinds = [
    ...(before !== undefined && after === undefined ? ["structure left out"] : []),
    ...(made.length > blocks.length && texts.at(-1) === JSON.stringify(before)
      ? ["structure as a text"]
      : []),
    ...(hasMoved(sent) ? ["picture as a link"] : []),
    ...(isMore(before, after) ? [structureChange(after)] : []),
    ...blocks
      .filter(({ type }) => !(hasMoved(sent) && (type === "image" || type === "audio")))
      .filter((block) => !made.some((one) => JSON.stringify(one) === JSON.stringify(block)))
      .flatMap((block) => blockChange(block, made[blocks.indexOf(block)] ?? {})),
  ];
  if (isWarned(blocks, made)) kinds.push(WARNED);
  const found = [...new Set(kinds)];
  return found.length > 0 ? found : ["other"];
}

/** The notes of a cut are in the structure, in `_meta`, or in a text that is JSON. A moved picture has a link. */
function isCut(sent: JsonObject): boolean {
  const json = JSON.stringify(sent);
  return (
    !hasMoved(sent) &&
    /content_fidelity\\*":\\*"(?:partial|summary|reference_only)|WHITESPACE_DROPPED/.test(json)
  );
}

function hasMoved(sent: JsonObject): boolean {
  return JSON.stringify(sent).includes('"description":"Not sent: ');
}

const READS_LIKE_A_FAILURE = "The result reads like a failure";

function isWarned(blocks: readonly JsonObject[], made: readonly JsonObject[]): boolean {
  return made.length > blocks.length && made.some((one) => textOf(one).includes(READS_LIKE_A_FAILURE));
}

function isMore(before: JsonObject | undefined, after: JsonObject | undefined): boolean {
  return after !== undefined && JSON.stringify(before) !== JSON.stringify(after);
}

/** Bytes that a block has too are named by the block, where there is no room for both. */
function structureChange(after: JsonObject | undefined): string {
  return JSON.stringify(after).includes(" of this result: ") ? "bytes once" : "text in the structure";
}

/** A text beside a picture that is moved is written anew. */
function textChange(text: string, made: string): string {
  if (made === text) return "annotations left out";
  return made === `${text}\n` ? "texts apart" : "other text";
}

function blockChange(block: JsonObject, made: JsonObject): readonly string[] {
  const { type, resource } = block;
  if (textOf(made) === "[the result is in structuredContent]") return ["mirror left out"];
  if (textOf(made).endsWith("for the user is not shown here]")) return ["line for a block of the user"];
  if (type === "text") return [textChange(textOf(block), textOf(made))];
  if (type === "resource_link") return ["link as a line"];
  if (type === "resource")
    return [isJsonObject(resource) && "text" in resource ? "embedded text as text" : "file as a line"];
  return ["picture as a line"];
}
