import {
  type Encoding,
  type TokenCounter,
  loadCounter,
  tokenEncodings,
} from "../../core/tokens/token-counter.ts";
import { type PayloadForm, type ReadsBack, type WrittenForm, writeForms } from "./write-forms.ts";

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
export interface Comparison {
  readonly source: string;
  readonly bytes: number;
  /** The budget of the last form. */
  readonly budget_tokens: number;
  readonly forms: readonly FormCost[];
}

/** Counts a payload in every form and both encodings, exactly. */
export async function compareForms(source: string, text: string, budgetTokens: number): Promise<Comparison> {
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
