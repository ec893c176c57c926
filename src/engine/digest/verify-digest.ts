import { countCodePoints } from "../../core/text/code-points.ts";
import {
  type DigestPayload,
  type EvidenceSnippet,
  type Locator,
  formatLocator,
  parseLocator,
} from "../../core/contract/digest-payload.ts";
import {
  hashText,
  toCodePoints,
  toUnits,
  canonicalPages,
  canonicalText,
  wellFormed,
} from "./canonical-text.ts";
import {
  PayloadError,
  countDigestChars,
  deserializePayload,
  validatePayload,
} from "./payload/serialize-payload.ts";
import type { TypeHints } from "./sources/detect-type.ts";
import { readDocument } from "./sources/read-document.ts";
import type { DocumentPage } from "./document.ts";

const CONTEXT_LENGTH = 24;

function excerpt(points: readonly string[], from: number): string {
  const part = points.slice(from, from + CONTEXT_LENGTH).join("");
  return part === "" ? "the end" : JSON.stringify(part);
}

/** Where two texts first differ, in code points, and how each continues from there. */
function firstDifference(said: string, found: string, start: number): string {
  const [left, right] = [Array.from(said), Array.from(found)];
  let at = 0;
  while (at < left.length && at < right.length && left[at] === right[at]) at++;
  return `differs at character ${start + at}: the digest has ${excerpt(left, at)}, the document ${excerpt(right, at)}`;
}

