import * as z from "zod/mini";
import type { Outcome } from "../../contract/outcome.ts";
import { type Violation, defineRules, violate } from "../../contract/rule.ts";
import { filledText } from "../../contract/meta.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { asideOf, quietPresence } from "./aside.ts";
import { type Dialect, type RenderOptions, untypedFault, untypedFaultLosses } from "./dialect.ts";

const v1Rules = defineRules("envelope", {
  "v1/error-text": {
    severity: "MUST",
    says: "A failure is an object whose only key, error, holds a text.",
    fix: 'Send {"error": "what went wrong"}.',
    source: "docs/contract.md, legacy form behind response_contract_v2",
  },
});

/** A failure is recognised by its only key; any other JSON is a payload. */
function isFailure(json: JsonValue): json is JsonObject {
  return isJsonObject(json) && Object.hasOwn(json, "error") && Object.keys(json).length === 1;
}

function render(outcome: Outcome): JsonValue {
  if (!outcome.ok) return { error: outcome.fault.message };
  // A payload that looks like a failure is wrapped: one level deeper is better than being read as its opposite.
  return isFailure(outcome.data) ? { result: outcome.data } : outcome.data;
}

function check(json: JsonValue): Violation[] {
  if (!isFailure(json) || (typeof json["error"] === "string" && json["error"].trim() !== "")) return [];
  return [violate(v1Rules["v1/error-text"], "/error", "error is not a text, or is empty")];
}

function read(json: JsonValue): Outcome {
  if (!isFailure(json)) return { ok: true, data: json, notes: {} };
  const { error } = json;
  return { ok: false, fault: untypedFault(typeof error === "string" ? error : ""), notes: {} };
}

/** The legacy form: the bare payload, or `{"error": text}`. */
export const responseV1: Dialect = {
  id: "response-v1",
  says: 'the legacy form: the bare payload, or {"error": text}',
  level: "envelope",
  presence: quietPresence,
  schema: z.union([z.strictObject({ error: filledText }), z.json()]),
  rules: Object.values(v1Rules),
  losses: [
    ...untypedFaultLosses,
    {
      path: "/notes",
      becomes: { value: {} },
      why: "there is no place for metadata; it is sent beside the payload",
    },
  ],
  render,
  aside: (outcome: Outcome, options: RenderOptions) => asideOf(quietPresence, outcome, options),
  check,
  read,
};
