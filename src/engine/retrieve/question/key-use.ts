import { type JsonObject, type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";
import type { ExpressionNode, NodeOf } from "./expression-node.ts";

/** A key of the question that no object had, and where it was first missing. */
export interface MissedKey {
  readonly node: NodeOf<"Field">;
  /** The first object without the key, or a list, a text or a number, which have no keys at all. */
  readonly where: JsonObject | readonly JsonValue[] | string | number | boolean;
  /** True if the expression handles a missing key: conditions, `||`, not_null(). */
  readonly isCondition: boolean;
  /** True in an expression for a function, which reads every record. */
  readonly isForEach: boolean;
  /** The key alone is one side of a comparison, as a text without its quotes would be. */
  readonly isCompared: boolean;
}

/** What models write for the constants of JSON; as keys they are rare, and an existing key wins. */
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

/** One use of a key in an expression, and whether the key was ever found. */
export class KeyUse {
  readonly #node: NodeOf<"Field">;
  readonly #place: Pick<MissedKey, "isCondition" | "isForEach">;
  readonly #fallback: JsonValue;
  #isFound: boolean;
  #isCompared = false;
  #where: MissedKey["where"] | undefined;

  /** `constant` is the meaning of the name if no object has such a key. */
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
    // An object without the key says more than a value that cannot have keys.
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
