import type * as z from "zod/mini";
import { errorRegistry } from "../../../contract/error-registry.ts";
import { type Rule, type Violation, defineRules, violate } from "../../../contract/rule.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../json/json-value.ts";
import { jsonEqual } from "../../../json/canonical-json.ts";
import { appendPointer } from "../../../json/pointer.ts";
import { checkShape, quote } from "../check-shape.ts";
import type { CheckFacts } from "../dialect.ts";
import { checkMeta } from "../check-meta.ts";
import { metaRules } from "../meta-rules.ts";
import { codeIn } from "../../../text/source-code.ts";
import { cleanDetails } from "./without-code.ts";
import { ENVELOPE_CAPABILITY } from "./wording.ts";
import { scalpelKeys, scalpelSchema } from "./schema.ts";

const source = "seed 002, Envelope Schema";

const scalpelRules = defineRules("envelope", {
  "scalpel/object": {
    severity: "MUST",
    says: "The envelope is an object.",
    fix: 'Send {"data": …}.',
    source,
  },
  "scalpel/data": {
    severity: "MUST",
    says: "A success has data.",
    fix: "Add data; null is allowed.",
    source,
  },
  "scalpel/field-type": {
    severity: "MUST",
    says: "Envelope fields have their types: texts, a number of milliseconds, lists of texts.",
    fix: "Send the field in its type, or leave it out.",
    source,
  },
  "scalpel/key-known": {
    severity: "SHOULD",
    says: "The root has only the nine keys of the envelope, warnings and meta.",
    fix: "Move the key into data.",
    source,
  },
  "scalpel/capabilities": {
    severity: "SHOULD",
    says: "capabilities starts with envelope-v1.",
    fix: 'Put "envelope-v1" first.',
    source: "seed 002, Examples",
  },
  "scalpel/tier-known": {
    severity: "SHOULD",
    says: "tier is one of the tiers there are: community, pro and enterprise, or those of the configuration.",
    fix: "Send a known tier, or name yours in the configuration as tiers.order.",
    source,
  },
  "scalpel/upgrade-hints": {
    severity: "MUST",
    says: "upgrade_hints is a list of {feature, tier, reason}.",
    fix: "Give each hint its three texts.",
    source: "seed 002, Upgrade Hints",
  },
  "scalpel/error": {
    severity: "MUST",
    says: "error is an object with error and error_code.",
    fix: 'Send {"error": "what went wrong", "error_code": "not_found"}.',
    source: "seed 002, Error Model",
  },
  "scalpel/error-details": {
    severity: "MUST",
    says: "error_details is an object or null.",
    fix: "Put the facts under keys.",
    source: "seed 002, Error Model",
  },
  "scalpel/no-code": {
    severity: "SHOULD",
    says: "An error contains no source code, neither in its text nor in its details.",
    fix: "Name the file and the line, and leave the code itself out.",
    source: "seed 002, Error Model",
  },
  "scalpel/code-case": {
    severity: "SHOULD",
    says: "Error codes are lower-case with underscores.",
    fix: "Write the code like not_found.",
    source: "seed 002, Examples",
  },
  "scalpel/code-known": {
    severity: "MAY",
    says: "Error codes are among the twelve of the registry.",
    fix: "Use a registered code and put your own into error_details.code.",
    source: "docs/errors.md",
  },
});

const rules = scalpelRules;
// `meta` is our addition here and has no version of its own; its request id stands at the root.
const { "meta/version": _version, "meta/request-id-missing": _id, ...extraRules } = metaRules;
export const allRules: readonly Rule[] = Object.values({ ...scalpelRules, ...extraRules });

const byKey: Readonly<Record<string, Rule>> = {
  error_details: rules["scalpel/error-details"],
  error: rules["scalpel/error"],
  upgrade_hints: rules["scalpel/upgrade-hints"],
};

function checkFields(root: JsonObject): Violation[] {
  const { error, ...rest } = root;
  const shape = scalpelSchema.shape as Readonly<Record<string, z.ZodMiniType>>;
  const found = Object.entries(rest).flatMap(([key, value]) => {
    const schema = Object.hasOwn(shape, key) ? shape[key] : undefined;
    const rule = byKey[key] ?? rules["scalpel/field-type"];
    return schema === undefined ? [] : checkShape(rule, schema, value, appendPointer("", key));
  });
  if (error === undefined) return found;
  const { error_details: details } = byKey;
  return [
    ...found,
    ...checkShape(rules["scalpel/error"], scalpelSchema.shape.error, error, "/error", {
      error_details: details ?? rules["scalpel/error"],
    }),
  ];
}

function checkCode(error: JsonValue | undefined): Violation[] {
  const code = isJsonObject(error) ? error["error_code"] : undefined;
  if (typeof code !== "string" || code === "") return [];
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(code)) {
    return [
      violate(rules["scalpel/code-case"], "/error/error_code", `The code ${quote(code)} is not lower-case`),
    ];
  }
  return errorRegistry.fromScalpel(code) === undefined
    ? [violate(rules["scalpel/code-known"], "/error/error_code", `The code ${quote(code)} is not registered`)]
    : [];
}

/** Readers take such an error all the same, so that it is no reason to refuse the response. */
function checkNoCode(error: JsonValue | undefined): Violation[] {
  if (!isJsonObject(error)) return [];
  const { error: text, error_details: details } = error;
  const rule = rules["scalpel/no-code"];
  const places: Violation[] = [];
  if (typeof text === "string" && codeIn(text) !== undefined)
    places.push(violate(rule, "/error/error", "The text contains source code"));
  if (isJsonObject(details) && !jsonEqual(details, cleanDetails(details)))
    places.push(violate(rule, "/error/error_details", "The details contain source code"));
  return places;
}

const usualTiers = ["community", "pro", "enterprise"];

function checkTier({ tier }: JsonObject, { tiers = usualTiers }: CheckFacts): Violation[] {
  if (typeof tier !== "string" || tiers.includes(tier)) return [];
  return [violate(rules["scalpel/tier-known"], "/tier", `The tier ${quote(tier)} is not known`)];
}

function checkRoot(root: JsonObject): Violation[] {
  const found = Object.keys(root)
    .filter((key) => !scalpelKeys.includes(key))
    .map((key) =>
      violate(
        rules["scalpel/key-known"],
        appendPointer("", key),
        `${quote(key)} is not a key of the envelope`,
      ),
    );
  if ((root["error"] ?? null) === null && !Object.hasOwn(root, "data")) {
    found.push(violate(rules["scalpel/data"], "", "data is missing"));
  }
  const { capabilities } = root;
  const [first] = Array.isArray(capabilities) ? capabilities : [];
  if (typeof first === "string" && first !== ENVELOPE_CAPABILITY) {
    found.push(violate(rules["scalpel/capabilities"], "/capabilities", "envelope-v1 is not first"));
  }
  return found;
}

export function check(json: JsonValue, facts: CheckFacts = {}): Violation[] {
  if (!isJsonObject(json)) return [violate(rules["scalpel/object"], "", "The response is not an object")];
  const { meta } = json;
  return [
    ...checkRoot(json),
    ...checkFields(json),
    ...checkTier(json, facts),
    ...checkCode(json["error"]),
    ...checkNoCode(json["error"]),
    ...(isJsonObject(meta) ? checkMeta(meta, "/meta") : []),
  ];
}
