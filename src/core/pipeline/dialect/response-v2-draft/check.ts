import { type Violation, defineRules, violate } from "../../../contract/rule.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../json/json-value.ts";
import { checkEnvelope, envelopeRules } from "../envelope-rules.ts";
import { checkMeta, checkVersion } from "../check-meta.ts";
import { metaRules } from "../meta-rules.ts";

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
const { "meta/request-id-missing": _, ...sharedMetaRules } = metaRules;
export const rules = Object.values({ ...envelopeRules, ...sharedMetaRules, ...draftRules });

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

export function check(json: JsonValue): Violation[] {
  const { envelope, violations } = checkEnvelope(json);
  if (envelope === undefined) return violations;
  const { success, data, meta } = envelope;
  const isFilledError = !success && Object.keys(data).length > 0;
  return [
    ...violations,
    ...checkVersion(meta, "/meta"),
    ...checkMeta(meta, "/meta"),
    ...(success ? checkReserved(data) : []),
    ...(isFilledError ? [violate(draftRules["draft/error-data"], "/data", "A failure has data")] : []),
  ];
}
