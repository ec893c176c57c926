// A text that a regular expression matches. The expression is only read, never run: one of a stranger may run for ever.
// It understands what schemas use; of anything else it gives none, and whether the text is right the schema judges.

const MAX_PATTERN = 2_000;
const MAX_TEXT = 2_000;

const classes: Readonly<Record<string, string>> = {
  d: "0",
  w: "a",
  s: " ",
  D: "a",
  W: "-",
  S: "a",
  t: "\t",
  n: "\n",
  r: "\r",
  p: "a",
  P: "0",
  u: "a",
};
/** Tried in this order for a class that names what is not allowed. */
const candidates = ["a", "0", "A", "-", "_", " ", ".", "x", "1", "Z", ",", ";", ":", "/"];

class UnknownPattern extends Error {}

class PatternReader {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** One of the alternatives: the first that gives any text. */
  alternatives(): string {
    let chosen = this.#sequence();
    while (this.#peek() === "|") {
      this.#at += 1;
      const other = this.#sequence();
      if (chosen === "") chosen = other;
    }
    return chosen;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#pattern.length;
  }

  #peek(): string {
    return this.#pattern.charAt(this.#at);
  }

  #sequence(): string {
    let text = "";
    while (!this.isAtEnd && this.#peek() !== "|" && this.#peek() !== ")") {
      const atom = this.#atom();
      text += atom.repeat(Math.min(this.#times(), MAX_TEXT));
      if (text.length > MAX_TEXT) throw new UnknownPattern();
    }
    return text;
  }

  #atom(): string {
    const character = this.#peek();
    this.#at += 1;
    if (character === "^" || character === "$") return "";
    if (character === ".") return "a";
    if (character === "(") return this.#group();
    if (character === "[") return this.#class();
    if (character === "\\") return this.#escape();
    return character;
  }

  #group(): string {
    const opening = /^\?(?::|<[A-Za-z]\w*>)/.exec(this.#pattern.slice(this.#at));
    if (opening !== null) this.#at += opening[0].length;
    else if (this.#peek() === "?") throw new UnknownPattern();
    const text = this.alternatives();
    if (this.#peek() !== ")") throw new UnknownPattern();
    this.#at += 1;
    return text;
  }

  #escape(): string {
    const letter = this.#peek();
    this.#at += 1;
    if (letter === "b" || letter === "B") return "";
    if (letter === "p" || letter === "P") {
      const name = /^\{[^}]*\}/.exec(this.#pattern.slice(this.#at));
      this.#at += name?.[0].length ?? 0;
    }
    if (/[1-9kuxc]/.test(letter)) throw new UnknownPattern();
    return classes[letter] ?? letter;
  }

  #class(): string {
    const isNegated = this.#peek() === "^";
    if (isNegated) this.#at += 1;
    const allowed: string[] = [];
    for (let isFirst = true; isFirst || this.#peek() !== "]"; isFirst = false) {
      if (this.isAtEnd) throw new UnknownPattern();
      const character = this.#peek();
      this.#at += 1;
      allowed.push(character === "\\" ? this.#escape() : character);
      // Of a range its beginning is enough, and its end must not be taken for a member.
      const isRange = this.#peek() === "-" && this.#pattern.charAt(this.#at + 1) !== "]";
      if (isRange) this.#at += this.#pattern.charAt(this.#at + 1) === "\\" ? 3 : 2;
    }
    this.#at += 1;
    if (!isNegated) return allowed.find((each) => /[A-Za-z0-9]/.test(each)) ?? allowed[0] ?? "";
    return candidates.find((each) => !allowed.includes(each)) ?? "~";
  }

  /** How often the atom before is taken: as seldom as the expression allows, but once rather than never. */
  #times(): number {
    const found = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(this.#pattern.slice(this.#at));
    if (found === null) return 1;
    this.#at += found[0].length;
    return found[1] === undefined ? 1 : Number(found[1]);
  }
}

/** A text that the pattern should match; undefined where it is beyond this reader. */
export function samplePattern(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  try {
    const reader = new PatternReader(pattern);
    const text = reader.alternatives();
    return reader.isAtEnd ? text : undefined;
  } catch (error) {
    if (error instanceof UnknownPattern || error instanceof RangeError) return undefined;
    throw error;
  }
}