/** The sentences of a summary, approximately: if the whole is in the document, a piece is too. */
function sentencesOf(summary: string): readonly string[] {
  const pieces = summary.match(/[^.!?。！？।؟]*[.!?。！？।؟]+["'”’»)\]]*|[^.!?。！？।؟]+$/gu) ?? [];
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== "");
}

/** How many of some texts are in a document word for word. */
function countQuoted(
  text: string,
  quotes: readonly string[],
): { readonly found: number; readonly total: number } {
  return { found: quotes.filter((quote) => text.includes(quote)).length, total: quotes.length };
}

const verifyChecks = ["payload", "hash", "length", "size", "locator", "quote", "page"] as const;
export type VerifyCheck = (typeof verifyChecks)[number];

/** One problem of a digest. */
export interface VerifyProblem {
  readonly check: VerifyCheck;
  /** `evidence_snippets[2].text` */
  readonly path: string;
  readonly message: string;
}

export interface VerifyReport {
  readonly valid: boolean;
  /** In the order of the payload; start with the first. */
  readonly problems: readonly VerifyProblem[];
  /** How many quotes are at their locators. */
  readonly quotes: { readonly exact: number; readonly total: number };
  /** How many sentences of the summary, and how many key points, are in the text word for word. */
  readonly summary: { readonly found: number; readonly total: number };
  readonly keyPoints: { readonly found: number; readonly total: number };
  /** Whether the pages of locators could be checked: a text without pages has none. */
  readonly pagesChecked: boolean;
  /** The form of the text that has the payload's hash. */
  readonly form?: Form["name"];
}

function checkPage(
  { page, start, end }: Locator,
  form: Form,
  toUnit: (point: number) => number,
): string | undefined {
  if (page === undefined || form.pages === undefined) return undefined;
  const [from, to] = [toUnit(start), toUnit(end)];
  const told = form.pages.find(({ number }) => number === page);
  if (told !== undefined && from >= told.start && to <= told.end) return undefined;
  const real = form.pages.find((one) => from >= one.start && to <= one.end);
  if (real !== undefined) return `says page ${page}, but it is on page ${real.number}`;
  return told === undefined && form.pages.length > 0
    ? `says page ${page}, but the document has ${form.pages.length} pages`
    : `says page ${page}, but it is not on one page`;
}

function elsewhere(text: string, quote: string): string {
  const at = quote === "" ? -1 : text.indexOf(quote);
  if (at === -1) return "It is nowhere in the document.";
  const [start = 0, end = 0] = toCodePoints(text, [at, at + quote.length]);
  return `It is at ${formatLocator({ start, end })}.`;
}

/** The problem of one snippet, if it has one. */
function checkSnippet(
  { text: quote, locator }: EvidenceSnippet,
  form: Form,
  path: string,
): VerifyProblem | undefined {
  const place = parseLocator(locator);
  // The schema has checked that it is one.
  if (place === undefined) return { check: "locator", path: `${path}.locator`, message: "is not a locator" };
  const [from, to] = toUnits(form.text, [place.start, place.end]);
  if (from === undefined || to === undefined) {
    const message = `${locator} ends after the text of ${countCodePoints(form.text)} characters`;
    return { check: "locator", path: `${path}.locator`, message };
  }
  const found = form.text.slice(from, to);
  if (found !== quote) {
    const message = `${firstDifference(quote, found, place.start)}. ${elsewhere(form.text, quote)}`;
    return { check: "quote", path: `${path}.text`, message };
  }
  const units = new Map([
    [place.start, from],
    [place.end, to],
  ]);
  const says = checkPage(place, form, (point) => units.get(point) ?? 0);
  return says === undefined ? undefined : { check: "page", path: `${path}.locator`, message: says };
}

/**
 * The sizes that a payload may claim: as we send it, as the seed's system sends it, or the characters of its
 * texts alone.
 */
function sizesOf(payload: DigestPayload): readonly number[] {
  const { summary, key_points, evidence_snippets } = payload;
  const words = [summary, ...key_points, ...evidence_snippets.map(({ text }) => text)];
  return [
    countDigestChars(payload),
    countDigestChars(payload, { compat: "foundry" }),
    words.reduce((sum, text) => sum + countCodePoints(text), 0),
  ];
}

function checkWhole(payload: DigestPayload, form: Form, isMatch: boolean, hash: string): VerifyProblem[] {
  const problems: VerifyProblem[] = [];
  if (!isMatch) {
    const message = `is ${payload.source_text_hash}, but the document's canonical text has ${hash}`;
    problems.push({ check: "hash", path: "source_text_hash", message });
  }
  const length = countCodePoints(form.text);
  if (length !== payload.original_chars) {
    const message = `is ${payload.original_chars}, but the text has ${length} characters`;
    problems.push({ check: "length", path: "original_chars", message });
  }
  if (!sizesOf(payload).includes(payload.digest_chars)) {
    const message = `is ${payload.digest_chars}, but the payload has ${countDigestChars(payload)} characters`;
    problems.push({ check: "size", path: "digest_chars", message });
  }
  return problems;
}

const nothing = { found: 0, total: 0 };

function refused(error: unknown): VerifyReport {
  if (!(error instanceof PayloadError)) throw error;
  const problems = error.issues.map((issue) => ({ check: "payload", ...issue }) as const);
  const quotes = { exact: 0, total: 0 };
  return { valid: false, problems, quotes, summary: nothing, keyPoints: nothing, pagesChecked: false };
}

/** The name of a file shows its type, and a digest may be checked without it. */
const textTypes = ["text/markdown", "text/html", "text/plain"] as const;

/** The text from which the payload was made: the source read as its type, else as another type of text. */
async function findForm(
  source: VerifySource | Uint8Array,
  hints: TypeHints,
  hash: string,
): Promise<{ readonly form: Form; readonly isMatch: boolean }> {
  const document = source instanceof Uint8Array ? await readDocument(source, hints) : undefined;
  const first = await chooseForm(document ?? (source as VerifySource), hash);
  if (first.isMatch || document?.type === "pdf") return first;
  if (typeof source !== "string" && !(source instanceof Uint8Array)) return first;
  for (const contentType of textTypes) {
    const other = await readDocument(source, { contentType }).catch(() => undefined);
    const found = other === undefined ? first : await chooseForm(other, hash);
    if (found.isMatch) return found;
  }
  return first;
}

/**
 * Whether a digest is true: its hash is the document's, and every quote is at its locator. Takes the payload
 * or its text, and the document: its bytes, or its text, canonical or not. With pages, page numbers are
 * checked too. A summary in its own words is not a problem; the report says how much of it is quoted.
 */
export async function verifyDigest(
  value: unknown,
  source: VerifySource | Uint8Array,
  hints: TypeHints = {},
): Promise<VerifyReport> {
  let payload: DigestPayload;
  try {
    payload = typeof value === "string" ? deserializePayload(value) : validatePayload(value);
  } catch (error) {
    return refused(error);
  }
  const { form, isMatch } = await findForm(source, hints, payload.source_text_hash);
  const whole = checkWhole(payload, form, isMatch, isMatch ? "" : await hashText(form.text));
  const snippets = payload.evidence_snippets.flatMap(
    (snippet, index) => checkSnippet(snippet, form, `evidence_snippets[${index}]`) ?? [],
  );
  const total = payload.evidence_snippets.length;
  const wrong = snippets.filter(({ check }) => check !== "page").length;
  const problems = [...snippets, ...whole];
  return {
    valid: problems.length === 0,
    problems,
    quotes: { exact: total - wrong, total },
    summary: countQuoted(form.text, sentencesOf(payload.summary)),
    keyPoints: countQuoted(form.text, payload.key_points),
    pagesChecked: form.pages !== undefined,
    ...(isMatch ? { form: form.name } : {}),
  };
}

/** What a digest is checked against: its document's text, canonical or not, and its pages if it has any. */
export type VerifySource =
  | string
  | { readonly text: string; readonly pages?: readonly DocumentPage[] | undefined }
  | { readonly pages: readonly string[] };

/** A text from which a payload may have been made. */
interface Form {
  readonly name: "as_given" | "canonical" | "foundry";
  readonly text: string;
  readonly pages?: readonly DocumentPage[] | undefined;
}

/** The text as given, and other forms from which the payload may have been made; each is made only on demand. */
function* formsOf(source: VerifySource): Generator<Form> {
  if (typeof source === "object" && !("text" in source)) {
    yield { name: "canonical", ...canonicalPages(source.pages) };
    yield { name: "foundry", ...canonicalPages(source.pages, { compat: "foundry" }) };
    return;
  }
  const { text, pages } = typeof source === "string" ? { text: source, pages: undefined } : source;
  // Bytes cannot carry half a surrogate pair, so no digest was made from one.
  yield { name: "as_given", text: wellFormed(text), pages };
  const canonical = canonicalText(text);
  // Pages are positions in the text as it was given.
  if (canonical !== text) yield { name: "canonical", text: canonical };
  yield { name: "foundry", text: canonicalText(text, { compat: "foundry" }) };
}

/** The form with the expected hash; without one, the canonical text, so that quotes can still be searched for. */
async function chooseForm(source: VerifySource, hash: string): Promise<{ form: Form; isMatch: boolean }> {
  const forms: Form[] = [];
  for (const form of formsOf(source)) {
    if ((await hashText(form.text)) === hash) return { form, isMatch: true };
    forms.push(form);
  }
  const form = forms.find(({ name }) => name === "canonical") ?? forms[0];
  return { form: form ?? { name: "as_given", text: "" }, isMatch: false };
}
