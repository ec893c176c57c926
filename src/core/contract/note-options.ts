import { type NonJson, findNonJson, writeJson, frozenCopy } from "../json/find-non-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { ContractError } from "./contract-error.ts";
import { describeIssue } from "./describe-issue.ts";
import { type FidelityLevel, type Notes, type UpgradeHint, emptyMetaKeys, lowerFidelity } from "./outcome.ts";
import {
  metaSchema,
  type Pagination,
  agreesWithCursor,
  type RateLimitOption,
  datedLimit,
  type Telemetry,
} from "./meta.ts";
import { readMeta, readWarnings } from "./read-meta.ts";
import { type RequestIdOption, chooseRequestId, isRequestId } from "./request-id.ts";
import type { WarningDetail } from "./warning.ts";
import type { EmitEmpty, WriteMetaOptions } from "./envelope.ts";
import { adviseKey } from "../text/did-you-mean.ts";

/** The parameters of seed 001's builders that become `meta`. */
export interface NoteOptions {
  /** `false`: `warningDetails` are written without the strings that repeat them. */
  readonly warnings?: readonly string[] | false | undefined;
  readonly warningDetails?: readonly WarningDetail[] | undefined;
  readonly pagination?: Pagination | undefined;
  readonly rateLimit?: RateLimitOption | undefined;
  readonly telemetry?: Telemetry | undefined;
  readonly contentFidelity?: FidelityLevel | undefined;
  readonly droppedContentIds?: readonly string[] | undefined;
  readonly contentArchiveHashes?: Readonly<Record<string, string>> | undefined;
  readonly upgradeHints?: readonly UpgradeHint[] | undefined;
  readonly requestId?: RequestIdOption | undefined;
  /** The author's own metadata. A named parameter beats the same key here; `version` is never overridden. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Write empty lists and maps instead of leaving them out: all, or those of the named keys of `meta`. */
  readonly emitEmpty?: EmitEmpty | undefined;
}

function refuse(name: string, { pointer, message }: NonJson): never {
  throw new ContractError("NOT_JSON", `${name}${pointer}: ${message}`, { pointer });
}

/** Refuses a value that JSON would bring back as a different value. */
export function assertJson(value: unknown, name: string): void {
  const problem = findNonJson(value);
  if (problem !== undefined) refuse(name, problem);
}

/** The value as `JSON.stringify` writes it; refused if that would silently change or drop a part. */
export function toJson<Value>(value: Value, name: string): Value {
  const { value: written, problem } = writeJson(value);
  return problem === undefined ? (written as Value) : refuse(name, problem);
}

function assertMeta(meta: JsonObject): void {
  const issue = metaSchema.safeParse(meta, { error: describeIssue }).error?.issues[0];
  if (issue) {
    const path = issue.path.join(".");
    const message = `meta.${path} ${issue.message}: pass a value the contract allows.`;
    throw new ContractError("INVALID_OPTION", message, { path });
  }
}

function given(key: keyof Notes, value: unknown): Partial<Notes> {
  return value === undefined || value === null ? {} : { [key]: value };
}

/** A reader of an envelope skips a value that is not a warning; a builder of one gets an error. */
function assertWarnings({ warnings = false, warningDetails = [] }: NoteOptions): void {
  const isTexts = Array.isArray(warnings) && warnings.every((each) => typeof each === "string");
  const isDetails =
    Array.isArray(warningDetails) &&
    (warningDetails as readonly unknown[]).every(
      (each) => isJsonObject(each) && typeof each["message"] === "string",
    );
  const wrong = warnings && !isTexts ? "warnings" : isDetails ? undefined : "warningDetails";
  if (wrong === undefined) return;
  const form =
    wrong === "warnings"
      ? "must be a list of texts; objects with a code belong into warningDetails"
      : "must be a list of objects with a message: { code, severity, message, context }";
  throw new ContractError("INVALID_OPTION", `${wrong} ${form}.`, { option: wrong });
}

