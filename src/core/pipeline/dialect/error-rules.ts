import { errorDataSchema } from "../../contract/envelope.ts";
import { errorRegistry, isScreamingSnake } from "../../contract/error-registry.ts";
import { isErrorType } from "../../contract/error-types.ts";
import { type Violation, defineRules, violate } from "../../contract/rule.ts";
import type { JsonObject } from "../../json/json-value.ts";
import { checkShape, quote } from "./check-shape.ts";

const source = "seed 001, Standard Error Fields";

/** Rules on the `data` of a failed response-v2 envelope. */
export const errorRules = defineRules("envelope", {
  "error/fields": {
    severity: "MUST",
    says: "error_code and error_type are strings that are not empty, remediation a string, details an object.",
    fix: "Send the field in its type, or leave it out.",
    source,
  },
  "error/code-missing": {
    severity: "SHOULD",
    says: "A failure has data.error_code.",
    fix: "Add a code such as NOT_FOUND, so that programs can branch on it.",
    source,
  },
  "error/type-missing": {
    severity: "SHOULD",
    says: "A failure has data.error_type.",
    fix: "Add one of the nine types, so that callers know whether to retry.",
    source,
  },
  "error/remediation": {
    severity: "SHOULD",
    says: "A failure says how to resolve it.",
    fix: "Add data.remediation with the next step.",
    source,
  },
  "error/code-case": {
    severity: "SHOULD",
    says: "Error codes are SCREAMING_SNAKE_CASE.",
    fix: "Write the code in capitals with underscores.",
    source,
  },
  "error/type-known": {
    severity: "SHOULD",
    says: "error_type is one of the nine types.",
    fix: "Choose validation, authentication, authorization, not_found, conflict, rate_limit, feature_flag, internal or unavailable.",
    source: "seed 001, Error Type Categories",
  },
  "error/code-type": {
    severity: "SHOULD",
    says: "error_type is the type of a registered error_code.",
    fix: "Use the type that docs/errors.md lists for the code, or a code of your own.",
    source: "seed 001, Common Error Codes",
  },
  "error/retry-after": {
    severity: "MAY",
    says: "A rate limit refusal says how long to wait.",
    fix: "Add data.retry_after_seconds.",
    source: "seed 001, Rate Limit Exceeded",
  },
});

const rules = errorRules;

function checkCode(code: string, type: unknown): Violation[] {
  if (!isScreamingSnake(code)) {
    return [
      violate(rules["error/code-case"], "/data/error_code", `The code ${quote(code)} is not in capitals`),
    ];
  }
  const known = errorRegistry.get(code);
  if (known === undefined || !isErrorType(type) || known.type === type) return [];
  const found = `${code} is of type ${known.type}, not ${type}`;
  return [violate(rules["error/code-type"], "/data/error_type", found)];
}

export function checkErrorData(data: JsonObject): Violation[] {
  const shape = checkShape(rules["error/fields"], errorDataSchema, data, "/data");
  if (shape.length > 0) return shape;
  const { error_code: code, error_type: type, remediation } = data;
  const found: Violation[] = [];
  if (typeof code === "string") found.push(...checkCode(code, type));
  else found.push(violate(rules["error/code-missing"], "/data", "error_code is missing"));
  if (typeof type !== "string")
    found.push(violate(rules["error/type-missing"], "/data", "error_type is missing"));
  else if (!isErrorType(type)) {
    found.push(violate(rules["error/type-known"], "/data/error_type", `The type ${quote(type)} is unknown`));
  }
  if (typeof remediation !== "string") {
    found.push(violate(rules["error/remediation"], "/data", "remediation is missing"));
  }
  if (type === "rate_limit" && typeof data["retry_after_seconds"] !== "number") {
    found.push(violate(rules["error/retry-after"], "/data", "retry_after_seconds is missing"));
  }
  return found;
}
