import * as z from "zod/mini";
import { fidelityLevels } from "./fidelity.ts";
import { filledText } from "./schema-words.ts";

export const fidelityLevelSchema = z.enum(fidelityLevels);

export const archiveHashSchema = z
  .string()
  .check(z.regex(/^sha256:[a-f0-9]{64}$/, { error: "is not `sha256:` and 64 lower-case hex digits" }));

export const archiveHashesSchema = z.record(filledText, archiveHashSchema);
