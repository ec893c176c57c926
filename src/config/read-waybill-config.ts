import { isJsonObject } from "../json/json-value.ts";
import { invalidConfig } from "./config-problem.ts";
import { configSchema } from "./config-schema.ts";
import { toEntries } from "./entry.ts";
import { explainIssues } from "./explain-issues.ts";
import { parseJsonc } from "./parse-jsonc.ts";
import type { FileReading } from "./scalpel-config.ts";

/** Reads `waybill.config.json`; an unknown key or a wrong value is an error with its place. */
export function readWaybillConfig(text: string, file: string): FileReading {
  const parsed = parseJsonc(text, file);
  const result = configSchema.safeParse(parsed.value);
  if (!result.success) throw invalidConfig(explainIssues(result.error, configSchema, parsed));
  const entries = isJsonObject(parsed.value) ? toEntries(parsed.value, "file", parsed.placeOf) : [];
  return { entries: entries.filter(({ path }) => path[0] !== "$schema"), notices: [] };
}