/** The notes that builder options describe, checked against the contract. */
export function notesFromOptions(options: NoteOptions): Notes {
  assertWarnings(options);
  const { version: _, ...said }: Record<string, unknown> = { ...options.meta };
  const own = toJson(said, "meta");
  const base = readMeta(own as JsonObject);
  const warnings = readWarnings(
    (options.warnings || own["warnings"]) as JsonValue | undefined,
    (options.warningDetails ?? own["warning_details"]) as JsonValue | undefined,
  );
  const dropped = options.droppedContentIds ?? base.fidelity?.dropped ?? [];
  const archives = options.contentArchiveHashes ?? base.fidelity?.archives ?? {};
  const level = options.contentFidelity ?? base.fidelity?.level;
  const hasFidelity = level !== undefined || dropped.length > 0 || Object.keys(archives).length > 0;
  const requestId = chooseRequestId(options.requestId, base.requestId);
  if (requestId !== undefined && !isRequestId(requestId)) {
    throw new ContractError(
      "INVALID_OPTION",
      `request_id is not 1 to 128 letters, digits, _ or -: use one such as req_0a1b2c3d4e5f.`,
    );
  }
  const notes: Notes = {
    ...base,
    ...given("requestId", requestId),
    ...given("warnings", warnings.length > 0 ? warnings : undefined),
    ...given("pagination", options.pagination),
    ...given("rateLimit", datedLimit(options.rateLimit)),
    ...given("telemetry", options.telemetry),
    ...given(
      "fidelity",
      hasFidelity ? { level: lowerFidelity(level, dropped), dropped, archives } : undefined,
    ),
    ...given("upgradeHints", options.upgradeHints),
  };
  if (
    notes.pagination !== undefined &&
    isJsonObject(notes.pagination) &&
    !agreesWithCursor(notes.pagination)
  ) {
    throw new ContractError(
      "INVALID_OPTION",
      "pagination.has_more and pagination.cursor disagree: send a cursor exactly when there are more pages.",
    );
  }
  return notes;
}

/** How the options ask for `meta` to be written. */
export function writingOf({ warnings, emitEmpty = false }: NoteOptions): WriteMetaOptions {
  const keys: readonly unknown[] = Array.isArray(emitEmpty) ? emitEmpty : [];
  const wrong = keys.find((key) => !emptyMetaKeys.some((known) => known === key));
  if (wrong !== undefined) {
    const message = `emitEmpty names ${JSON.stringify(wrong)}: choose from ${emptyMetaKeys.join(", ")}.`;
    throw new ContractError("INVALID_OPTION", message, { option: "emitEmpty" });
  }
  return { emitEmpty, ...(warnings === false ? { detailsAlone: true } : {}) };
}

/** A frozen `meta` that satisfies the contract, or a ContractError that names the option at fault. */
export function sealMeta(notes: JsonObject): JsonObject {
  const meta = toJson(notes, "meta");
  assertMeta(meta);
  return frozenCopy(meta);
}

/** The names of all options of an interface; a name added to the interface does not compile until it is listed here. */
type Names<Options> = Readonly<Record<keyof Options, true>>;

export const noteOptionNames: Names<NoteOptions> = {
  warnings: true,
  warningDetails: true,
  pagination: true,
  rateLimit: true,
  telemetry: true,
  contentFidelity: true,
  droppedContentIds: true,
  contentArchiveHashes: true,
  upgradeHints: true,
  requestId: true,
  meta: true,
  emitEmpty: true,
};

/** How many option names the error lists if the options are not an object. */
const SOME_NAMES = 3;

/** Refuses an argument of another kind: a program without types would get the words of the engine for it. */
export function refuseOtherKind(kind: "object" | "string" | "list", wanted: string, given: unknown): void {
  const got = given === null ? "null" : Array.isArray(given) ? "list" : typeof given;
  if (got === kind) return;
  throw new ContractError("INVALID_OPTION", `${wanted}, and got ${got}.`);
}

/**
 * Refuses unknown options: a misspelt option would be ignored silently, and the source documents spell some
 * differently. Only names are checked, without a schema, because pages that build envelopes load this.
 */
export function refuseUnknownOptions(
  owner: string,
  options: object,
  names: Readonly<Record<string, true>>,
): void {
  const known = Object.keys(names).slice(0, SOME_NAMES).join(", ");
  refuseOtherKind("object", `${owner}: its options must be an object such as { ${known} }`, options);
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    if (value === undefined || Object.hasOwn(names, name)) continue;
    const advice = adviseKey(name, Object.keys(names));
    throw new ContractError("INVALID_OPTION", `${owner}: "${name}" is not a known option. ${advice}`, {
      option: name,
    });
  }
}
