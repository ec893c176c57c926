import type { tokenize } from "@jmespath-community/jmespath";
import { isLongNumber } from "./read-json.ts";

type Token = ReturnType<typeof tokenize>[number];

/** An expression in the form that the parser takes, with a function that maps a place back to the original text. */
export interface WrittenExpression {
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
export function isMultiplication(tokens: readonly Token[], index: number): boolean {
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
export function writePlainly(expression: string, tokens: readonly Token[]): WrittenExpression {
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
