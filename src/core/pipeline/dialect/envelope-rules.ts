import { type Violation, defineRules, violate } from "../../contract/rule.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { appendPointer } from "../../json/pointer.ts";
import { quote } from "./check-shape.ts";

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

const rules = envelopeRules;

export interface Envelope {
  readonly success: boolean;
  readonly data: JsonObject;
  readonly error: string | null;
  readonly meta: JsonObject;
}

function checkMissing(json: JsonObject): Violation[] {
  const missing = rootKeys.filter((key) => !Object.hasOwn(json, key));
  return missing.map((key) => violate(rules["envelope/root-keys"], "", `${key} is missing`));
}

function checkExtra(json: JsonObject): Violation[] {
  const extra = Object.keys(json).filter((key) => !rootKeys.some((known) => known === key));
  return extra.map((key) =>
    violate(
      rules["envelope/root-keys"],
      appendPointer("", key),
      `${quote(key)} is not a key of the envelope`,
    ),
  );
}

function checkTypes(json: JsonObject): Violation[] {
  const { success, data, error, meta } = json;
  const found: Violation[] = [];
  if (success !== undefined && typeof success !== "boolean") {
    found.push(violate(rules["envelope/success-type"], "/success", "success is not a boolean"));
  }
  if (data !== undefined && !isJsonObject(data)) {
    found.push(violate(rules["envelope/data-type"], "/data", "data is not an object"));
  }
  if (error !== undefined && error !== null && typeof error !== "string") {
    found.push(violate(rules["envelope/error-type"], "/error", "error is neither a string nor null"));
  }
  if (meta !== undefined && !isJsonObject(meta)) {
    found.push(violate(rules["envelope/meta-type"], "/meta", "meta is not an object"));
  }
  return found;
}

/** Judged even if data and meta are wrong, so that all faults are found at once. */
function checkOutcome({ success, error }: JsonObject): Violation[] {
  const isText = typeof error === "string";
  if (typeof success !== "boolean" || (!isText && error !== null)) return [];
  if (success === isText) {
    const says = `success is ${success} but error is ${success ? "not " : ""}null`;
    return [violate(rules["envelope/success-error"], "/error", says)];
  }
  return isText && error.trim() === ""
    ? [violate(rules["envelope/error-message"], "/error", "error is empty")]
    : [];
}

/** The envelope if its four keys are valid, and what is wrong with its root. */
export function checkEnvelope(json: JsonValue): { envelope?: Envelope; violations: Violation[] } {
  if (!isJsonObject(json)) {
    return { violations: [violate(rules["envelope/object"], "", "The response is not an object")] };
  }
  const extra = checkExtra(json);
  const structural = [...checkMissing(json), ...checkTypes(json)];
  const violations = [...structural, ...extra, ...checkOutcome(json)];
  return structural.length > 0 ? { violations } : { envelope: json as unknown as Envelope, violations };
}
