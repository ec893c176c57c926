import type { Notes, Outcome } from "../../contract/outcome.ts";
import { type PresenceTable, shownNotes } from "../../contract/profile.ts";
import { readMeta } from "../../contract/read-meta.ts";
import { writeMeta } from "../../contract/envelope.ts";
import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import { parseJson } from "../../json/parse-json.ts";
import type { RenderOptions } from "./dialect.ts";
import { checkMeta } from "./meta-rules.ts";

type PresenceByProfile = Readonly<Record<string, Partial<PresenceTable>>>;

/** An aside costs a whole further item, so a request id alone does not get one: `_meta` has it, except in minimal. */
export const quietPresence: PresenceByProfile = {
  minimal: { requestId: "never" },
  standard: { requestId: "never" },
};

/** Notes that the dialect has no place for, as one further item `{"meta": {…}}`; undefined without notes. */
export function asideOf(
  presence: PresenceByProfile,
  outcome: Outcome,
  options: RenderOptions,
): JsonObject | undefined {
  const { version: _, ...meta } = writeMeta(shownNotes({ presence }, outcome, options));
  return Object.keys(meta).length > 0 ? { meta } : undefined;
}

/** The notes of an aside, or undefined if the text is something else, such as notes that break the contract. */
function readAside(text: string): Notes | undefined {
  if (!text.startsWith('{"meta":')) return undefined;
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined;
  const { meta, ...rest } = parsed.value;
  if (!isJsonObject(meta) || Object.keys(rest).length > 0) return undefined;
  return checkMeta(meta, "/meta").some(({ severity }) => severity === "MUST") ? undefined : readMeta(meta);
}

/** The texts a tool wrote, and the notes of an aside that may follow them. */
export function splitAside(texts: readonly string[]): { texts: readonly string[]; notes: Notes } {
  const notes = texts.length > 1 ? readAside(texts.at(-1) ?? "") : undefined;
  return notes === undefined ? { texts, notes: {} } : { texts: texts.slice(0, -1), notes };
}
