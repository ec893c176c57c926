import * as z from "zod/mini";
import { successEnvelopeSchema, wrapData, writeMeta } from "../../contract/envelope.ts";
import { metaSchema, filledText } from "../../contract/meta.ts";
import type { Dialect, RenderOptions } from "./dialect.ts";
import { type Violation, defineRules, violate } from "../../contract/rule.ts";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../../json/json-value.ts";
import type { Envelope } from "../../contract/read-meta.ts";
import { checkEnvelope, envelopeRules } from "./envelope-rules.ts";
import { checkMeta, checkMetaVersion, envelopeMetaRules } from "./meta-rules.ts";
import { shownNotes } from "../../contract/profile.ts";
import { ContractError } from "../../contract/contract-error.ts";
import { readErrorData } from "../../contract/error-data.ts";
import type { Fault, Outcome, Notes } from "../../contract/outcome.ts";
import { readMeta } from "../../contract/read-meta.ts";
import { type WarningDetail, orderWarnings, severities } from "../../contract/warning.ts";

/** Seed 000 reserves two keys of `data` for metadata, so data must not use them. */
function refuseReservedKeys(data: JsonObject): void {
  const taken = [META, WARNINGS].filter((key) => Object.hasOwn(data, key));
  if (taken.length > 0) {
    throw new ContractError(
      "CANNOT_CARRY",
      `The draft dialect takes ${taken.join(" and ")} in data for metadata, which this is not: rename the payload's key, or use response-v2.`,
      { keys: taken },
    );
  }
}

/** Moves everything but the version from `meta` into `data._meta` and `data._warnings`. */
function moveIntoData(data: JsonObject, meta: JsonObject): JsonObject {
  const { version: _, warnings, ...rest } = meta;
  return {
    ...data,
    ...(Object.keys(rest).length > 0 ? { [META]: rest } : {}),
    ...(warnings === undefined ? {} : { [WARNINGS]: warnings }),
  };
}

function isEmpty(value: JsonValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Payload and metadata separated again, wherever the writer put the metadata. A value in `meta` wins over one in
 * `data._meta`, and the warnings of all places are kept.
 */
function moveOutOfData(data: JsonObject, meta: JsonObject): { data: JsonObject; meta: JsonObject } {
  const inner = isJsonObject(data[META]) ? data[META] : {};
  const outer = mapObject(meta, (value, key) =>
    isEmpty(value) && Object.hasOwn(inner, key) ? undefined : value,
  );
  const warnings = [inner["warnings"], data[WARNINGS], meta["warnings"]].flatMap(listOf);
  return {
    data: mapObject(data, (value, key) => (key === META || key === WARNINGS ? undefined : value)),
    meta: { ...inner, ...outer, ...(warnings.length > 0 ? { warnings } : {}) },
  };
}

/** An error's `data` is `{}` here, so the failure's code, type and details are in `meta`. */
const faultKeys = ["error_code", "error_type", "remediation", "details", "error_data"] as const;

function writeFault(fault: Fault): JsonObject {
  const { code, type, remediation, details, data } = fault;
  const values = [code, type, remediation, details, data];
  const pairs = faultKeys.map((key, index) => [key, values[index]] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined)) as JsonObject;
}

function render(given: Outcome, options: RenderOptions): JsonValue {
  const outcome = liftNotes(given);
  const meta = writeMeta(shownNotes({}, outcome, options), { emitEmpty: options.emitEmpty ?? false });
  if (!outcome.ok) {
    const own = mapObject(meta, (value, key) =>
      faultKeys.some((taken) => taken === key) ? undefined : value,
    );
    return {
      success: false,
      data: {},
      error: outcome.fault.message,
      meta: { ...own, ...writeFault(outcome.fault) },
    };
  }
  const data = wrapData(outcome.data);
  refuseReservedKeys(data);
  if (options.metadata !== "data") return { success: true, data, error: null, meta };
  return {
    success: true,
    data: moveIntoData(data, meta),
    error: null,
    meta: { version: meta["version"] ?? null },
  };
}

