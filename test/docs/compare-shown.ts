import { deepStrictEqual } from "node:assert/strict";

/** Ids that are made anew for each answer count as the same. */
function settled(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(/\b(req|cli)_[0-9a-f]{12}\b/g, "$1_0");
  if (Array.isArray(value)) return value.map(settled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, settled(item)]));
}

/** Throws unless the value, or what it promises, is the one that a page shows. */
export async function compare(value: unknown, wanted: unknown): Promise<void> {
  deepStrictEqual(settled(await value), settled(wanted));
}

/** Throws unless the call throws what a page shows: `ContractError CODE: message`. */
export async function compareThrown(call: () => unknown, wanted: string): Promise<void> {
  let thrown = "nothing";
  try {
    await call();
  } catch (error) {
    const { name, code, message } = error as Error & { code: string };
    thrown = `${name} ${code}: ${message}`;
  }
  deepStrictEqual(thrown, wanted);
}
