import { type Violation, defineRules, violate } from "../../contract/rule.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { appendPointer } from "../../json/pointer.ts";
import { quote, checkShape } from "./result-rules.ts";
import { errorDataSchema } from "../../contract/envelope.ts";
import { errorRegistry, isScreamingSnake } from "../../contract/error-registry.ts";
import { isErrorType } from "../../contract/error-data.ts";

const rootKeys = ["success", "data", "error", "meta"] as const;

/** Rules on the four root keys, shared by response-v2 and its draft. */
export const envelopeRules = defineRules("envelope", {
  "envelope/object": {
    severity: "MUST",
    says: "The envelope is an object.",
    fix: "Send an object with success, data, error and meta.",
    source: "seed 001, Standard Envelope",
  },
  "envelope/root-keys": {
    severity: "MUST",
    says: "The root has exactly the keys success, data, error and meta.",
    fix: "Keep the four keys and move anything else into data or meta.",
    source: "seed 001, Standard Envelope",
  },
  "envelope/success-type": {
    severity: "MUST",
    says: "success is true or false.",
    fix: "Send a boolean.",
    source: "seed 004, Top-Level Fields",
  },
  "envelope/data-type": {
    severity: "MUST",
    says: "data is an object.",
    fix: "Send {} for no payload, and put a scalar or a list under a key such as result.",
    source: "seed 004, Top-Level Fields",
  },
  "envelope/error-type": {
    severity: "MUST",
    says: "error is a string or null.",
    fix: "Send the message as a string, and its structure in data.",
    source: "seed 004, Top-Level Fields",
  },
  "envelope/meta-type": {
    severity: "MUST",
    says: "meta is an object.",
    fix: 'Send at least {"version": "response-v2"}.',
    source: "seed 001, Standard Envelope",
  },
  "envelope/success-error": {
    severity: "MUST",
    says: "success is true exactly when error is null.",
    fix: "Set error to null on success and to the message on failure.",
    source: "seed 001, Standard Envelope",
  },
  "envelope/error-message": {
    severity: "MUST",
    says: "A failure's error is not empty.",
    fix: "Say in one sentence what went wrong.",
    source: "seed 004, The error Field",
  },
});

function checkMissing(json: JsonObject): Violation[] {
  const missing = rootKeys.filter((key) => !Object.hasOwn(json, key));
  return missing.map((key) => violate(envelopeRules["envelope/root-keys"], "", `${key} is missing`));
}

function checkExtra(json: JsonObject): Violation[] {
  const extra = Object.keys(json).filter((key) => !rootKeys.some((known) => known === key));
  return extra.map((key) =>
    violate(
      envelopeRules["envelope/root-keys"],
      appendPointer("", key),
      `${quote(key)} is not a key of the envelope`,
    ),
  );
}

function checkTypes(json: JsonObject): Violation[] {
  const { success, data, error, meta } = json;
  const found: Violation[] = [];
  if (success !== undefined && typeof success !== "boolean") {
    found.push(violate(envelopeRules["envelope/success-type"], "/success", "success is not a boolean"));
  }
  if (data !== undefined && !isJsonObject(data)) {
    found.push(violate(envelopeRules["envelope/data-type"], "/data", "data is not an object"));
  }
  if (error !== undefined && error !== null && typeof error !== "string") {
    found.push(violate(envelopeRules["envelope/error-type"], "/error", "error is neither a string nor null"));
  }
  if (meta !== undefined && !isJsonObject(meta)) {
    found.push(violate(envelopeRules["envelope/meta-type"], "/meta", "meta is not an object"));
  }
  return found;
}

/** Judged even if data and meta are wrong, so that all faults are found at once. */
function checkOutcome({ success, error }: JsonObject): Violation[] {
  const isText = typeof error === "string";
  if (typeof success !== "boolean" || (!isText && error !== null)) return [];
  if (success === isText) {
    const says = `success is ${success} but error is ${success ? "not " : ""}null`;
    return [violate(envelopeRules["envelope/success-error"], "/error", says)];
  }
  return isText && error.trim() === ""
    ? [violate(envelopeRules["envelope/error-message"], "/error", "error is empty")]
    : [];
}

