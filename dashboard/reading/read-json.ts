// Reads JSON for people to look at. Unlike `JSON.parse` it keeps numbers as they were written, keeps a key that
// comes twice, and reads a text that breaks off: bodies are kept only up to a limit.

export type JsonNode =
  | { readonly kind: "object"; readonly entries: readonly JsonEntry[] }
  | { readonly kind: "array"; readonly items: readonly JsonNode[] }
  | { readonly kind: "text"; readonly value: string }
  /** A number, `true`, `false` or `null`, as it was written. */
  | { readonly kind: "literal"; readonly source: string };

interface JsonEntry {
  readonly key: string;
  readonly value: JsonNode;
}

export interface ReadJson {
  readonly node: JsonNode;
  /** The text ended before its JSON did. */
  readonly isCut: boolean;
}

/** Deeper texts are shown as they are. */
const DEPTH_LIMIT = 200;

const word = /[-+.\w]+/y;
const literal = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
/** What may be at the end of a text that breaks off inside a literal. */
const literalHead = /^(?:-?\d*\.?\d*(?:[eE][+-]?)?|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?)$/;

class NoJson extends Error {}

class Reader {
  readonly #text: string;
  #at = 0;
  isCut = false;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): JsonNode {
    const node = this.#value(0);
    this.#skipBlanks();
    if (node === undefined || this.#at < this.#text.length) throw new NoJson();
    return node;
  }

  #skipBlanks(): void {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
    }
  }

  /** The next character that is no blank; undefined at the end, which then counts as a break. */
  #next(): string | undefined {
    this.#skipBlanks();
    if (this.#at < this.#text.length) return this.#text[this.#at];
    this.isCut = true;
    return undefined;
  }

  #value(depth: number): JsonNode | undefined {
    if (depth > DEPTH_LIMIT) throw new NoJson();
    const first = this.#next();
    if (first === undefined) return undefined;
    if (first === "{") return this.#object(depth);
    if (first === "[") return this.#array(depth);
    if (first === '"') return { kind: "text", value: this.#string() };
    return { kind: "literal", source: this.#literal() };
  }

  #object(depth: number): JsonNode {
    const entries: JsonEntry[] = [];
    this.#at += 1;
    for (;;) {
      const first = this.#next();
      if (first === undefined) break;
      if (first === "}" && entries.length === 0) {
        this.#at += 1;
        break;
      }
      if (first !== '"') throw new NoJson();
      const key = this.#string();
      const colon = this.#next();
      if (colon === undefined) break;
      if (colon !== ":") throw new NoJson();
      this.#at += 1;
      const value = this.#value(depth + 1);
      if (value === undefined) break;
      entries.push({ key, value });
      if (this.#ends("}")) break;
    }
    return { kind: "object", entries };
  }

  #array(depth: number): JsonNode {
    const items: JsonNode[] = [];
    this.#at += 1;
    if (this.#next() === "]") {
      this.#at += 1;
      return { kind: "array", items };
    }
    for (;;) {
      const item = this.#value(depth + 1);
      if (item === undefined) break;
      items.push(item);
      if (this.#ends("]")) break;
    }
    return { kind: "array", items };
  }

  /** Passes a comma, or the end of an object or array. */
  #ends(bracket: string): boolean {
    const next = this.#next();
    if (next === undefined) return true;
    if (next !== bracket && next !== ",") throw new NoJson();
    this.#at += 1;
    return next === bracket;
  }

  #string(): string {
    const start = this.#at;
    let end = start + 1;
    for (; end < this.#text.length; end += 1) {
      const code = this.#text.charCodeAt(end);
      if (code === 92) end += 1;
      else if (code === 34) break;
    }
    const isWhole = end < this.#text.length;
    this.#at = isWhole ? end + 1 : this.#text.length;
    const source = this.#text.slice(start, this.#at);
    try {
      if (isWhole) return JSON.parse(source) as string;
      this.isCut = true;
      return JSON.parse(`${source.replace(/(?<!\\)((?:\\\\)*)\\(?:u[\da-fA-F]{0,3})?$/, "$1")}"`) as string;
    } catch {
      throw new NoJson();
    }
  }

  #literal(): string {
    word.lastIndex = this.#at;
    const found = word.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    const isWhole = literal.test(found);
    const isHead = this.#at === this.#text.length && literalHead.test(found);
    if (found === "" || !(isWhole || isHead)) throw new NoJson();
    if (!isWhole) this.isCut = true;
    return found;
  }
}

/** The text as a tree; undefined where it is no JSON. */
export function readJson(text: string): ReadJson | undefined {
  const reader = new Reader(text);
  try {
    const node = reader.whole();
    return { node, isCut: reader.isCut };
  } catch (error) {
    if (error instanceof NoJson) return undefined;
    throw error;
  }
}
