import type * as Toon from "@toon-format/toon";
import { wrapData } from "../../core/contract/envelope.ts";
import type { Outcome } from "../../core/contract/outcome.ts";
import { defaultSettings } from "../../engine/settings/settings.ts";
import { defineTool } from "../../engine/settings/tool-definition.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { mainCollection } from "../../core/json/main-collection.ts";
import { parseJson } from "../../core/json/parse-json.ts";
import { getByPointer } from "../../core/json/pointer.ts";
import { decodeTables } from "../../core/json/table/decode-tables.ts";
import { encodeTables } from "../../core/json/table/encode-tables.ts";
import { formatCount } from "../../core/report/page-text.ts";
import { blockText } from "../../core/pipeline/parcel.ts";
import { runTool } from "../../doors/testing/run-tool.ts";
import {
  type Encoding,
  type TokenCounter,
  loadCounter,
  tokenEncodings,
} from "../../core/tokens/token-counter.ts";

/** The forms in which one payload can reach a model. */
export const payloadForms = ["as_given", "minified", "tables", "toon", "envelope", "cut"] as const;
export type PayloadForm = (typeof payloadForms)[number];

/** What a reader gets back: the payload exactly, something else, or a part, with the rest in the archive. */
export type ReadsBack = "exact" | "changed" | "in_part";

export interface WrittenForm {
  readonly form: PayloadForm;
  /** Undefined if the payload has no such form; the remark then says why. */
  readonly text?: string | undefined;
  readonly readsBack?: ReadsBack | undefined;
  readonly remark?: string | undefined;
}

/** What is used of the package that writes TOON. */
type ToonPackage = Pick<typeof Toon, "encode" | "decode">;

/** The version that our tests run with. */
export const TOON_PACKAGE = "@toon-format/toon@4.4.0";

/** Only this comparison needs the package, so it is not installed with us; undefined where it is not there. */
async function loadToon(): Promise<ToonPackage | undefined> {
  return import("@toon-format/toon").catch(() => undefined);
}

/**
 * Writes a payload in every form, TOON only if its package is installed. Text that is not JSON, or that parsing would
 * change, stays text. `load` is for tests, which have the package.
 */
export async function writeForms(
  text: string,
  budgetTokens: number,
  load: () => Promise<ToonPackage | undefined> = loadToon,
): Promise<readonly WrittenForm[]> {
  const { value, why } = valueOf(text);
  const toon = await load();
  const jsonForms = (["minified", "tables", "toon"] as const).filter(
    (form) => form !== "toon" || toon !== undefined,
  );
  const asJson =
    value === undefined
      ? jsonForms.map((form) => ({ form, remark: why }))
      : [writeMinified(value), writeTables(value), ...(toon === undefined ? [] : [writeToon(value, toon)])];
  return [
    { form: "as_given", text, readsBack: "exact" },
    ...asJson,
    await send("envelope", value, text, "off"),
    await send("cut", value, text, budgetTokens),
  ];
}

