import { findBareText } from "./find-bare-text.ts";
import { Mistake, endOfQuote } from "./mistake.ts";

const QUOTES: Readonly<Record<string, string>> = {
  "'": "text",
  '"': "key",
  "`": "JSON value",
};

const READABLE = /[\w\s@$()*,.:[\]{}+%?−×÷!<>=&|/-]/;

/** The first character, or the quote without its end, that no expression can have there. */
export function findUnreadable(expression: string): Mistake | undefined {
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
