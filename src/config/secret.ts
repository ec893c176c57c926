import { inspect } from "node:util";

/** A secret that prints as "set" wherever it is logged, inspected or serialised. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The secret itself, for the code that signs with it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return "set";
  }

  toJSON(): string {
    return "set";
  }

  [inspect.custom](): string {
    return "set";
  }
}
