import type { JsonValue } from "../../json/json-value.ts";
import { parseJson } from "../../json/parse-json.ts";
import { countCodePoints, countLines } from "../../text/code-points.ts";
import { type CodeBlock, codeBlocksIn } from "../../text/fences.ts";
import { type LineOrder, orderLines } from "../../text/forms/order-lines.ts";
import { type KnownForm, recogniseForm } from "../../text/forms/recognise-form.ts";
import { type Passage, rankPassages } from "../../text/passages.ts";
import { looksLikeJson } from "./cut-text.ts";

/** More passages than these never have room. */
export const MAX_RANKED = 48;

/** What is known of a text that several cuts are tried of: it may be long, and is counted and parsed once. */
export class KnownText {
  #text = "";
  #lengths: { readonly codePoints: number; readonly lines: number } | undefined;
  #json: JsonValue | undefined;
  #isRead = false;
  #passages: readonly Passage[] | undefined;
  #blocks: readonly CodeBlock[] | undefined;
  #form: { readonly form: KnownForm; readonly order: LineOrder } | "plain" | undefined;

  lengthsOf(text: string): { readonly codePoints: number; readonly lines: number } {
    this.#turnTo(text);
    return (this.#lengths ??= { codePoints: countCodePoints(text), lines: countLines(text) });
  }

  passagesOf(text: string, words: string): readonly Passage[] {
    this.#turnTo(text);
    return (this.#passages ??= words === "" ? [] : rankPassages(text, words, MAX_RANKED));
  }

  blocksOf(text: string): readonly CodeBlock[] {
    this.#turnTo(text);
    return (this.#blocks ??= codeBlocksIn(text));
  }

  /** The form of a text and the order of its lines; undefined of plain text. */
  formOf(text: string): { readonly form: KnownForm; readonly order: LineOrder } | undefined {
    this.#turnTo(text);
    if (this.#form === undefined) {
      const form = recogniseForm(text);
      this.#form = form === undefined ? "plain" : { form, order: orderLines(form) };
    }
    return this.#form === "plain" ? undefined : this.#form;
  }

  /** The list or object in a text that is JSON; undefined if parsing would lose a digit or a key. */
  jsonIn(text: string): JsonValue | undefined {
    this.#turnTo(text);
    if (!this.#isRead) this.#json = looksLikeJson(text) ? exactJson(text) : undefined;
    this.#isRead = true;
    return this.#json;
  }

  #turnTo(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#lengths = undefined;
    this.#json = undefined;
    this.#isRead = false;
    this.#passages = undefined;
    this.#blocks = undefined;
    this.#form = undefined;
  }
}

function exactJson(text: string): JsonValue | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok || parsed.reordersKeys || parsed.findings.length > 0) return undefined;
  return typeof parsed.value === "object" && parsed.value !== null ? parsed.value : undefined;
}
