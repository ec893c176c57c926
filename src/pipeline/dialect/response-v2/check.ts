import { type Violation, violate } from "../../../contract/rule.ts";
import type { JsonObject, JsonValue } from "../../../json/json-value.ts";
import { checkEnvelope, envelopeRules } from "../envelope-rules.ts";
import { checkErrorData, errorRules } from "../error-rules.ts";
import { checkMeta, checkVersion } from "../check-meta.ts";
import { metaRules } from "../meta-rules.ts";
import { checkData, dataRules } from "./data-rules.ts";

export const rules = Object.values({ ...envelopeRules, ...metaRules, ...errorRules, ...dataRules });

function checkRequestId(meta: JsonObject): Violation[] {
  return (meta["request_id"] ?? null) === null
    ? [violate(metaRules["meta/request-id-missing"], "/meta", "request_id is missing")]
    : [];
}

export function check(json: JsonValue): Violation[] {
  const { envelope, violations } = checkEnvelope(json);
  if (envelope === undefined) return violations;
  const { success, data, meta } = envelope;
  const body = success ? checkData(envelope) : checkErrorData(data);
  return [
    ...violations,
    ...checkVersion(meta, "/meta"),
    ...checkRequestId(meta),
    ...checkMeta(meta, "/meta"),
    ...body,
  ];
}
