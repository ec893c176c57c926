/** A change of an expression that may mend it. */
export interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

/** What is wrong with an expression, found before it meets any data. */
export class Mistake extends Error {
  override readonly name = "Mistake";
  /** Where in the expression, counted in characters from 0; undefined where no place is to blame. */
  readonly position: number | undefined;
  readonly edit: Edit | undefined;

  constructor(message: string, position?: number, edit?: Edit) {
    super(message);
    this.position = position;
    this.edit = edit;
  }
}

export function applyEdit(expression: string, { at, remove, insert }: Edit): string {
  return expression.slice(0, at) + insert + expression.slice(at + remove);
}
