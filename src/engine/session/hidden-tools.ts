import { randomHex } from "../runtime/random-text.ts";
import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../../core/json/json-value.ts";

/**
 * No server has a tool of this name, and no client can guess it. One name for the whole process, because logs
 * and metrics count tools by name.
 */
let madeName: string | undefined;

function strangeName(): string {
  madeName ??= `unlisted_${randomHex(12)}`;
  return madeName;
}

const MAX_DEPTH = 64;

/** The value with one text replaced by another in all its texts; the same value if none contains it. */
function replaced(value: JsonValue, from: string, to: string, depth = 0): JsonValue {
  if (typeof value === "string") return value.includes(from) ? value.replaceAll(from, () => to) : value;
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  let isChanged = false;
  const inner = (item: JsonValue): JsonValue => {
    const made = replaced(item, from, to, depth + 1);
    isChanged ||= made !== item;
    return made;
  };
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map(inner);
    return isChanged ? items : value;
  }
  const made: Record<string, JsonValue> = {};
  for (const [key, item] of Object.entries(value)) setOwn(made, key, inner(item));
  return isChanged ? made : value;
}

/**
 * Tools of a server that clients must not see. To a caller each looks like a tool that does not exist: the
 * server is asked for a name that it certainly does not have, and its answer is sent under the name that was
 * called.
 */
export class HiddenTools {
  readonly #names: ReadonlySet<string>;

  constructor(names: readonly string[] = []) {
    this.#names = new Set(names);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** The call under a name that the server does not know. */
  disguise(message: JsonObject): JsonObject {
    const { params } = message;
    return { ...message, params: { ...(isJsonObject(params) ? params : {}), name: strangeName() } };
  }

  /** The answer to such a call, with the name that was called; the same object if it contains no name. */
  answerAs(name: string, answer: JsonObject): JsonObject {
    return replaced(answer, strangeName(), name) as JsonObject;
  }
}
