import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../json/json-value.ts";
import { readErrorData } from "./error-data.ts";
import {
  type Fidelity,
  type FidelityLevel,
  type Notes,
  type Outcome,
  type UpgradeHint,
  isUpgradeHint,
  lowerFidelity,
} from "./outcome.ts";
import { type WarningDetail, orderWarnings } from "./warning.ts";

/** The keys of `metaSchema` in its order, for readers without Zod; a test compares the two. */
export const reservedMetaKeys: readonly string[] = [
  "version",
  "request_id",
  "warnings",
  "warning_details",
  "pagination",
  "rate_limit",
  "telemetry",
  "content_fidelity",
  "content_fidelity_schema_version",
  "dropped_content_ids",
  "content_archive_hashes",
  "upgrade_hints",
  "tool_id",
  "tool_version",
  "tier",
  "capabilities",
  "provenance",
];

/** For readers, null and a missing optional key mean the same; internally such a key is missing. */
function withoutNulls(object: JsonObject, keep: readonly string[] = []): JsonObject {
  return mapObject(object, (value: JsonValue, key) =>
    value === null && !keep.includes(key) ? undefined : value,
  );
}

const reserved = new Set(reservedMetaKeys);

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function filledObject(value: JsonValue | undefined, keep?: readonly string[]): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const object = withoutNulls(value, keep);
  return Object.keys(object).length > 0 ? object : undefined;
}

/** Strings and details repeat each other: the strings give the order, the details give the rest. */
export function readWarnings(
  strings: JsonValue | undefined,
  details: JsonValue | undefined,
): WarningDetail[] {
  const messages = listOf(strings).filter((text) => typeof text === "string");
  const spoken = listOf(details)
    .filter(isJsonObject)
    .map((detail) => withoutNulls(detail) as object as WarningDetail);
  const inOrder = messages.flatMap((message): WarningDetail[] => {
    const said = spoken.filter((detail) => detail.message === message);
    return said.length > 0 ? said : [{ message }];
  });
  return orderWarnings([...inOrder, ...spoken]);
}

function readFidelity(meta: JsonObject): Fidelity | undefined {
  const level = textOf(meta["content_fidelity"]) as FidelityLevel | undefined;
  const dropped = listOf(meta["dropped_content_ids"]) as readonly string[];
  const archives = filledObject(meta["content_archive_hashes"]) as
    | Readonly<Record<string, string>>
    | undefined;
  if (level === undefined && dropped.length === 0 && archives === undefined) return undefined;
  return { level: lowerFidelity(level, dropped), dropped, archives: archives ?? {} };
}

/** The notes a `meta` object carries. Null, empty and missing optional keys mean the same; unknown keys are kept. */
export function readMeta(meta: JsonObject): Notes {
  const warnings = readWarnings(meta["warnings"], meta["warning_details"]);
  const hints = listOf(meta["upgrade_hints"]) as readonly object[] as readonly UpgradeHint[];
  const capabilities = listOf(meta["capabilities"]) as readonly string[];
  const extra = mapObject(meta, (value, key) => (reserved.has(key) ? undefined : value));
  const notes: Record<Exclude<keyof Notes, "authored">, unknown> = {
    requestId: textOf(meta["request_id"]),
    warnings: warnings.length > 0 ? warnings : undefined,
    pagination: filledObject(meta["pagination"], ["cursor"]),
    rateLimit: filledObject(meta["rate_limit"]),
    telemetry: filledObject(meta["telemetry"]),
    fidelity: readFidelity(meta),
    upgradeHints: hints.length > 0 ? hints : undefined,
    toolId: textOf(meta["tool_id"]),
    toolVersion: textOf(meta["tool_version"]),
    tier: textOf(meta["tier"]),
    capabilities: capabilities.length > 0 ? capabilities : undefined,
    provenance: textOf(meta["provenance"]),
    extra: Object.keys(extra).length > 0 ? extra : undefined,
  };
  return Object.fromEntries(Object.entries(notes).filter(([, value]) => value !== undefined));
}

/** A response-v2 envelope whose four keys have their types. */
export interface Envelope {
  readonly success: boolean;
  readonly data: JsonObject;
  readonly error: string | null;
  readonly meta: JsonObject;
}

function hintsIn(data: JsonObject): readonly UpgradeHint[] | undefined {
  const hints = data["upgrade_hints"];
  if (!Array.isArray(hints) || hints.length === 0) return undefined;
  return hints.every(isUpgradeHint) ? hints : undefined;
}

/** What a valid response-v2 envelope says. */
export function readResponseV2(json: JsonValue): Outcome {
  const { success, data, error, meta } = json as unknown as Envelope;
  const notes = readMeta(meta);
  if (success) return { ok: true, data, notes };
  const upgradeHints = hintsIn(data);
  if (upgradeHints === undefined) return { ok: false, fault: readErrorData(error ?? "", data), notes };
  const { upgrade_hints: _, ...rest } = data;
  return { ok: false, fault: readErrorData(error ?? "", rest), notes: { ...notes, upgradeHints } };
}
