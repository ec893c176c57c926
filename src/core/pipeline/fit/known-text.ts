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

/** Of more texts in one result than these, the first are forgotten. */
const MAX_TEXTS = 32;

interface Facts {
  lengths?: { readonly codePoints: number; readonly lines: number };
  json?: { readonly value: JsonValue | undefined };
  passages?: readonly Passage[];
  blocks?: readonly CodeBlock[];
  form?: { readonly form: KnownForm; readonly order: LineOrder } | "plain";
}

/** What is known of the texts that several cuts are tried of: they may be long, and are counted and parsed once. */
export class KnownText {
  readonly #facts = new Map<string, Facts>();

  lengthsOf(text: string): { readonly codePoints: number; readonly lines: number } {
    return (this.#factsOf(text).lengths ??= { codePoints: countCodePoints(text), lines: countLines(text) });
  }

  passagesOf(text: string, words: string): readonly Passage[] {
    return (this.#factsOf(text).passages ??= words === "" ? [] : rankPassages(text, words, MAX_RANKED));
  }

  blocksOf(text: string): readonly CodeBlock[] {
    return (this.#factsOf(text).blocks ??= codeBlocksIn(text));
  }

  /** The form of a text and the order of its lines; undefined of plain text. */
  formOf(text: string): { readonly form: KnownForm; readonly order: LineOrder } | undefined {
    const facts = this.#factsOf(text);
    if (facts.form === undefined) {
      const form = recogniseForm(text);
      facts.form = form === undefined ? "plain" : { form, order: orderLines(form) };
    }
    return facts.form === "plain" ? undefined : facts.form;
  }

  /** The list or object in a text that is JSON; undefined if parsing would lose a digit or a key. */
  jsonIn(text: string): JsonValue | undefined {
    const facts = this.#factsOf(text);
    return (facts.json ??= { value: looksLikeJson(text) ? exactJson(text) : undefined }).value;
  }

  #factsOf(text: string): Facts {
    let facts = this.#facts.get(text);
    if (facts === undefined) {
      const [first] = this.#facts.keys();
      if (first !== undefined && this.#facts.size === MAX_TEXTS) this.#facts.delete(first);
      this.#facts.set(text, (facts = {}));
    }
    return facts;
  }
}

function exactJson(text: string): JsonValue | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok || parsed.reordersKeys || parsed.findings.length > 0) return undefined;
  return typeof parsed.value === "object" && parsed.value !== null ? parsed.value : undefined;
}
