import type { Dialect, CheckFacts, RenderOptions } from "./dialect.ts";
import {
  faultMetaKeys,
  type ScalpelError,
  readScalpelError,
  writeScalpelError,
  cleanDetails,
} from "./scalpel-code.ts";
import * as z from "zod/mini";
import { errorRegistry } from "../../contract/error-registry.ts";
import { type Rule, type Violation, defineRules, violate } from "../../contract/rule.ts";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../../json/json-value.ts";
import { jsonEqual } from "../../json/canonical-json.ts";
import { appendPointer } from "../../json/pointer.ts";
import { checkShape, quote } from "./result-rules.ts";
import { checkMeta, envelopeMetaRules } from "./meta-rules.ts";
import { codeIn } from "../../text/source-code.ts";
import { wrapData, writeMeta } from "../../contract/envelope.ts";
import { type Fault, type Notes, type Outcome, USUAL_PROVENANCE } from "../../contract/outcome.ts";
import { type PresenceTable, shownNotes } from "../../contract/profile.ts";
import { readMeta } from "../../contract/read-meta.ts";
import { amountSchema, filledText, jsonObject, texts, upgradeHintSchema } from "../../contract/meta.ts";

/** Seed 002's minimal error shows no request id unless the client gave one. */
const scalpelPresence: Readonly<Record<string, Partial<PresenceTable>>> = {
  minimal: { requestId: "given" },
};

const ENVELOPE_CAPABILITY = "envelope-v1";

type Root = Record<string, JsonValue | undefined>;

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

/** The nine keys of seed 002 in its order; undefined for those without a value. */
function writeRoot(outcome: Outcome, notes: Notes, showsCapabilities: boolean): Root {
  const capabilities = [ENVELOPE_CAPABILITY, ...(notes.capabilities ?? [])];
  return {
    tier: notes.tier,
    tool_version: notes.toolVersion,
    tool_id: notes.toolId,
    request_id: notes.requestId,
    capabilities: showsCapabilities ? capabilities : undefined,
    duration_ms: notes.telemetry?.duration_ms,
    error: outcome.ok ? undefined : (writeScalpelError(outcome.fault).error as unknown as JsonObject),
    upgrade_hints: notes.upgradeHints as readonly object[] as readonly JsonObject[] | undefined,
    data: outcome.ok ? outcome.data : outcome.fault.data,
  };
}

/** On a failure these keys of `meta` describe the fault, so an author's own keys of these names are dropped. */
function withoutFaultKeys(meta: JsonObject): JsonObject {
  return mapObject(meta, (value, key) => (faultMetaKeys.some((own) => own === key) ? undefined : value));
}

/** Notes that have no place in the nine keys. */
function writeRest(outcome: Outcome, notes: Notes): { warnings?: JsonValue; meta?: JsonObject } {
  const { requestId: _id, upgradeHints: _hints, toolId: _tool, toolVersion: _version, ...without } = notes;
  const { tier: _tier, capabilities: _capabilities, telemetry, provenance, ...kept } = without;
  const { duration_ms: _duration, ...figures } = telemetry ?? {};
  const written = writeMeta({
    ...kept,
    ...(Object.keys(figures).length > 0 ? { telemetry: figures } : {}),
    // Seed 002's debug error does not mention the usual case, a failure of the tool's own handler.
    ...(provenance === undefined || provenance === USUAL_PROVENANCE ? {} : { provenance }),
  });
  const { version: _contract, warnings, ...meta } = written;
  const all = outcome.ok ? meta : { ...withoutFaultKeys(meta), ...writeScalpelError(outcome.fault).meta };
  return {
    ...(warnings === undefined ? {} : { warnings }),
    ...(Object.keys(all).length > 0 ? { meta: all } : {}),
  };
}

/** All nine keys, inside the error too: null for those without a value, an empty list for no hints. */
function filled(root: Root): JsonObject {
  const pairs = Object.entries(root).map(([key, value]) => [key, value ?? null]);
  const error = root["error"] as JsonObject | undefined;
  const details = error?.["error_details"] ?? null;
  return {
    ...(Object.fromEntries(pairs) as JsonObject),
    error: error === undefined ? null : { ...error, error_details: details },
    upgrade_hints: root["upgrade_hints"] ?? [],
  };
}

