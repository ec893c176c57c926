import { type Reader, limitIn } from "../../core/readers/reader.ts";
import { readerNamed, unknownReader } from "../../core/readers/readers.ts";
import type { Budget, Limit } from "../../core/pipeline/pipeline-context.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";

/** A smaller budget has no room for an honest cut: envelope, names, hash and how to get the rest. */
export const MIN_BUDGET_TOKENS = 256;
export const MIN_BUDGET_BYTES = 1_024;

export interface CallBudget extends Budget {
  readonly warnings: readonly WarningDetail[];
}

function lower(a: Limit, b: number | undefined): Limit {
  if (b === undefined) return a;
  return a === "off" ? b : Math.min(a, b);
}

function floored(what: string, asked: Limit, least: number): readonly WarningDetail[] {
  if (asked === "off" || asked >= least) return [];
  return [
    {
      code: "TOKEN_BUDGET_FLOORED",
      severity: "warning",
      message: `A budget of ${asked} ${what} is too small for an honest answer: ${least} is used`,
      context: { asked, used: least },
    },
  ];
}

function atLeast(limit: Limit, least: number): Limit {
  return limit === "off" ? limit : Math.max(least, Math.floor(limit));
}

/** A limit of a client, in code: it counts instead of the row of a known reader. */
export interface ClientLimit {
  /** Matches the client's own name, in lower case. */
  readonly match: RegExp;
  readonly name: string;
  readonly tokens?: number;
  readonly bytes?: number;
  /** 2 for a client that shows its model both channels, so that everything counts twice. */
  readonly factor: 1 | 2;
  readonly says: string;
}

/** The row of a client, or the limit of the options that has its name. */
export function limitFor(
  known: readonly ClientLimit[] | boolean,
  clientName: string | undefined,
): ClientLimit | Reader | undefined {
  if (known === true) return readerNamed(clientName) ?? unknownReader;
  const lower = clientName?.toLowerCase();
  return known === false || lower === undefined ? undefined : known.find(({ match }) => match.test(lower));
}

function sizesOf(reader: Reader): Pick<Budget, "characters" | "lines" | "countsEscapes"> {
  const characters = limitIn(reader, "characters");
  const lines = limitIn(reader, "lines");
  return {
    ...(characters === undefined ? {} : { characters, countsEscapes: reader.success === "whole" }),
    ...(lines === undefined ? {} : { lines }),
  };
}

const nothingAround = { tokens: 0, bytes: 0 };

/**
 * The budget, lowered to the limit of a client and raised to the minimum, which is higher where words stand `around`. What both channels cost with a known reader
 * is counted, so only a limit in code halves the budget.
 */
export function settleBudget(
  { tokens, bytes }: Budget,
  client: ClientLimit | Reader | undefined,
  around: { readonly tokens: number; readonly bytes: number } = nothingAround,
): CallBudget {
  const isReader = client !== undefined && "success" in client;
  const limit = isReader
    ? { tokens: limitIn(client, "tokens"), bytes: limitIn(client, "bytes"), factor: 1 }
    : client;
  const share = (value: number | undefined): number | undefined =>
    value === undefined || limit === undefined ? undefined : Math.floor(value / limit.factor);
  const halved = limit?.factor === 2 && tokens !== "off" ? Math.floor(tokens / 2) : tokens;
  const asked = { tokens: lower(halved, share(limit?.tokens)), bytes: lower(bytes, share(limit?.bytes)) };
  const least = { tokens: MIN_BUDGET_TOKENS + around.tokens, bytes: MIN_BUDGET_BYTES + around.bytes };
  return {
    tokens: atLeast(asked.tokens, least.tokens),
    bytes: atLeast(asked.bytes, least.bytes),
    ...(isReader ? sizesOf(client) : {}),
    warnings: [
      ...floored("tokens", asked.tokens, least.tokens),
      ...floored("bytes", asked.bytes, least.bytes),
    ],
  };
}
