import { compile, tokenize } from "@jmespath-community/jmespath";
import { type ExpressionNode, Mistake, endOfQuote, partsOf } from "./expression-node.ts";
import { isLongNumber } from "./read-json.ts";

type Token = ReturnType<typeof tokenize>[number];

/** The most levels of brackets, of prefix operators, and of projections in a row. */
export const MAX_EXPRESSION_DEPTH = 64;

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
    throw new Mistake(`it is more than ${MAX_EXPRESSION_DEPTH} levels deep there`, tooDeep.start);
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
    return open + prefixes > MAX_EXPRESSION_DEPTH;
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
  if (position >= text.length) return "it ends too early";
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
      : "between backticks comes JSON; text is written with single quotes: 'text'";
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
  return new Mistake(`${what} is written between single quotes`, index, edit);
}

/** Where a part of an expression begins, by its first own token; parts without a token have no place. */
type Places = ReadonlyMap<ExpressionNode, number>;

const COMPARATORS = new Set(["EQ", "NE", "GT", "GTE", "LT", "LTE"]);
const OPERATORS = new Set(["Plus", "Minus", "Multiply", "Star", "Divide", "Modulo", "Div"]);

/**
 * The parser keeps no places. The tree has its parts in the order of the text, so walking the tree and the
 * tokens together finds them.
 */
function locateParts(node: ExpressionNode, tokens: readonly Token[]): Places {
  const places = new Map<ExpressionNode, number>();
  let next = 0;
  const find = (matches: (token: Token, index: number) => boolean): number | undefined => {
    for (let index = next; index < tokens.length; index++) {
      const token = tokens[index];
      if (token === undefined || !matches(token, index)) continue;
      next = index + 1;
      return token.start;
    }
    return undefined;
  };
  const ofType = (types: ReadonlySet<string>): number | undefined => find(({ type }) => types.has(type));
  const named = (name: string, isCall: boolean): number | undefined =>
    find(
      ({ type, value }, index) =>
        ["UnquotedIdentifier", "QuotedIdentifier"].includes(type) &&
        value === name &&
        ((tokens[index + 1]?.type as string | undefined) === "Lparen") === isCall,
    );
  const put = (part: ExpressionNode, place: number | undefined): void => {
    if (place !== undefined) places.set(part, place);
  };
  const visit = (part: ExpressionNode): void => {
    if (part.type === "Field") put(part, named(part.name, false));
    if (part.type === "Function") put(part, named(part.name, true));
    if (part.type === "Variable")
      put(
        part,
        find(({ type, value }) => (type as string) === "Variable" && value === part.name),
      );
    if (part.type === "ExpressionReference") put(part, ofType(new Set(["Expref"])));
    if (part.type === "Binding") put(part, ofType(new Set(["Assign"])));
    if (part.type === "Slice") put(part, ofType(new Set(["Lbracket"])));
    if (part.type === "Literal") put(part, ofType(new Set(["Literal"])));
    if (part.type === "MultiSelectHash") {
      for (const { name, value } of part.children) {
        named(name, false);
        visit(value);
      }
      return;
    }
    if (part.type === "Comparator" || part.type === "Arithmetic") {
      visit(part.left);
      put(part, ofType(part.type === "Comparator" ? COMPARATORS : OPERATORS));
      visit(part.right);
      return;
    }
    for (const inner of partsOf(part)) visit(inner);
  };
  visit(node);
  return places;
}

/** Where a part begins that may have no token of its own: at the first of its sub-parts. */
function beginningOf(node: ExpressionNode, places: Places): number | undefined {
  const inner = partsOf(node).map((part) => beginningOf(part, places));
  const known = [places.get(node), ...inner].filter((place) => place !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** An expression in the form that the parser takes, with a function that maps a place back to the original text. */
interface WrittenExpression {
  readonly text: string;
  readonly toOriginal: (position: number) => number;
}

/** Tokens with which a value can end: a minus after them is a subtraction. */
const ENDS_OF_VALUES: ReadonlySet<string> = new Set([
  "UnquotedIdentifier",
  "QuotedIdentifier",
  "Literal",
  "Number",
  "Rbracket",
  "Rparen",
  "Rbrace",
  "Current",
  "Root",
  "Variable",
  "Flatten",
]);

function isBehindValue(tokens: readonly Token[], index: number): boolean {
  return ENDS_OF_VALUES.has(tokens[index - 1]?.type ?? "");
}

/** A `*` between two values, not one of `[*]` or `.*`. */
function isMultiplication(tokens: readonly Token[], index: number): boolean {
  return (tokens[index]?.type as string | undefined) === "Star" && isBehindValue(tokens, index);
}

/** A number in JSON form; others, such as 007, are left to the parser, which refuses them. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+(?:[eE][+-]?\d+)?)?(?!\d)/;
/** A number between backticks. */
const QUOTED_NUMBER = /^(`\s*)(-?\d{16,})\s*`/;
/** The lexer reads "1-2" as one number. */
const SUBTRACTED = /^(-)(?:0|[1-9]\d*)(?!\d)/;

/**
 * JMESPath requires numbers between backticks, and models write them without: `[?price > 10]`. Numbers that
 * are neither an index nor part of a slice get backticks here, where they can mean nothing else. `a-1`
 * becomes a subtraction. A `*` between values becomes `×`: the parser binds `*` more strongly than `/`, and
 * would read `a / b * c` as `a / (b * c)`.
 */
function writePlainly(expression: string, tokens: readonly Token[]): WrittenExpression {
  const places = placesOf(tokens);
  const inserted: number[] = [];
  let text = "";
  let copied = 0;
  const put = (character: string): void => {
    inserted.push(text.length);
    text += character;
  };
  tokens.forEach((token, index) => {
    if (isMultiplication(tokens, index)) {
      text += `${expression.slice(copied, token.start)}×`;
      copied = token.start + 1;
    }
    const [, before = "", long = ""] = QUOTED_NUMBER.exec(expression.slice(token.start)) ?? [];
    if ((token.type as string) === "Literal" && isLongNumber(long)) {
      text += expression.slice(copied, token.start + before.length);
      put('"');
      text += long;
      put('"');
      copied = token.start + before.length + long.length;
    }
    if ((token.type as string) !== "Number" || places.has(index) || token.start < copied) return;
    text += expression.slice(copied, token.start);
    copied = token.start;
    if (expression[copied] === "-" && isBehindValue(tokens, index)) {
      text += "-";
      copied++;
    }
    for (let found = NUMBER.exec(expression.slice(copied)); found !== null;) {
      const [number, sign = ""] = found;
      text += sign;
      const marks = isLongNumber(number) ? ["`", '"'] : ["`"];
      for (const mark of marks) put(mark);
      text += number.slice(sign.length);
      for (const mark of marks.toReversed()) put(mark);
      copied += number.length;
      found = SUBTRACTED.exec(expression.slice(copied));
    }
  });
  text += expression.slice(copied);
  return {
    text,
    toOriginal: (position) => position - inserted.filter((place) => place < position).length,
  };
}

/** Numbers that are an index or part of a slice: between `[` and `]` with only numbers and colons. */
function placesOf(tokens: readonly Token[]): Set<number> {
  const places = new Set<number>();
  tokens.forEach((token, index) => {
    if ((token.type as string) !== "Lbracket") return;
    let end = index + 1;
    while (["Number", "Colon"].includes(tokens[end]?.type ?? "")) end++;
    if ((tokens[end]?.type as string | undefined) !== "Rbracket") return;
    for (let place = index + 1; place < end; place++) places.add(place);
  });
  return places;
}