function read(json: JsonValue): Outcome {
  const envelope = json as unknown as Envelope;
  if (envelope.success) {
    const { data, meta } = moveOutOfData(envelope.data, envelope.meta);
    return { ok: true, data, notes: readMeta(meta) };
  }
  const { error_data: extra, ...meta } = envelope.meta;
  const about = mapObject(meta, (value, key) => (faultKeys.some((name) => name === key) ? value : undefined));
  const notes = readMeta(mapObject(meta, (value, key) => (Object.hasOwn(about, key) ? undefined : value)));
  const fault = readErrorData(envelope.error ?? "", { ...(isJsonObject(extra) ? extra : {}), ...about });
  return { ok: false, fault, notes };
}

const draftRules = defineRules("envelope", {
  "draft/error-data": {
    severity: "MUST",
    says: "A failure's data is {}.",
    fix: "Empty data; the code and its structure may be in meta.",
    source: "seed 000, Edge Case Semantics",
  },
  "draft/meta": {
    severity: "MUST",
    says: "data._meta is an object.",
    fix: "Send an object, or rename the payload's own key.",
    source: "seed 000, Reserved Keys Inside data",
  },
  "draft/warnings": {
    severity: "MUST",
    says: "data._warnings is a list of strings.",
    fix: "Send the warnings as strings, or rename the payload's own key.",
    source: "seed 000, Reserved Keys Inside data",
  },
});

// Seed 000 has no request id, so a missing one is not reported.
const { "meta/request-id-missing": _, ...sharedMetaRules } = envelopeMetaRules;
const rules = Object.values({ ...envelopeRules, ...sharedMetaRules, ...draftRules });

function checkReserved(data: JsonObject): Violation[] {
  const { _meta: inner, _warnings: warnings } = data;
  const found: Violation[] = [];
  if (isJsonObject(inner)) found.push(...checkMeta(inner, "/data/_meta"));
  else if (inner !== undefined && inner !== null) {
    found.push(violate(draftRules["draft/meta"], "/data/_meta", "_meta is not an object"));
  }
  const isList = Array.isArray(warnings) && warnings.every((text) => typeof text === "string");
  if (warnings !== undefined && warnings !== null && !isList) {
    found.push(
      violate(draftRules["draft/warnings"], "/data/_warnings", "_warnings is not a list of strings"),
    );
  }
  return found;
}

function check(json: JsonValue): Violation[] {
  const { success, data = {}, meta, violations } = checkEnvelope(json);
  const isFilledError = success === false && Object.keys(data).length > 0;
  return [
    ...violations,
    ...(meta ? [...checkMetaVersion(meta, "/meta"), ...checkMeta(meta, "/meta")] : []),
    ...(success === true ? checkReserved(data) : []),
    ...(isFilledError ? [violate(draftRules["draft/error-data"], "/data", "A failure has data")] : []),
  ];
}

const draftErrorSchema = z
  .strictObject({
    success: z.literal(false),
    data: z.strictObject({}),
    error: filledText,
    meta: metaSchema,
  })
  .register(z.globalRegistry, { id: "DraftErrorEnvelope" });

/** The first response-v2 of seed 000: metadata may be in `data`, and an error's `data` is empty. */
export const responseV2Draft: Dialect = {
  id: "response-v2-draft",
  says: "the first response-v2: metadata may be in data._meta, a failure's data is {}",
  level: "envelope",
  wrapsData: true,
  carriesOmissions: true,
  sendsAuthored: true,
  schema: z.union([successEnvelopeSchema, draftErrorSchema]),
  rules,
  losses: [
    { path: "/data", becomes: "wrapped", why: "data is always an object" },
    ...faultKeys.map((key) => ({
      path: `/notes/extra/${key}`,
      becomes: "dropped" as const,
      on: "failure" as const,
      why: "the key speaks of the fault",
    })),
  ],
  render,
  lift: liftNotes,
  check,
  read,
};

const META = "_meta";
const WARNINGS = "_warnings";

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
