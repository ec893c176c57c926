import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import type { ErrorType } from "./error-data.ts";
import type { Telemetry, Pagination, RateLimit } from "./meta.ts";
import type { WarningDetail } from "./warning.ts";

/** From whole to nearly nothing; an author's level can only be lowered. */
export const fidelityLevels = ["full", "partial", "summary", "reference_only"] as const;
export type FidelityLevel = (typeof fidelityLevels)[number];

export const FIDELITY_SCHEMA_VERSION = "1.0";

export interface Fidelity {
  readonly level: FidelityLevel;
  readonly dropped: readonly string[];
  readonly archives: Readonly<Record<string, string>>;
}

/** If something is named as dropped, the content is not whole, whatever the author said. */
export function lowerFidelity(level: FidelityLevel | undefined, dropped: readonly string[]): FidelityLevel {
  if (dropped.length > 0 && (level === undefined || level === "full")) return "partial";
  return level ?? "full";
}

export interface UpgradeHint {
  readonly feature: string;
  readonly tier: string;
  readonly reason: string;
}

/** What `upgradeHintSchema` accepts, for readers that do without Zod. */
export function isUpgradeHint(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const { feature, tier, reason } = value;
  const isFilled = (text: unknown): boolean => typeof text === "string" && text !== "";
  return isFilled(feature) && isFilled(tier) && typeof reason === "string";
}

/** The provenance of most failures: the tool itself failed. */
export const USUAL_PROVENANCE = "handler";

/** Lists and maps of `meta` that the documents show empty, and that a writer may therefore want to write empty. */
export const emptyMetaKeys = [
  "warnings",
  "warning_details",
  "dropped_content_ids",
  "content_archive_hashes",
] as const;
export type EmptyMetaKey = (typeof emptyMetaKeys)[number];

/** The names of what the tool itself said, as opposed to what Waybill added: a profile does not hide these. */
export interface Authored {
  /** Names of telemetry figures. */
  readonly telemetry?: readonly string[] | undefined;
  readonly rateLimit?: boolean | undefined;
  /** Messages of warnings. */
  readonly warnings?: readonly string[] | undefined;
  /** Keys of `meta` that the tool wrote although they are empty. */
  readonly empty?: readonly EmptyMetaKey[] | undefined;
  /** The tool wrote `warning_details` without the strings that repeat them. */
  readonly detailsAlone?: boolean | undefined;
}

/** Marks everything in these notes as said by the tool; undefined if a profile would hide none of it. */
export function authoredIn({ telemetry, rateLimit, warnings }: Notes): Authored | undefined {
  if (telemetry === undefined && rateLimit === undefined && warnings === undefined) return undefined;
  return {
    telemetry: telemetry && Object.keys(telemetry),
    rateLimit: rateLimit !== undefined,
    warnings: warnings?.map(({ message }) => message),
  };
}

/** What travels beside the data. Every dialect is one way to write notes down. */
export interface Notes {
  readonly requestId?: string | undefined;
  readonly warnings?: readonly WarningDetail[] | undefined;
  readonly pagination?: Pagination | undefined;
  readonly rateLimit?: RateLimit | undefined;
  readonly telemetry?: Telemetry | undefined;
  readonly fidelity?: Fidelity | undefined;
  readonly upgradeHints?: readonly UpgradeHint[] | undefined;
  readonly toolId?: string | undefined;
  readonly toolVersion?: string | undefined;
  readonly tier?: string | undefined;
  readonly capabilities?: readonly string[] | undefined;
  /** Where a failure arose: in the tool's handler, in a ready-made result (upstream), or in the contract. */
  readonly provenance?: string | undefined;
  /** The author's own metadata keys. */
  readonly extra?: JsonObject | undefined;
  /** Undefined if the dialect leaves everything to the profile. */
  readonly authored?: Authored | undefined;
}

/** Why a call failed, in words and in code. */
export interface Fault {
  readonly message: string;
  readonly code: string;
  readonly type: ErrorType | (string & {});
  readonly remediation?: string;
  readonly details?: JsonObject;
  /** Further keys for the failure's `data`, such as `retry_after_seconds`. */
  readonly data?: JsonObject;
}

export interface Success {
  readonly ok: true;
  readonly data: JsonValue;
  readonly notes: Notes;
}

export interface Failure {
  readonly ok: false;
  readonly fault: Fault;
  readonly notes: Notes;
}

/** The one model of a tool result; dialects render it and read it back. */
export type Outcome = Success | Failure;