function render(outcome: Outcome, options: RenderOptions): JsonValue {
  const notes = shownNotes({ presence: scalpelPresence }, outcome, options);
  const show = options.profile.show.capabilities === "always";
  const root = writeRoot(outcome, notes, show);
  const rest = writeRest(outcome, notes);
  if (options.fill === "null" || options.profile.fillNulls) return { ...filled(root), ...rest };
  const isShown = ([key, value]: [string, JsonValue | undefined]): boolean =>
    key === "data" ? value !== undefined : !isEmpty(value);
  return { ...(Object.fromEntries(Object.entries(root).filter(isShown)) as JsonObject), ...rest };
}

const noteKeys = [
  "tier",
  "tool_version",
  "tool_id",
  "request_id",
  "upgrade_hints",
  "warnings",
  "capabilities",
];

/** The root keys in the form of `meta`, so that one reader serves both; the root wins. */
function readNotes(root: JsonObject, meta: JsonObject): Notes {
  const said = Object.fromEntries(noteKeys.map((key) => [key, root[key] ?? meta[key] ?? null]));
  const capabilities = Array.isArray(said["capabilities"]) ? said["capabilities"] : [];
  const telemetry = isJsonObject(meta["telemetry"]) ? meta["telemetry"] : {};
  const { duration_ms: duration } = root;
  return readMeta({
    ...meta,
    ...said,
    capabilities: capabilities.filter((name) => name !== ENVELOPE_CAPABILITY),
    telemetry: typeof duration === "number" ? { ...telemetry, duration_ms: duration } : telemetry,
  });
}

const faultFields = ["error_code", "error_type", "remediation", "details", "upgrade_hints"];

/** What a tool says about its failure in `data`; one level down if it uses the names of a fault's own fields. */
function readFailureData(data: JsonValue | undefined): Pick<Fault, "data"> {
  if (data === undefined || data === null) return {};
  const object = wrapData(data);
  if (Object.keys(object).length === 0) return {};
  return { data: faultFields.some((key) => Object.hasOwn(object, key)) ? { data: object } : object };
}

function read(json: JsonValue): Outcome {
  const root = json as JsonObject;
  const meta = isJsonObject(root["meta"]) ? root["meta"] : {};
  const error = root["error"];
  if (!isJsonObject(error)) return { ok: true, data: root["data"] ?? null, notes: readNotes(root, meta) };
  const fault = readScalpelError(error as JsonObject & ScalpelError, meta);
  return {
    ok: false,
    fault: { ...fault, ...readFailureData(root["data"]) },
    notes: readNotes(root, withoutFaultKeys(meta)),
  };
}

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
// `meta` is our addition here and has no version of its own; its request id is at the root.
const { "meta/version": _version, "meta/request-id-missing": _id, ...extraRules } = envelopeMetaRules;
const allRules: readonly Rule[] = Object.values({ ...scalpelRules, ...extraRules });

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

/** Readers accept such an error all the same, so it is not a reason to refuse the response. */
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

function check(json: JsonValue, facts: CheckFacts = {}): Violation[] {
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

const scalpelErrorSchema = z
  .looseObject({
    error: z.string().check(z.regex(/\S/, { error: "is empty" })),
    error_code: filledText,
    error_details: z.nullish(jsonObject),
  })
  .register(z.globalRegistry, { id: "ScalpelError" });

/** Seed 002's nine keys, the `warnings` its code adds, and the `meta` that carries our further notes. */
const scalpelSchema = z
  .looseObject({
    tier: z.nullish(z.string()),
    tool_version: z.nullish(z.string()),
    tool_id: z.nullish(z.string()),
    request_id: z.nullish(z.string()),
    capabilities: z.nullish(texts),
    duration_ms: z.nullish(amountSchema),
    error: z.nullish(scalpelErrorSchema),
    upgrade_hints: z.nullish(z.array(upgradeHintSchema)),
    data: z.optional(z.unknown()),
    warnings: z.nullish(texts),
    meta: z.nullish(jsonObject),
  })
  .register(z.globalRegistry, { id: "ScalpelEnvelope" });

export const scalpelKeys = Object.keys(scalpelSchema.shape);

/** Code Scalpel's envelope of seed 002: `{"data": …}` and only what the profile includes. */
export const scalpel: Dialect = {
  id: "scalpel",
  says: "the configurable envelope: data, and only what the profile includes",
  level: "envelope",
  carriesOmissions: true,
  fixesCapabilities: true,
  presence: scalpelPresence,
  schema: scalpelSchema,
  rules: allRules,
  losses: [
    { path: "/fault/remediation", becomes: "dropped", why: "the error model has no place for it" },
    ...faultMetaKeys.map((key) => ({
      path: `/notes/extra/${key}`,
      becomes: "dropped" as const,
      on: "failure" as const,
      why: "the key speaks of the fault",
    })),
  ],
  render,
  check,
  read,
};
