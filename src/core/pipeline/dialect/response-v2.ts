import { shownNotes } from "../../contract/profile.ts";
import { wrapData, writeMeta, envelopeSchema } from "../../contract/envelope.ts";
import { writeErrorData } from "../../contract/error-data.ts";
import type { Fault, Notes, Outcome } from "../../contract/outcome.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import type { Dialect, RenderOptions } from "./dialect.ts";
import { type Envelope, readResponseV2 } from "../../contract/read-meta.ts";
import { type Violation, defineRules, violate } from "../../contract/rule.ts";
import { checkMeta, checkMetaVersion, envelopeMetaRules } from "./meta-rules.ts";
import { checkEnvelope, envelopeRules, checkErrorData, errorDataRules } from "./envelope-rules.ts";

/** Rules on what tools put into a successful `data`. */
const dataRules = defineRules("envelope", {
  "data/no-metadata": {
    severity: "SHOULD",
    says: "data holds the payload only; operational context belongs in meta.",
    fix: "Move the key into meta.",
    source: "seed 001, Metadata Field Semantics",
  },
  "data/total-count": {
    severity: "SHOULD",
    says: "data.total_count agrees with meta.pagination.total_count.",
    fix: "Send one figure, in both places or in meta alone.",
    source: "docs/contract.md, Pagination",
  },
  "batch/warning": {
    severity: "SHOULD",
    says: "A partly failed batch warns about it in meta.",
    fix: "Add a PARTIAL_FAILURE warning with the count.",
    source: "seed 004, Partial Work Completed",
  },
  "batch/all-failed": {
    severity: "SHOULD",
    says: "A batch of which every item failed is a failure.",
    fix: "Send success: false with the common code of the failures.",
    source: "docs/contract.md, Batches and blocked work",
  },
});

const ownRules = dataRules;
const metadataKeys: readonly string[] = [
  "_meta",
  "_warnings",
  "meta",
  "request_id",
  "warnings",
  "warning_details",
  "pagination",
  "rate_limit",
  "telemetry",
];

/** What a success says, in its data and its notes. */
type Body = Pick<Envelope, "data" | "meta">;

function hasWarnings(meta: JsonObject): boolean {
  const filled = (value: JsonValue | undefined): boolean => Array.isArray(value) && value.length > 0;
  return filled(meta["warnings"]) || filled(meta["warning_details"]);
}

function checkBatch({ data, meta }: Body): Violation[] {
  const { processed, failed, failures } = data;
  if (typeof failed !== "number" || failed <= 0 || !Array.isArray(failures)) return [];
  if (processed === 0)
    return [violate(ownRules["batch/all-failed"], "/success", "Every item of the batch failed")];
  return hasWarnings(meta)
    ? []
    : [violate(ownRules["batch/warning"], "/meta", "Items failed, and nothing warns about it")];
}

function checkData(body: Body): Violation[] {
  const { data, meta } = body;
  const strays = metadataKeys
    .filter((key) => Object.hasOwn(data, key))
    .map((key) => violate(ownRules["data/no-metadata"], `/data/${key}`, `${key} is metadata`));
  const pagination = meta["pagination"];
  const total = isJsonObject(pagination) ? pagination["total_count"] : undefined;
  const own = data["total_count"];
  const differ = typeof own === "number" && typeof total === "number" && own !== total;
  const counts = differ
    ? [
        violate(
          ownRules["data/total-count"],
          "/data/total_count",
          `data says ${own}, meta.pagination says ${total}`,
        ),
      ]
    : [];
  return [...strays, ...counts, ...checkBatch(body)];
}

const rules = Object.values({ ...envelopeRules, ...envelopeMetaRules, ...errorDataRules, ...dataRules });

function checkNotes(meta: JsonObject): Violation[] {
  const isIdMissing = (meta["request_id"] ?? null) === null;
  return [
    ...checkMetaVersion(meta, "/meta"),
    ...(isIdMissing
      ? [violate(envelopeMetaRules["meta/request-id-missing"], "/meta", "request_id is missing")]
      : []),
    ...checkMeta(meta, "/meta"),
  ];
}

function check(json: JsonValue): Violation[] {
  const { success, data, meta, violations } = checkEnvelope(json);
  return [
    ...violations,
    ...(meta ? checkNotes(meta) : []),
    ...(success === false && data ? checkErrorData(data) : []),
    ...(success === true && data && meta ? checkData({ data, meta }) : []),
  ];
}

/** The hints of a refusal go into `data`, beside the failure they explain. */
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
  read: readResponseV2,
};
