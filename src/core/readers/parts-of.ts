// Whether a text contains many others, in time that grows with their lengths and not with their product: of a page and its
// structure every word is looked for.

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}])?/gu;
/** The same of a text without other letters, in a fifth of the time. */
const ASCII_WORD = /[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?/g;
// eslint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/;

/** This much of a text is searched first: a text that lacks words mostly lacks one near its beginning. */
const FIRST_CHARACTERS = 256;

/** The words of a text, in their order. */
export function* wordsIn(text: string): Generator<string, void> {
  const end = text.length > FIRST_CHARACTERS ? text.indexOf(" ", FIRST_CHARACTERS) : -1;
  for (const part of end === -1 ? [text] : [text.slice(0, end), text.slice(end)])
    yield* part.match(ASCII.test(part) ? ASCII_WORD : WORD) ?? [];
}
/** In JSON a letter may follow them, which is then the first of a word. */
const ESCAPES = /\\(?:u[0-9a-f]{4}|[^u])/gi;

/** Two forms of the same facts have them in about the same order: this far before and behind the last. */
const NEAR_CHARACTERS = 256;
/** To list all words costs about as much as to look for this many. */
const FEW = 8;
/** The most characters that are read again, for parts that are neither near nor words of their own. */
const MAX_READ_AGAIN = 8_000_000;
/** The same for a longer text: this many times its length. */
const MAX_TIMES = 16;

export class PartsOf {
  readonly #text: string;
  #words: Set<string> | undefined;
  /** Behind the part that was found last. */
  #at = 0;
  #sought = 0;
  #mayRead: number;

  constructor(text: string) {
    this.#text = text;
    this.#mayRead = Math.max(MAX_READ_AGAIN, text.length * MAX_TIMES);
  }

  /** Where it would take too long to be sure, a part counts as missing: then a fact is sent twice, and none is lost. */
  has(part: string): boolean {
    const from = Math.max(0, this.#at - NEAR_CHARACTERS);
    const near = this.#text.slice(from, this.#at + NEAR_CHARACTERS + part.length).indexOf(part);
    if (near !== -1) return this.#isFoundAt(from + near, part);
    this.#sought += 1;
    if (this.#sought > FEW) {
      this.#words ??= new Set(wordsIn(this.#text.replace(ESCAPES, " ")));
      if (this.#words.has(part)) return true;
    }
    this.#mayRead -= this.#text.length;
    return this.#mayRead >= 0 && this.#isFoundAt(this.#text.indexOf(part), part);
  }

  #isFoundAt(index: number, part: string): boolean {
    if (index === -1) return false;
    this.#at = index + part.length;
    return true;
  }
}
