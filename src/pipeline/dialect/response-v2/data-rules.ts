import { type Violation, defineRules, violate } from "../../../contract/rule.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../json/json-value.ts";
import type { Envelope } from "../envelope-rules.ts";

/** Rules on what tools put into a successful `data`. */
export const dataRules = defineRules("envelope", {
  "data/no-metadata": {
    severity: "SHOULD",
    says: "data holds the payload only; operational context rides in meta.",
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

const rules = dataRules;
const metadataKeys = [
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

function hasWarnings(meta: JsonObject): boolean {
  const filled = (value: JsonValue | undefined): boolean => Array.isArray(value) && value.length > 0;
  return filled(meta["warnings"]) || filled(meta["warning_details"]);
}

function checkBatch({ data, meta }: Envelope): Violation[] {
  const { processed, failed, failures } = data;
  if (typeof failed !== "number" || failed <= 0 || !Array.isArray(failures)) return [];
  if (processed === 0)
    return [violate(rules["batch/all-failed"], "/success", "Every item of the batch failed")];
  return hasWarnings(meta)
    ? []
    : [violate(rules["batch/warning"], "/meta", "Items failed, and nothing warns about it")];
}

export function checkData(envelope: Envelope): Violation[] {
  const { data, meta } = envelope;
  const strays = metadataKeys
    .filter((key) => Object.hasOwn(data, key))
    .map((key) => violate(rules["data/no-metadata"], `/data/${key}`, `${key} is metadata`));
  const pagination = meta["pagination"];
  const total = isJsonObject(pagination) ? pagination["total_count"] : undefined;
  const own = data["total_count"];
  const differ = typeof own === "number" && typeof total === "number" && own !== total;
  const counts = differ
    ? [
        violate(
          rules["data/total-count"],
          "/data/total_count",
          `data says ${own}, meta.pagination says ${total}`,
        ),
      ]
    : [];
  return [...strays, ...counts, ...checkBatch(envelope)];
}
