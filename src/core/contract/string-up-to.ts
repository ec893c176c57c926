import * as z from "zod/mini";
import { countCodePoints } from "../text/code-points.ts";

/** A string of at most `max` code points; JSON Schema's `maxLength` counts the same way. */
export function stringUpTo(max: number): z.ZodMiniString {
  return z
    .string()
    .check(
      z.refine((text) => text.length <= max || countCodePoints(text) <= max, {
        error: `is longer than ${max} characters`,
      }),
    )
    .register(z.globalRegistry, { maxLength: max });
}
