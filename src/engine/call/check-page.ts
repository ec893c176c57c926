import * as z from "zod/mini";
import { checkOptions } from "../../core/options/check-options.ts";
import { judged, object, text } from "../../core/options/option-kinds.ts";
import type { ContextPageOptions } from "../settings/tool-context.ts";

const needed = judged((value) => (typeof value === "function" ? undefined : "is not a function: give one."));
const anything = z.optional(z.unknown());

const shape: Readonly<Record<keyof ContextPageOptions<unknown>, z.ZodMiniType>> = {
  path: text,
  fetch: needed,
  key: needed,
  cursor: anything,
  limit: anything,
  maxLimit: anything,
  total: anything,
  filters: anything,
  sort: anything,
  data: anything,
};
const pageOptions = object(shape, "Write { path, fetch, key }.");

/** Every page asks this, so the schema is asked only where it has something to say. */
function isRight(options: unknown): boolean {
  if (typeof options !== "object" || options === null) return false;
  const { path, fetch, key } = options as Readonly<Record<string, unknown>>;
  return (
    typeof path === "string" &&
    path !== "" &&
    typeof fetch === "function" &&
    typeof key === "function" &&
    Object.keys(options).every((name) => Object.hasOwn(shape, name))
  );
}

/** Refuses options of `ctx.page` that a program without types got wrong: they would be sent, or ignored. */
export function checkPage(tool: string, options: unknown): void {
  if (!isRight(options)) checkOptions(`${tool}: ctx.page`, pageOptions, options, "What it is given");
}
