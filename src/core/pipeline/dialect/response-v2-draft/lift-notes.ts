import type { Notes, Outcome } from "../../../contract/outcome.ts";
import { readMeta } from "../../../contract/read-meta.ts";
import { type WarningDetail, orderWarnings, severities } from "../../../contract/warning.ts";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../../../json/json-value.ts";
import { checkMeta } from "../check-meta.ts";

export const META = "_meta";
export const WARNINGS = "_warnings";

/** Seed 000 does not define an issue: it is a text, an object with a message, or anything else as its JSON. */
function toWarning(issue: JsonValue): WarningDetail {
  if (typeof issue === "string") return { message: issue };
  if (!isJsonObject(issue) || typeof issue["message"] !== "string") return { message: JSON.stringify(issue) };
  const { message, code, context } = issue;
  const severity = severities.find((known) => known === issue["severity"]);
  return {
    ...(typeof code === "string" && code !== "" ? { code } : {}),
    ...(severity === undefined ? {} : { severity }),
    message,
    ...(isJsonObject(context) ? { context } : {}),
  };
}

function warningsIn(issues: JsonValue | undefined): readonly WarningDetail[] {
  if (issues === undefined || issues === null) return [];
  const list: readonly JsonValue[] = Array.isArray(issues) ? issues : [issues];
  return list.map(toWarning);
}

/** The notes in `_meta`, if `meta` can carry them: an object whose reserved keys have their types. */
function notesIn(meta: JsonValue | undefined): Notes | undefined {
  if (meta === undefined || meta === null) return {};
  if (!isJsonObject(meta) || checkMeta(meta, "").some(({ severity }) => severity === "MUST"))
    return undefined;
  return readMeta(meta);
}

/** The notes of the call, then what the tool said in its data; the warnings and own keys of both are joined. */
function join(notes: Notes, said: Notes, issues: readonly WarningDetail[]): Notes {
  const own = Object.fromEntries(Object.entries(notes).filter(([, value]) => value !== undefined)) as Notes;
  const warnings = orderWarnings([...(notes.warnings ?? []), ...(said.warnings ?? []), ...issues]);
  const extra: JsonObject = { ...said.extra, ...notes.extra };
  return {
    ...said,
    ...own,
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
}

/**
 * A tool written by seed 000 attaches metadata to its data, under `_meta` and `_warnings`; both become notes, which
 * every profile and both forms of the draft can write. A `_meta` that `meta` cannot carry stays, and is refused later.
 */
export function liftNotes(outcome: Outcome): Outcome {
  if (!outcome.ok || !isJsonObject(outcome.data)) return outcome;
  const { data, notes } = outcome;
  if (!Object.hasOwn(data, META) && !Object.hasOwn(data, WARNINGS)) return outcome;
  const said = notesIn(data[META]);
  if (said === undefined) return outcome;
  return {
    ok: true,
    data: mapObject(data, (value, key) => (key === META || key === WARNINGS ? undefined : value)),
    notes: join(notes, said, warningsIn(data[WARNINGS])),
  };
}