/** What is wrong with the root, and its parts; undefined for data and meta that are no objects, which cannot be judged. */
interface CheckedEnvelope {
  readonly success?: JsonValue | undefined;
  readonly data?: JsonObject | undefined;
  readonly meta?: JsonObject | undefined;
  readonly violations: Violation[];
}

export function checkEnvelope(json: JsonValue): CheckedEnvelope {
  if (!isJsonObject(json)) {
    return { violations: [violate(envelopeRules["envelope/object"], "", "The response is not an object")] };
  }
  const { success, data, meta } = json;
  return {
    success,
    data: isJsonObject(data) ? data : undefined,
    meta: isJsonObject(meta) ? meta : undefined,
    violations: [...checkMissing(json), ...checkTypes(json), ...checkExtra(json), ...checkOutcome(json)],
  };
}

const errorSource = "seed 001, Standard Error Fields";

/** Rules on the `data` of a failed response-v2 envelope. */
export const errorDataRules = defineRules("envelope", {
  "error/fields": {
    severity: "MUST",
    says: "error_code and error_type are strings that are not empty, remediation a string, details an object.",
    fix: "Send the field in its type, or leave it out.",
    source: errorSource,
  },
  "error/code-missing": {
    severity: "SHOULD",
    says: "A failure has data.error_code.",
    fix: "Add a code such as NOT_FOUND, so that programs can branch on it.",
    source: errorSource,
  },
  "error/type-missing": {
    severity: "SHOULD",
    says: "A failure has data.error_type.",
    fix: "Add one of the nine types, so that callers know whether to retry.",
    source: errorSource,
  },
  "error/remediation": {
    severity: "SHOULD",
    says: "A failure says how to resolve it.",
    fix: "Add data.remediation with the next step.",
    source: errorSource,
  },
  "error/code-case": {
    severity: "SHOULD",
    says: "Error codes are SCREAMING_SNAKE_CASE.",
    fix: "Write the code in capitals with underscores.",
    source: errorSource,
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

function checkCode(code: string, type: unknown): Violation[] {
  if (!isScreamingSnake(code)) {
    return [
      violate(
        errorDataRules["error/code-case"],
        "/data/error_code",
        `The code ${quote(code)} is not in capitals`,
      ),
    ];
  }
  const known = errorRegistry.get(code);
  if (known === undefined || !isErrorType(type) || known.type === type) return [];
  const found = `${code} is of type ${known.type}, not ${type}`;
  return [violate(errorDataRules["error/code-type"], "/data/error_type", found)];
}

export function checkErrorData(data: JsonObject): Violation[] {
  const shape = checkShape(errorDataRules["error/fields"], errorDataSchema, data, "/data");
  if (shape.length > 0) return shape;
  const { error_code: code, error_type: type, remediation } = data;
  const found: Violation[] = [];
  if (typeof code === "string") found.push(...checkCode(code, type));
  else found.push(violate(errorDataRules["error/code-missing"], "/data", "error_code is missing"));
  if (typeof type !== "string")
    found.push(violate(errorDataRules["error/type-missing"], "/data", "error_type is missing"));
  else if (!isErrorType(type)) {
    found.push(
      violate(errorDataRules["error/type-known"], "/data/error_type", `The type ${quote(type)} is unknown`),
    );
  }
  if (typeof remediation !== "string") {
    found.push(violate(errorDataRules["error/remediation"], "/data", "remediation is missing"));
  }
  if (type === "rate_limit" && typeof data["retry_after_seconds"] !== "number") {
    found.push(violate(errorDataRules["error/retry-after"], "/data", "retry_after_seconds is missing"));
  }
  return found;
}
