import { faults } from "../../core/contract/faults.ts";
import type { ToolFault } from "../../core/contract/tool-fault.ts";
import { showReceived } from "../../engine/call/word-issue.ts";
import { type DigestPolicy, digestLimits, digestPolicies } from "../../core/contract/choices.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";

/** What the digest tool is called with: one source, and how it is digested. */
export interface DigestArguments {
  readonly text?: string;
  readonly url?: string;
  readonly source_id?: string;
  readonly query?: string;
  readonly policy?: DigestPolicy;
  readonly content_type?: string;
  readonly max_snippets?: number;
  readonly max_summary_chars?: number;
  readonly max_key_points?: number;
}

const sourceArguments = ["text", "url", "source_id"] as const;
export type SourceArgument = (typeof sourceArguments)[number];

const MAX_QUERY_LENGTH = 2_000;
const MAX_NAME_LENGTH = 2_048;
const MEDIA_TYPE = "^[\\w.+-]+/[\\w.+-]+(?:;[ -~]*)?$";

const count = (maximum: number, description: string) =>
  ({ type: "integer", minimum: 0, maximum, description }) as const;
const text = (maxLength: number, description: string) =>
  ({ type: "string", maxLength, description }) as const;

/** Everything a model may send, by name; a source is listed only if the server offers it. */
const properties = {
  text: { type: "string", description: "The document itself: plain text, Markdown or HTML." },
  url: text(MAX_NAME_LENGTH, "Where to fetch the document: http or https, public hosts only."),
  source_id: text(MAX_NAME_LENGTH, "A document that this server knows, by its id."),
  query: text(
    MAX_QUERY_LENGTH,
    "What the digest is to answer; without it, it says what the document is about.",
  ),
  policy: {
    type: "string",
    enum: digestPolicies,
    description: "auto leaves short documents as they are; always digests all that get smaller.",
  },
  content_type: {
    ...text(200, "Media type of the text where it is known, e.g. text/html."),
    pattern: MEDIA_TYPE,
  },
  max_snippets: count(digestLimits.snippets, "Most quotes, e.g. 5."),
  max_summary_chars: count(digestLimits.summary, "Longest summary, e.g. 1000."),
  max_key_points: count(digestLimits.keyPoints, "Most key points, e.g. 5."),
} as const;

/** Tells a model to choose one source, in words: many clients refuse `oneOf` at the root of a schema. */
export function oneSource(sources: readonly SourceArgument[]): readonly string[] {
  return sources.length === 1 ? [] : [`Give exactly one of ${sources.join(", ")}.`];
}

export function digestInputSchema(sources: readonly SourceArgument[]): JsonObject {
  const listed = Object.entries(properties).flatMap(([name, property]) => {
    if (!sourceArguments.some((one) => one === name)) return [[name, property] as const];
    if (!sources.some((one) => one === name)) return [];
    const description = [property.description, ...oneSource(sources)].join(" ");
    return [[name, { ...property, description }] as const];
  });
  return {
    type: "object",
    properties: Object.fromEntries(listed),
    ...(sources.length === 1 ? { required: sources } : {}),
  };
}

function refuse(field: string, constraint: string, received: JsonValue): ToolFault {
  const shown = showReceived(received, [field], (text) => text);
  return faults.validation(`Validation failed: ${field} must be ${constraint}`, {
    remediation: `Correct ${field} and call again.`,
    details: { field, constraint, received: shown },
  });
}

function check(field: string, value: JsonValue): void {
  const rule: {
    readonly type: string;
    readonly maximum?: number;
    readonly maxLength?: number;
    readonly pattern?: string;
    readonly enum?: readonly string[];
  } = properties[field as keyof typeof properties];
  if (rule.type === "integer") {
    const most = rule.maximum ?? 0;
    const isFine = Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;
    if (!isFine) throw refuse(field, `a whole number from 0 to ${most}`, value);
    return;
  }
  if (typeof value !== "string") throw refuse(field, "a text", null);
  if (rule.enum !== undefined && !rule.enum.includes(value))
    throw refuse(field, `one of ${rule.enum.join(", ")}`, value);
  if (value.length > (rule.maxLength ?? Number.POSITIVE_INFINITY))
    throw refuse(field, `at most ${rule.maxLength} characters`, null);
  if (rule.pattern !== undefined && !new RegExp(rule.pattern).test(value))
    throw refuse(field, "a media type such as text/html", value);
}

/** The checked arguments; the tool decides which source they name. Null counts as missing. */
export function readDigestArguments(given: JsonObject): DigestArguments {
  const known = Object.keys(properties).filter((name) => (given[name] ?? null) !== null);
  for (const name of known) check(name, given[name] ?? null);
  return Object.fromEntries(known.map((name) => [name, given[name]]));
}

/** The one source that the arguments name, among those the server offers. */
export function chooseSource(args: DigestArguments, offered: readonly SourceArgument[]): SourceArgument {
  const named = sourceArguments.filter((name) => args[name] !== undefined);
  const choice = offered.length === 1 ? offered.join("") : `one of ${offered.join(", ")}`;
  const [only, ...more] = named;
  if (only === undefined || more.length > 0) {
    throw faults.validation(`Validation failed: give exactly ${choice}`, {
      ...(only === undefined ? { errorCode: "MISSING_REQUIRED" } : {}),
      remediation: `Call again with ${offered.length === 1 ? choice : `exactly ${choice}`}.`,
      details: { field: only ?? offered[0] ?? "text", constraint: "exactly one source", received: named },
    });
  }
  if (offered.includes(only)) return only;
  throw faults.featureDisabled(`digest_${only}`, {
    remediation: `This server takes no ${only}: send the document as ${choice}.`,
    details: { field: only, reason: "source_off" },
  });
}