/** The value of a JSON text if parsing loses nothing, or why it cannot be parsed. */
function valueOf(text: string): { readonly value?: JsonValue; readonly why?: string } {
  const parsed = parseJson(text);
  if (!parsed.ok) {
    const [{ kind, line, column }] = parsed.findings;
    if (kind === "depth") return { why: "it is nested too deeply to be parsed" };
    if (text.startsWith("\uFEFF")) return { why: "it begins with a byte order mark, which is not JSON" };
    // If the text was meant to be JSON, the position of the mistake helps.
    return {
      why: /^\s*[[{]/.test(text) ? `it is not JSON (line ${line}, column ${column})` : "it is not JSON",
    };
  }
  // Half a surrogate pair is kept: it is written back as the escape it came from.
  const lost = parsed.findings.find(({ kind }) => kind !== "lone-surrogate");
  if (lost !== undefined) return { why: `it would change by being parsed (line ${lost.line})` };
  return parsed.reordersKeys
    ? { why: "its keys would change places by being parsed" }
    : { value: parsed.value };
}

function writeMinified(value: JsonValue): WrittenForm {
  return { form: "minified", text: JSON.stringify(value), readsBack: "exact" };
}

function writeTables(value: JsonValue): WrittenForm {
  const encoded = encodeTables(value);
  const text = JSON.stringify(encoded);
  const back = decodeTables(JSON.parse(text) as JsonValue);
  const remark = encoded === value ? "nothing in it is shorter as a table" : undefined;
  return { form: "tables", text, readsBack: compare(back, value), remark };
}

function writeToon(value: JsonValue, { encode, decode }: ToonPackage): WrittenForm {
  let text: string;
  try {
    text = encode(value);
  } catch {
    return { form: "toon", remark: "its package cannot write this payload" };
  }
  try {
    const readsBack = compare(decode(text), value);
    return {
      form: "toon",
      text,
      readsBack,
      remark: readsBack === "exact" ? undefined : "it reads back changed",
    };
  } catch {
    return { form: "toon", text, readsBack: "changed", remark: "its package cannot read it back" };
  }
}

function compare(back: JsonValue, value: JsonValue): ReadsBack {
  return JSON.stringify(back) === JSON.stringify(value) ? "exact" : "changed";
}

/** The payload as the result of a real call, under a contract that nothing from outside affects. */
async function send(
  form: "envelope" | "cut",
  value: JsonValue | undefined,
  text: string,
  tokens: number | "off",
): Promise<WrittenForm> {
  const given = value === undefined ? { content: [{ type: "text" as const, text }] } : { value };
  const tool = defineTool("payload", { description: "Gives the payload" }, () =>
    "value" in given ? (given.value as JsonObject) : given,
  );
  // A request id would be counted, and differ in every run: `minimal` has none.
  const contract = {
    name: "tokens",
    dialect: "response-v2",
    profile: "minimal",
    budget: { tokens, bytes: "off" },
    config: defaultSettings,
    validate: "never",
    logLevel: "silent",
  } as const;
  const { result, outcome } = await runTool(tool, {}, { contract });
  const isCut = outcome.notes.fidelity !== undefined;
  const remark = isCut ? describeCut(value, outcome) : form === "cut" ? "it fits, nothing is cut" : undefined;
  return { form, text: textOf(result), readsBack: isCut ? "in_part" : "exact", remark };
}

/** All text that a model reads. */
function textOf({ content }: JsonObject): string {
  const blocks = Array.isArray(content) ? (content as readonly JsonValue[]) : [];
  return blocks.map((block) => (isJsonObject(block) ? blockText(block) : "")).join("\n");
}

function describeCut(value: JsonValue | undefined, outcome: Outcome): string {
  const list = value === undefined ? undefined : mainCollection(wrapData(value));
  const rest = "the rest comes back from the archive";
  if (list === undefined || !outcome.ok) return `a part is kept, ${rest}`;
  const found = getByPointer(wrapData(outcome.data), list.pointer);
  const kept = Array.isArray(found) ? found.length : 0;
  return `${formatCount(kept)} of ${formatCount(list.items.length)} records are kept, ${rest}`;
}

type ByEncoding = Readonly<Record<Encoding, number>>;

/** The cost of one form, with the names of `--json`. */
export interface FormCost {
  readonly form: PayloadForm;
  /** Null, with a remark, if the payload has no such form. */
  readonly tokens: ByEncoding | null;
  readonly bytes: number | null;
  /** Relative to the payload as given; negative if the form is longer. */
  readonly saved_percent: ByEncoding | null;
  readonly reads_back: ReadsBack | null;
  readonly remark: string | null;
}

/** One payload in all its forms. */
export interface FormComparison {
  readonly source: string;
  readonly bytes: number;
  /** The budget of the last form. */
  readonly budget_tokens: number;
  readonly forms: readonly FormCost[];
}

/** Counts a payload in every form and both encodings, exactly. */
export async function compareForms(
  source: string,
  text: string,
  budgetTokens: number,
): Promise<FormComparison> {
  const counters = await Promise.all(tokenEncodings.map((encoding) => loadCounter(encoding)));
  const written = await writeForms(text, budgetTokens);
  const counted = new Map<string, ByEncoding>();
  // Some forms often have the same text, and counting a long one takes seconds.
  const countOnce = (form: string): ByEncoding => {
    const known = counted.get(form) ?? countAll(form, counters);
    counted.set(form, known);
    return known;
  };
  return {
    source,
    bytes: Buffer.byteLength(text),
    budget_tokens: budgetTokens,
    forms: written.map((form) => costOf(form, countOnce(text), countOnce)),
  };
}

function costOf(written: WrittenForm, given: ByEncoding, count: (text: string) => ByEncoding): FormCost {
  const { form, text, readsBack = null, remark = null } = written;
  if (text === undefined)
    return { form, tokens: null, bytes: null, saved_percent: null, reads_back: null, remark };
  const tokens = count(text);
  const saved = (encoding: Encoding): number => savedPercent(tokens[encoding], given[encoding]);
  return {
    form,
    tokens,
    bytes: Buffer.byteLength(text),
    saved_percent: { o200k_base: saved("o200k_base"), cl100k_base: saved("cl100k_base") },
    reads_back: readsBack,
    remark,
  };
}

function countAll(text: string, counters: readonly TokenCounter[]): ByEncoding {
  const [o200k, cl100k] = counters.map((counter) => counter.count(text));
  return { o200k_base: o200k ?? 0, cl100k_base: cl100k ?? 0 };
}

const MOST_PERCENT = 99.9;

/** Rounded to one decimal; a form that costs something never saves 100 %. */
function savedPercent(own: number, given: number): number {
  if (given === 0) return 0;
  // Without the addition a small loss would be printed as -0.
  const percent = Math.round(((given - own) / given) * 1_000) / 10 + 0;
  return own === 0 ? percent : Math.min(percent, MOST_PERCENT);
}

/** The name of a form: `cut to 8,000` includes its budget. */
export function formName(
  form: PayloadForm,
  { budget_tokens }: Pick<FormComparison, "budget_tokens">,
): string {
  const names: Readonly<Record<PayloadForm, string>> = {
    as_given: "as given",
    minified: "minified",
    tables: "tables",
    toon: "TOON",
    envelope: "envelope",
    cut: `cut to ${formatCount(budget_tokens)}`,
  };
  return names[form];
}
