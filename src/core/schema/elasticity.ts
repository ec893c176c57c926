import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { defOf } from "./definitions.ts";
import type { Defs } from "./hoist-defs.ts";
import { readPayload } from "./payload.ts";

/** What may be cut at a place of a tool's data, so that the rest still conforms to the advertised schema. */
export interface Elasticity {
  readonly canDropItems: boolean;
  readonly canCutText: boolean;
  at(key: string | number): Elasticity;
}

/** The beginning of a text need not satisfy what these ask of the whole text. */
const textKeywords = ["enum", "const", "pattern", "format", "minLength"] as const;
/** In a tuple, an item's place has a meaning. */
const listKeywords = ["enum", "const", "prefixItems"] as const;

const free: Elasticity = { canDropItems: true, canCutText: true, at: () => free };
/** For data with an unknown schema: only the stub certainly conforms. */
export const rigid: Elasticity = { canDropItems: false, canCutText: false, at: () => rigid };

function schemasIn(value: JsonValue | undefined): readonly JsonObject[] {
  if (Array.isArray(value)) return value.filter(isJsonObject);
  return isJsonObject(value) ? Object.values(value).filter(isJsonObject) : [];
}

/** The schemas and every schema that may apply to the same value. */
function inPlace(schemas: readonly JsonObject[], defs: Defs): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const pending = [...schemas];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    const target = defs[defOf(next["$ref"]) ?? ""];
    if (target !== undefined) pending.push(target);
    pending.push(...schemasIn(next["allOf"]), ...schemasIn(next["anyOf"]));
    pending.push(...schemasIn(next["dependentSchemas"]));
  }
  return [...found];
}

function memberSchemas({ properties, patternProperties, additionalProperties }: JsonObject, key: string) {
  const own = isJsonObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  const matching = isJsonObject(patternProperties)
    ? Object.entries(patternProperties).flatMap(([pattern, schema]) =>
        new RegExp(pattern, "u").test(key) ? [schema] : [],
      )
    : [];
  const named = [own, ...matching].filter(isJsonObject);
  return named.length > 0 ? named : [additionalProperties].filter(isJsonObject);
}

function itemSchemas({ items, prefixItems }: JsonObject, index: number): readonly JsonObject[] {
  const tuple = Array.isArray(prefixItems) ? prefixItems[index] : undefined;
  return [tuple ?? items].filter(isJsonObject);
}

function elasticityOf(schemas: readonly JsonObject[], defs: Defs): Elasticity {
  const all = inPlace(schemas, defs);
  if (all.every((schema) => Object.keys(schema).length === 0)) return free;
  const has = (keywords: readonly string[]): boolean =>
    all.some((schema) => keywords.some((keyword) => schema[keyword] !== undefined));
  const known = new Map<string | number, Elasticity>();
  return {
    canDropItems: !has(listKeywords),
    canCutText: !has(textKeywords),
    at: (key) => {
      const isItem = typeof key === "number";
      const isTuple = all.some(({ prefixItems }) => prefixItems !== undefined);
      // Without a tuple all items have the same schema, and a list may be long.
      const name = isItem && !isTuple ? "0" : key;
      const found =
        known.get(name) ??
        elasticityOf(
          all.flatMap((schema) => (isItem ? itemSchemas(schema, key) : memberSchemas(schema, key))),
          defs,
        );
      known.set(name, found);
      return found;
    },
  };
}

/** By the tool's own schema, opened as `tools/list` shows it; everything may be cut if the schema says nothing. */
export function readElasticity(toolSchema: JsonObject | undefined): Elasticity {
  if (toolSchema === undefined) return free;
  const { schema, defs } = readPayload(toolSchema, { tables: false, onNote: () => undefined });
  return elasticityOf([schema], defs);
}
