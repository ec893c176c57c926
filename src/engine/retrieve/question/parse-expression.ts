import { compile, tokenize } from "@jmespath-community/jmespath";
import type { ExpressionNode } from "./expression-node.ts";
import { type Places, beginningOf, locateParts } from "./locate-parts.ts";
import { Mistake, endOfQuote } from "./mistake.ts";
import { isMultiplication, writePlainly } from "./write-plainly.ts";

type Token = ReturnType<typeof tokenize>[number];

/** The most levels of brackets, of prefix operators, and of projections in a row. */
export const MAX_DEPTH = 64;

/** A valid expression, and where its parts are in the text. */
export interface ParsedExpression {
  readonly node: ExpressionNode;
  /** Where a part begins, in characters from 0; undefined for a part that has no text of its own. */
  readonly placeOf: (part: ExpressionNode) => number | undefined;
}

/** Throws a `Mistake` that says where the expression stops making sense. */
export function parseExpression(expression: string): ParsedExpression {
  const unreadable = findUnreadable(expression);
  if (unreadable !== undefined) throw unreadable;
  const tokens = tokensOf(expression);
  const tooDeep = tokens[findTooDeep(tokens)];
  if (tooDeep !== undefined)
    throw new Mistake(`it is more than ${MAX_DEPTH} levels deep there`, tooDeep.start);
  const { text, toOriginal } = writePlainly(expression, tokens);
  const node = tryToParse(text);
  if (node instanceof Error) {
    const position = toOriginal(findMistake(text));
    throw new Mistake(sayWhatIsWrong(expression, position), position);
  }
  // Places are needed only for explanations, so hardly ever.
  let places: Places | undefined;
  const placeOf = (part: ExpressionNode): number | undefined => {
    places ??= locateParts(node, tokenize(text));
    const place = beginningOf(part, places);
    return place === undefined ? undefined : toOriginal(place);
  };
  return { node, placeOf };
}

function tokensOf(expression: string): readonly Token[] {
  try {
    return tokenize(expression);
  } catch {
    throw new Mistake("it cannot be read as JMESPath");
  }
}

function tryToParse(text: string): ExpressionNode | Error {
  try {
    return compile(text);
  } catch (error) {
    return error instanceof Error ? error : new Error("unknown");
  }
}

const OPENING = new Set(["Lparen", "Lbracket", "Lbrace", "Filter"]);
const CLOSING = new Set(["Rparen", "Rbracket", "Rbrace"]);
const PREFIXES = new Set(["Not", "Expref", "Minus", "Plus"]);
const PROJECTING = new Set(["Star", "Flatten", "Filter", "Lbracket"]);
const SEPARATING = new Set(["Comma", "Pipe", "Or", "And", "EQ", "NE", "GT", "GTE", "LT", "LTE"]);

/** The token at which an expression becomes too deep for the parser's recursion, -1 if it never does. */
function findTooDeep(tokens: readonly Token[]): number {
  // For each open bracket: what nests inside it without its own bracket.
  const levels = [{ tails: 0, row: 0 }];
  let prefixes = 0;
  return tokens.findIndex(({ type, value }, index) => {
    const level = levels.at(-1) ?? { tails: 0, row: 0 };
    prefixes = PREFIXES.has(type) ? prefixes + 1 : 0;
    if (SEPARATING.has(type)) level.row = 0;
    if (PROJECTING.has(type) && !isMultiplication(tokens, index)) level.row++;
    // The text after these tokens nests in the text before, up to the end of the bracket.
    if ((type as string) === "Question" || value === "let") level.tails++;
    if (OPENING.has(type)) levels.push({ tails: 0, row: 0 });
    if (CLOSING.has(type) && levels.length > 1) levels.pop();
    const open = levels.reduce((sum, { tails, row }) => sum + 1 + tails + row, 0);
    return open + prefixes > MAX_DEPTH;
  });
}

/**
 * Where the parser fails, which it does not report. A beginning of the expression without the mistake fails
 * because of what is missing at its end; a beginning with the mistake fails because of the mistake.
 */
function findMistake(text: string): number {
  const tokens = tokensOf(text);
  let fine = 0;
  let wrong = tokens.length;
  while (fine < wrong) {
    const middle = Math.floor((fine + wrong) / 2);
    const end = tokens[middle + 1]?.start ?? text.length;
    if (middle < tokens.length && isOnlyUnfinished(text.slice(0, end))) fine = middle + 1;
    else wrong = middle;
  }
  return tokens[fine]?.start ?? text.length;
}

function isOnlyUnfinished(part: string): boolean {
  const failure = tryToParse(part);
  return !(failure instanceof Error) || failure instanceof TypeError || /\bEOF\b/.test(failure.message);
}

function sayWhatIsWrong(text: string, position: number): string {
  if (position >= text.length) return "it ends too early: a bracket is not closed, or something is missing";
  const near = text.slice(position, position + 20);
  return `\`${near}${position + 20 < text.length ? "…" : ""}\` does not fit there`;
}

const QUOTES: Readonly<Record<string, string>> = {
  "'": "text",
  '"': "key",
  "`": "JSON value",
};

const READABLE = /[\w\s@$()*,.:[\]{}+%?−×÷!<>=&|/-]/;

/** The first character, or the unclosed quote, that no expression can have at its place. */
function findUnreadable(expression: string): Mistake | undefined {
  for (let index = 0; index < expression.length; index++) {
    const character = expression.charAt(index);
    const quoted = QUOTES[character];
    if (quoted === undefined) {
      if (!READABLE.test(character))
        return new Mistake(`the character ${JSON.stringify(character)} means nothing in JMESPath`, index);
      const bare = findBareText(expression, index);
      if (bare !== undefined) return bare;
      continue;
    }
    const end = endOfQuote(expression, index);
    if (end === -1) return new Mistake(`the ${quoted} that begins with ${character} has no end`, index);
    const problem = problemInside(character, expression.slice(index + 1, end));
    if (problem !== undefined) return new Mistake(problem, index);
    index = end;
  }
  return undefined;
}

function problemInside(quote: string, inside: string): string | undefined {
  if (quote === "'") return undefined;
  try {
    JSON.parse(quote === '"' ? `"${inside}"` : inside.replaceAll("\\`", "`"));
    return undefined;
  } catch {
    return quote === '"'
      ? "the key between double quotes is not written as JSON writes it"
      : "between backticks stands JSON; text is written with single quotes: 'text'";
  }
}

/** A day or a time as in ISO 8601, also with a month of one digit. Computed as numbers, `2026-1-16` would be 2009. */
const DATE = /^\d{4}-\d{1,2}-\d{1,2}(?!\d)(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?/i;
const MONTH = /^\d{4}-0\d(?!\d)/;
/** A post code or an account number: JSON has no such numbers. */
const LEADING_ZERO = /^0\d+/;

/** A date, or a number with a leading zero, without the quotes of a text. */
function findBareText(expression: string, index: number): Mistake | undefined {
  if (/[\w.]/.test(expression.charAt(index - 1)) || !/\d/.test(expression.charAt(index))) return undefined;
  const rest = expression.slice(index, index + 40);
  const [date] = DATE.exec(rest) ?? MONTH.exec(rest) ?? [];
  const [zero] = LEADING_ZERO.exec(rest) ?? [];
  const found = date ?? zero;
  if (found === undefined) return undefined;
  const what = date === undefined ? "a number has no zero in front, and text" : "a date is text, which";
  const edit = { at: index, remove: found.length, insert: `'${found.replace(/-(\d)(?!\d)/g, "-0$1")}'` };
  return new Mistake(`${what} stands between single quotes`, index, edit);
}
