import { type JsonValue, isJsonObject } from "./json-value.ts";
import { resolvePath } from "./resolve-path.ts";

/** The singular of an English plural by its ending; a word that is no plural stays as it is. */
export function singularOf(name: string): string {
  if (/[^aeiou]ies$/i.test(name)) return `${name.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|[^aeo]us)es$/i.test(name)) return name.slice(0, -2);
  return /[^su]s$/i.test(name) ? name.slice(0, -1) : name;
}

/** The id an item has itself: at `idPath`, else `id`, `<singular>_id` or `key`; numbers as decimal text. */
export function ownId(item: JsonValue, collectionName: string, idPath?: string): string | undefined {
  if (!isJsonObject(item)) return undefined;
  const configured = idPath === undefined ? undefined : toId(resolvePath(item, idPath));
  if (configured !== undefined) return configured;
  for (const key of ["id", `${singularOf(collectionName)}_id`, "key"]) {
    const id = Object.hasOwn(item, key) ? toId(item[key]) : undefined;
    if (id !== undefined) return id;
  }
  return undefined;
}

function toId(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  // A number past 2^53 has lost digits when it was parsed, so its text would name another item.
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : undefined;
}
