/** What is wrong with an expression, found before it meets any data. */
export class Mistake extends Error {
  override readonly name = "Mistake";
  /** Where in the expression, counted in characters from 0; undefined where no place is to blame. */
  readonly position: number | undefined;

  constructor(message: string, position?: number) {
    super(message);
    this.position = position;
  }
}
