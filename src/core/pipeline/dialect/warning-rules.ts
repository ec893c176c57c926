import * as z from "zod/mini";
import { isScreamingSnake } from "../../contract/error-registry.ts";
import { type Violation, defineRules, violate } from "../../contract/rule.ts";
import { warningDetailSchema } from "../../contract/meta-fields.ts";
import { type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { checkShape, quote } from "./check-shape.ts";

const source = "seed 001, Warning Detail Field Definitions";

export const warningRules = defineRules("envelope", {
  "warning/shape": {
    severity: "MUST",
    says: "warning_details is a list of objects with textual codes.",
    fix: "Send objects with code, severity, message and context.",
    source,
  },
  "warning/message": {
    severity: "MUST",
    says: "A warning detail has a message.",
    fix: "Say in one sentence what is amiss.",
    source,
  },
  "warning/severity": {
    severity: "MUST",
    says: "A warning's severity is info, warning or error.",
    fix: "Choose one of the three.",
    source,
  },
  "warning/context": {
    severity: "MUST",
    says: "A warning's context is an object.",
    fix: "Put the facts under keys.",
    source,
  },
  "warning/code-missing": {
    severity: "SHOULD",
    says: "A warning detail has a code.",
    fix: "Add a code such as PARTIAL_FAILURE, so that programs can tell warnings apart.",
    source,
  },
  "warning/severity-missing": {
    severity: "SHOULD",
    says: "A warning detail has a severity.",
    fix: "Add info, warning or error.",
    source,
  },
  "warning/code-case": {
    severity: "SHOULD",
    says: "Warning codes are SCREAMING_SNAKE_CASE.",
    fix: "Write the code in capitals with underscores.",
    source,
  },
});

const rules = warningRules;
const details = z.array(warningDetailSchema);

function checkDetail(detail: JsonValue, path: string): Violation[] {
  if (!isJsonObject(detail)) return [];
  const { code, severity } = detail;
  const found: Violation[] = [];
  if ((code ?? null) === null)
    found.push(violate(rules["warning/code-missing"], path, "The warning has no code"));
  if ((severity ?? null) === null) {
    found.push(violate(rules["warning/severity-missing"], path, "The warning has no severity"));
  }
  if (typeof code === "string" && code !== "" && !isScreamingSnake(code)) {
    const message = `The code ${quote(code)} is not in capitals`;
    found.push(violate(rules["warning/code-case"], `${path}/code`, message));
  }
  return found;
}

export function checkWarningDetails(value: JsonValue | undefined, path: string): Violation[] {
  if (value === undefined || value === null) return [];
  const byKey = {
    message: rules["warning/message"],
    severity: rules["warning/severity"],
    context: rules["warning/context"],
  };
  const shape = checkShape(rules["warning/shape"], details, value, path, byKey);
  const advice = Array.isArray(value)
    ? value.flatMap((detail, index) => checkDetail(detail, `${path}/${index}`))
    : [];
  return [...shape, ...advice];
}
