import { type Rule, type Violation, defineRules, violate } from "../../contract/rule.ts";
import { findNonJson, isCleanJson } from "../../json/find-non-json.ts";
import { type JsonValue, isJsonObject, mapObject } from "../../json/json-value.ts";
import type { JsonFinding } from "../../json/parse-json.ts";

function withoutUndefined(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (!isJsonObject(value)) return value;
  return mapObject(value, (item: JsonValue | undefined) =>
    item === undefined ? undefined : withoutUndefined(item),
  );
}

/**
 * A value as its JSON text would give it: undefined properties are absent. The value has passed `violationsOfValue`, so
 * its depth is limited.
 */
export function settleValue(value: JsonValue): JsonValue {
  return isCleanJson(value) ? value : withoutUndefined(value);
}

const source = "RFC 8259, docs/validate.md";

/** Rules on the JSON itself, before any dialect: what a parser would silently change or drop. */
export const jsonRules = defineRules("json", {
  "json/encoding": {
    severity: "MUST",
    says: "The bytes are UTF-8.",
    fix: "Write the file as UTF-8.",
    source,
  },
  "json/syntax": {
    severity: "MUST",
    says: "The text is JSON.",
    fix: "Correct the JSON at that place.",
    source,
  },
  "json/depth": {
    severity: "MUST",
    says: "Nesting is at most 1,000 levels.",
    fix: "Flatten the value: many parsers overflow on such depth.",
    source,
  },
  "json/duplicate-key": {
    severity: "MUST",
    says: "An object names each key once.",
    fix: "Remove or rename one: parsers keep only the last.",
    source,
  },
  "json/number-range": {
    severity: "MUST",
    says: "Numbers fit a double.",
    fix: "Send the number as a string.",
    source,
  },
  "json/number-precision": {
    severity: "SHOULD",
    says: "Numbers keep their value in a double.",
    fix: "Send the number as a string, or with fewer digits.",
    source,
  },
  "json/lone-surrogate": {
    severity: "SHOULD",
    says: "Strings are well-formed Unicode.",
    fix: "Replace the half of a surrogate pair: strict parsers refuse the whole text.",
    source,
  },
  "json/value": {
    severity: "MUST",
    says: "The value is made of JSON types only.",
    fix: "Convert the value before building the response.",
    source,
  },
});

const ruleOf: Readonly<Record<JsonFinding["kind"], Rule>> = {
  syntax: jsonRules["json/syntax"],
  depth: jsonRules["json/depth"],
  "duplicate-key": jsonRules["json/duplicate-key"],
  "number-range": jsonRules["json/number-range"],
  "number-precision": jsonRules["json/number-precision"],
  "lone-surrogate": jsonRules["json/lone-surrogate"],
};

/** A finding without the advice after its last colon; the rule has its own advice. */
function withoutAdvice(message: string): string {
  return message.replace(/: [^:]*$/, "");
}

/** What was found and where; the message of a syntax error already contains its place. */
function describeFinding({ kind, message, line, column }: JsonFinding): string {
  if (kind === "syntax") return message.replace(/\.$/, "");
  if (kind === "depth") return withoutAdvice(message);
  return `${withoutAdvice(message)} (line ${line}, column ${column})`;
}

/** The findings of a scan of JSON text, as violations. */
export function violationsOfText(findings: readonly JsonFinding[]): Violation[] {
  return findings.map((finding) => violate(ruleOf[finding.kind], finding.pointer, describeFinding(finding)));
}

/** The first thing in a value that is not JSON. */
export function violationsOfValue(value: unknown): Violation[] {
  const found = findNonJson(value);
  if (found === undefined) return [];
  if (found.reason === "too-deep") {
    return [violate(jsonRules["json/depth"], found.pointer, withoutAdvice(found.message))];
  }
  return [violate(jsonRules["json/value"], found.pointer, found.message.replace(/\.$/, ""))];
}
