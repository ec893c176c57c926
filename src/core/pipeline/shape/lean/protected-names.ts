// Which fields lean never touches, whatever its rules say: those that a later call may need as an argument. The names of
// a server's arguments are learnt from its input schemas. An argument protects every field of its name, with any word
// before it: `cursor` protects `next_cursor`, `issue_id` protects `id`, `nodeIds` protects `node_id`.

import { singularOf } from "../../../json/main-collection.ts";

const words = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{Lo}+/gu;
/** A longer key is data, not the name of a field. */
const MAX_LENGTH = 100;

/** `nodeIds` and `node_id` are both `node id`. */
function wordsOf(name: string): readonly string[] {
  const found = (name.slice(0, MAX_LENGTH).match(words) ?? []).map((word) => word.toLowerCase());
  const last = found.pop();
  return last === undefined ? found : [...found, singularOf(last)];
}

/** All ends of a name: `head commit sha`, `commit sha`, `sha`. */
function endsOf(said: readonly string[]): readonly string[] {
  return said.map((_word, from) => said.slice(from).join(" "));
}

/** Judges names of fields; each name is judged once. */
export class ProtectedNames {
  readonly #whole = new Set<string>();
  readonly #ends = new Set<string>();
  readonly #required: ReadonlySet<string>;
  readonly #known = new Map<string, boolean>();

  constructor(argumentNames: Iterable<string>, required: ReadonlySet<string> = new Set()) {
    this.#required = required;
    for (const name of argumentNames) {
      const said = wordsOf(name);
      if (said.length === 0) continue;
      this.#whole.add(said.join(" "));
      for (const end of endsOf(said)) this.#ends.add(end);
    }
  }

  has(field: string): boolean {
    const known = this.#known.get(field);
    if (known !== undefined) return known;
    const judged = this.#judge(field);
    // Keys of a map are data, and there may be any number of them.
    if (this.#known.size < MAX_KNOWN) this.#known.set(field, judged);
    return judged;
  }

  #judge(field: string): boolean {
    if (this.#required.has(field)) return true;
    const ends = endsOf(wordsOf(field));
    return this.#ends.has(ends[0] ?? "") || ends.some((end) => this.#whole.has(end));
  }
}

const MAX_KNOWN = 2_000;
