import { type JsonObject, type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";
import type { ExpressionNode, NodeOf } from "./expression-node.ts";

/** A key that was looked for and was in no object; where it was first missed. */
export interface MissedKey {
  readonly node: NodeOf<"Field">;
  /** The first object without it, or a list, a text or a number, which have no keys at all. */
  readonly where: JsonObject | readonly JsonValue[] | string | number | boolean;
  /** Where something else is done if the key is missing: conditions, `||`, not_null(). */
  readonly isCondition: boolean;
  /** In an expression for a function, which looks at every record. */
  readonly isForEach: boolean;
  /** The key is all that stands on one side of a comparison, where a text without its quotes would stand. */
  readonly isCompared: boolean;
}

/** What models write for the values of JSON; as keys they are rare, and a key that is there wins. */
export const CONSTANTS: ReadonlyMap<string, JsonValue> = new Map([
  ["true", true],
  ["True", true],
  ["TRUE", true],
  ["false", false],
  ["False", false],
  ["FALSE", false],
  ["null", null],
  ["NULL", null],
  ["None", null],
]);

/** One place of an expression that looks for a key, and whether it was ever found there. */
export class KeyUse {
  readonly #node: NodeOf<"Field">;
  readonly #place: Pick<MissedKey, "isCondition" | "isForEach">;
  readonly #fallback: JsonValue;
  #isFound: boolean;
  #isCompared = false;
  #where: MissedKey["where"] | undefined;

  /** `constant` is what the name means where no object has such a key. */
  constructor(
    node: NodeOf<"Field">,
    constant: JsonValue | undefined,
    place: Pick<MissedKey, "isCondition" | "isForEach">,
  ) {
    this.#node = node;
    this.#place = place;
    this.#fallback = constant ?? null;
    this.#isFound = constant !== undefined;
  }

  read(value: JsonValue): JsonValue {
    const { name } = this.#node;
    if (!isJsonObject(value)) {
      if (value !== null && !this.#isFound) this.#where ??= value;
      return this.#fallback;
    }
    if (Object.hasOwn(value, name)) {
      this.#isFound = true;
      return value[name] ?? null;
    }
    // An object without the key tells more than what can have none.
    if (!this.#isFound && !isJsonObject(this.#where)) this.#where = value;
    return this.#fallback;
  }

  /** Remembers that this key is one side of a comparison. */
  noteCompared(side: ExpressionNode): void {
    if (this.#node === side) this.#isCompared = true;
  }

  missed(): MissedKey | undefined {
    if (this.#isFound || this.#where === undefined) return undefined;
    return { node: this.#node, where: this.#where, isCompared: this.#isCompared, ...this.#place };
  }
}
