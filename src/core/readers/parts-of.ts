// Whether a text has many others as words of its own, in time that grows with their lengths and not with their product: of a
// page and its structure every word is looked for.

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

// Scripts that write no spaces between words: there a part of a text is as good as a word.
const UNSPACED = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`;
const LETTER = String.raw`(?![${UNSPACED}])[\p{L}\p{N}]`;
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, "u");
const BEGINS_IN_WORD = new RegExp(`^${LETTER}`, "u");
const ENDS_IN_WORD = new RegExp(`${LETTER}$`, "u");
const JOINED_BEFORE = new RegExp(`${LETTER}[_.-]*$`, "u");
const JOINED_BEHIND = new RegExp(`^[_.-]*${LETTER}`, "u");
const ESCAPED_BEFORE = /\\(?:u[0-9a-f]{4}|[^u])[_.-]*$/i;
const ONE_WORD = /^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/;
/** By their codes, the ASCII characters that cannot join two parts of a word. */
const PLAIN_GAPS = Array.from({ length: 128 }, (_, code) => !/[\w.-]/.test(String.fromCharCode(code)));
/** As far as a word is looked at to see whether a part of it was found. */
const SIDE_CHARACTERS = 16;

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
  #isSpaced: boolean | undefined;
  /** Behind the part that was found last. */
  #at = 0;
  #sought = 0;
  #mayRead: number;

  constructor(text: string) {
    this.#text = text;
    this.#mayRead = Math.max(MAX_READ_AGAIN, text.length * MAX_TIMES);
  }

  /**
   * Whether the text has the part, which neither begins nor ends inside a longer word. Where it would take too long to be
   * sure, a part counts as missing: then a fact is sent twice, and none is lost.
   */
  has(part: string): boolean {
    const from = Math.max(0, this.#at - NEAR_CHARACTERS);
    if (this.#find(part, from, this.#at + NEAR_CHARACTERS + part.length)) return true;
    this.#sought += 1;
    if (this.#sought > FEW) {
      if (this.#listed().has(part)) return true;
      this.#isSpaced ??= !HAS_UNSPACED.test(this.#text);
      if (this.#isSpaced && ONE_WORD.test(part)) return false;
    }
    this.#mayRead -= this.#text.length;
    return this.#mayRead >= 0 && this.#find(part, 0, this.#text.length);
  }

  #find(part: string, from: number, to: number): boolean {
    const text = from === 0 && to >= this.#text.length ? this.#text : this.#text.slice(from, to);
    for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
      if (!this.#isOwn(from + at, part)) continue;
      this.#at = from + at + part.length;
      return true;
    }
    return false;
  }

  #isOwn(index: number, part: string): boolean {
    const end = index + part.length;
    return !(this.#isJoined(index, part, "before") || this.#isJoined(end, part, "behind"));
  }

  /** Whether the word at a side of the part goes on there. */
  #isJoined(at: number, part: string, side: "before" | "behind"): boolean {
    const isBefore = side === "before";
    const next = this.#text.charCodeAt(isBefore ? at - 1 : at);
    // Most parts stand between spaces or quotes.
    if (Number.isNaN(next) || PLAIN_GAPS[next] === true) return false;
    if (!isBefore)
      return ENDS_IN_WORD.test(part) && JOINED_BEHIND.test(this.#text.slice(at, at + SIDE_CHARACTERS));
    const before = this.#text.slice(Math.max(0, at - SIDE_CHARACTERS), at);
    return BEGINS_IN_WORD.test(part) && JOINED_BEFORE.test(before) && !ESCAPED_BEFORE.test(before);
  }

  #listed(): ReadonlySet<string> {
    if (this.#words !== undefined) return this.#words;
    this.#words = new Set(wordsIn(this.#text));
    // Of JSON both forms are listed: it may also be a text with paths of Windows.
    if (this.#text.includes("\\"))
      for (const word of wordsIn(this.#text.replace(ESCAPES, " "))) this.#words.add(word);
    return this.#words;
  }
}
