import { shownNotes } from "../../../contract/profile.ts";
import { wrapData } from "../../../contract/write-meta.ts";
import { envelopeSchema } from "../../../contract/envelope.ts";
import { writeErrorData } from "../../../contract/error-data.ts";
import type { Fault, Notes, Outcome } from "../../../contract/outcome.ts";
import { writeMeta } from "../../../contract/write-meta.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../json/json-value.ts";
import type { Dialect, RenderOptions } from "../dialect.ts";
import { check, metadataKeys, rules } from "./check.ts";
import { read } from "./read.ts";

/** Hints of a refusal stand in `data`, beside the failure they explain. */
function withHints(fault: Fault, notes: Notes): Fault {
  if (notes.upgradeHints === undefined) return fault;
  const hints = notes.upgradeHints as readonly object[] as readonly JsonObject[];
  return { ...fault, data: { ...fault.data, upgrade_hints: hints } };
}

function render(outcome: Outcome, options: RenderOptions): JsonValue {
  const notes = shownNotes({}, outcome, options);
  const emitEmpty = options.emitEmpty ?? false;
  if (outcome.ok) {
    return {
      success: true,
      data: wrapData(outcome.data),
      error: null,
      meta: writeMeta(notes, { emitEmpty }),
    };
  }
  const { upgradeHints: _, ...rest } = notes;
  const data = writeErrorData(withHints(outcome.fault, notes));
  return { success: false, data, error: outcome.fault.message, meta: writeMeta(rest, { emitEmpty }) };
}

const none: readonly string[] = [];

function strays(data: JsonValue): readonly string[] {
  return isJsonObject(data) ? metadataKeys.filter((key) => Object.hasOwn(data, key)) : none;
}

/** The default: success, data, error and meta, as seeds 001 and 004 describe them. */
export const responseV2: Dialect = {
  id: "response-v2",
  says: "the four-key envelope with typed errors and metadata",
  level: "envelope",
  wrapsData: true,
  carriesOmissions: true,
  sendsAuthored: true,
  schema: envelopeSchema,
  rules,
  losses: [{ path: "/data", becomes: "wrapped", why: "data is always an object" }],
  render,
  strays,
  check,
  read,
};
