import * as z from "zod/mini";
import { filledText } from "./schema-words.ts";

/** From whole to nearly nothing; an author's level can only be lowered. */
export const fidelityLevels = ["full", "partial", "summary", "reference_only"] as const;
export const fidelityLevelSchema = z.enum(fidelityLevels);
export type FidelityLevel = z.infer<typeof fidelityLevelSchema>;

export const FIDELITY_SCHEMA_VERSION = "1.0";

export const archiveHashSchema = z
  .string()
  .check(z.regex(/^sha256:[a-f0-9]{64}$/, { error: "is not `sha256:` and 64 lower-case hex digits" }));

export const archiveHashesSchema = z.record(filledText, archiveHashSchema);

export interface Fidelity {
  readonly level: FidelityLevel;
  readonly dropped: readonly string[];
  readonly archives: Readonly<Record<string, string>>;
}

/** Something named as dropped means the content is not whole, whatever the author said. */
export function lowerFidelity(level: FidelityLevel | undefined, dropped: readonly string[]): FidelityLevel {
  if (dropped.length > 0 && (level === undefined || level === "full")) return "partial";
  return level ?? "full";
}
