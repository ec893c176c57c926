/** A change to an expression that may correct it. */
export interface Edit {
  readonly at: number;
  /** How many characters; "quote" means the whole quoted text that begins there. */
  readonly remove: number | "quote";
  readonly insert: string;
}

/** A mistake in an expression, found before it is evaluated. */
export class Mistake extends Error {
  override readonly name = "Mistake";
  /** Where in the expression, in characters from 0; undefined if no single place is wrong. */
  readonly position: number | undefined;
  readonly edit: Edit | undefined;

  constructor(message: string, position?: number, edit?: Edit) {
    super(message);
    this.position = position;
    this.edit = edit;
  }
}

export function applyEdit(expression: string, { at, remove, insert }: Edit): string {
  const end = remove === "quote" ? endOfQuote(expression, at) + 1 : at + remove;
  return expression.slice(0, at) + insert + expression.slice(Math.max(at, end));
}

/** Where the quote that begins at a place ends; -1 if it never does. */
export function endOfQuote(expression: string, start: number): number {
  const quote = expression.charAt(start);
  for (let index = start + 1; index < expression.length; index++) {
    const character = expression.charAt(index);
    if (character === quote) return index;
    if (character === "\\" && ["\\", quote].includes(expression.charAt(index + 1))) index++;
  }
  return -1;
}
