// What the blocks of a result say: which facts of a structure a model finds in them.

import { type JsonObject, type JsonValue, jsonIn } from "../json/json-value.ts";
import { jsonEqual } from "../json/canonical-json.ts";
import { type Fact, type ShortValue, factsOf, namesIn, sayFact } from "./facts-of.ts";
import { PartsOf } from "./parts-of.ts";

interface Member {
  /** The structure has no other. */
  readonly isOnly: boolean;
  /** Its key is data. */
  readonly isData: boolean;
}

export class SaidIn {
  readonly #texts: readonly string[];
  readonly #parts: PartsOf;
  /** What blocks other than texts have in their fields: an address, a size, the bytes of a picture. */
  readonly #fields: ReadonlySet<string>;
  #lines: LinesOf | undefined;
  #values: readonly JsonValue[] | undefined;

  constructor(texts: readonly string[], others: readonly JsonObject[]) {
    this.#texts = texts;
    this.#parts = new PartsOf(texts.join("\n"));
    this.#fields = new Set(others.flatMap((block) => [...factsOf("", block)].map(sayFact)));
  }

  /** The first fact of a member of a structure that is not said. */
  factOutside(key: string, value: JsonValue, { isOnly, isData }: Member): Fact | undefined {
    if (isData && !this.#hasWords(key)) return { words: key };
    const fact = this.#lackedOf(key, value);
    return fact === undefined || this.#hasWhole(value, isOnly) ? undefined : fact;
  }

  /** Most members that lack a fact lack a text, which costs less to find out. */
  #lackedOf(key: string, value: JsonValue): Fact | undefined {
    const short: Fact[] = [];
    for (const fact of factsOf(key, value)) {
      if (!("words" in fact)) short.push(fact);
      else if (!this.#hasWords(fact.words)) return fact;
    }
    return short.find((fact) => !this.#hasShort(fact));
  }

  #hasWords(words: string): boolean {
    return this.#fields.has(words) || this.#parts.has(words);
  }

  #hasShort(fact: Fact): boolean {
    if ("words" in fact || this.#fields.has(sayFact(fact))) return true;
    this.#lines ??= new LinesOf(this.#texts);
    return this.#lines.has(fact.key, fact.value);
  }

  /** Many servers send a list or a value as text, and wrap it in a field for the structure. */
  #hasWhole(value: JsonValue, isOnly: boolean): boolean {
    if (!isOnly && (typeof value !== "object" || value === null)) return false;
    const values = (this.#values ??= valuesIn(this.#texts));
    if (values.length === 0) return false;
    if (values.some((said) => jsonEqual(said, value))) return true;
    return Array.isArray(value) && jsonEqual(values, value as JsonValue[]);
  }
}

const LIKE_JSON = /^\s*(?:[[{"\d-]|true|false|null)/;

/** The values that whole texts are the JSON of. */
function valuesIn(texts: readonly string[]): readonly JsonValue[] {
  const values = texts.map((text) => (LIKE_JSON.test(text) ? jsonIn(text) : undefined));
  return values.filter((value) => value !== undefined);
}

/** How a value is said in words. */
const said: Readonly<Record<string, readonly string[]>> = {
  true: ["true", "yes"],
  false: ["false", "no", "not"],
  null: ["null", "none", "no", "empty", "not"],
  empty: ["empty", "none", "no", "0", "nothing", "[]", "{}"],
};

/** A hyphen in front of a digit is its sign, unless it stands within a word. */
const TOKEN = /(?:(?<![\p{L}\p{N}])-(?=\p{N}))?[\p{L}\p{N}](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}])?|\[\]|\{\}/gu;

/** Which words the lines of a text have together. All rows of tables count as one line, with the names of their columns. */
class LinesOf {
  readonly #linesOf = new Map<string, Set<number>>();
  readonly #known = new Map<string, boolean>();

  constructor(texts: readonly string[]) {
    for (const [index, line] of texts.join("\n").split("\n").entries()) {
      const place = ROW.test(line) ? TABLES : index;
      for (const token of line.match(TOKEN) ?? [])
        for (const word of [token.toLowerCase(), ...namesIn(token)]) this.#add(word, place);
    }
  }

  #add(word: string, place: number): void {
    const places = this.#linesOf.get(word);
    if (places === undefined) this.#linesOf.set(word, new Set([place]));
    else places.add(place);
  }

  /** Whether a line says a value together with the words of its key. */
  has(key: string, value: ShortValue): boolean {
    const name = `${value} ${key}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const names = (key.match(TOKEN) ?? []).flatMap((token) => namesIn(token));
    const held = (said[value] ?? [value]).some((word) => this.#areTogether([word, ...names]));
    this.#known.set(name, held);
    return held;
  }

  #areTogether(words: readonly string[]): boolean {
    const places = words.map((word) => this.#linesOf.get(word) ?? none).toSorted((a, b) => a.size - b.size);
    const [fewest = none, ...others] = places;
    for (const place of fewest) if (others.every((each) => each.has(place))) return true;
    return false;
  }
}

const none: ReadonlySet<number> = new Set();
const TABLES = -1;
const ROW = /\t|\|.*\|/;
