import * as z from "zod/mini";
import { type JsonObject, isJsonObject } from "../json/json-value.ts";

export const filledText = z.string().check(z.minLength(1));
export const texts = z.array(z.string());
export const amount = z.number().check(z.minimum(0));
export const count = z.int().check(z.minimum(0));

// Free-form objects are never parsed by Zod: it would drop `__proto__` and copy the whole payload. Walks of our own check them.
export const jsonObject = z
  .custom<JsonObject>(isJsonObject, { error: "is not an object" })
  .register(z.globalRegistry, { type: "object" });
