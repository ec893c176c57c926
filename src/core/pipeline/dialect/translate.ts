import { ContractError } from "../../contract/contract-error.ts";
import { type DialectId, toDialectId } from "../../contract/dialect-id.ts";
import { refuseOtherKind } from "../../contract/note-options.ts";
import type { Outcome } from "../../contract/outcome.ts";
import { DEFAULT_PROFILE, type Profile, type RequestIdOrigin, profileNamed } from "../../contract/profile.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { splitAside } from "./aside.ts";
import { detectDialect, envelopeOf } from "./detect-dialect.ts";
import type { Loss, RenderOptions } from "./dialect.ts";
import { dialects } from "./dialects.ts";
import { blockTexts } from "./result-rules.ts";
import { settleValue } from "./json-rules.ts";
import { type Verdict, recognitionRules, validateResponse } from "./validate-response.ts";

export interface TranslateOptions extends Omit<RenderOptions, "profile" | "requestIdFrom"> {
  /** Who chose the request id. Default: "server". An id of the client's own is written in every profile. */
  readonly requestIdFrom?: RequestIdOrigin | undefined;
  /** Default: detected. */
  readonly from?: DialectId | undefined;
  readonly to: DialectId;
  /** A profile or the name of a built-in one. Default: `standard`, so that little is left out. */
  readonly profile?: string | Profile | undefined;
}

/** A value without an envelope can still be translated: it is read as the legacy form, the bare payload. */
function judgeBare(json: unknown, verdict: Verdict): Verdict {
  const { id } = recognitionRules["envelope/missing"];
  if (!verdict.violations.some(({ rule }) => rule === id)) return verdict;
  return validateResponse(json, { dialect: "response-v1" });
}

/** The outcome of a response in any dialect, or a ContractError that lists why it cannot be read. */
export function readResponse(json: unknown, from?: DialectId): Outcome {
  const verdict = judgeBare(json, validateResponse(json, { dialect: from }));
  if (!verdict.valid) {
    const violations = verdict.violations.filter((violation) => violation.severity === "MUST");
    const [first] = violations;
    throw new ContractError(
      "UNREADABLE",
      `This is not a valid ${verdict.dialect ?? "JSON"} response: ${first?.path || "root"}: ${first?.message ?? ""}`,
      { violations: violations as unknown as readonly JsonObject[] },
    );
  }
  const value = settleValue(json as JsonValue);
  const dialect = dialects[verdict.dialect ?? detectDialect(value).dialect];
  if (verdict.level === "envelope" && dialect.level === "result") return { ok: true, data: value, notes: {} };
  const isCarried = verdict.level === "result" && dialect.level === "envelope";
  if (!isCarried || !isJsonObject(value)) return dialect.read(value);
  const carried = envelopeOf(value);
  const outcome = dialect.read(carried === undefined ? value : carried.json);
  if (dialect.aside === undefined) return outcome;
  // Notes that have no place in the envelope are in a further text beside it.
  return { ...outcome, notes: { ...splitAside(blockTexts(value)).notes, ...outcome.notes } };
}

/** What the target dialect will not carry of this outcome: those of its pinned losses that apply to it. */
export function lossesOf(outcome: Outcome, to: DialectId): readonly Loss[] {
  return dialects[to].losses.filter(({ path, becomes, on }) => {
    if (on === "failure" && outcome.ok) return false;
    const value = path
      .split("/")
      .slice(1)
      .reduce<unknown>((node, key) => (node as JsonObject | undefined)?.[key], outcome);
    if (value === undefined) return false;
    if (becomes === "wrapped") return !isJsonObject(value);
    return becomes === "dropped" || JSON.stringify(value) !== JSON.stringify(becomes.value);
  });
}

/**
 * A response in another dialect. Refuses what it cannot read, and a payload the target cannot hold.
 *
 * @example
 * translate({ data: { ok: 1 } }, { from: "scalpel", to: "response-v2" });
 */
export function translate(json: unknown, options: TranslateOptions): JsonValue {
  refuseOtherKind("object", 'translate: give options such as { to: "scalpel" }', options);
  const { from, to, ...rest } = options;
  const target = toDialectId(to);
  return sayIn(target, readResponse(json, from), rest);
}

/** Writes an outcome that was already read in a dialect. */
export function sayIn(
  to: DialectId,
  outcome: Outcome,
  options: Omit<TranslateOptions, "from" | "to">,
): JsonValue {
  // A response does not show who chose its id, and the profile decides whether a server's own id is shown.
  const { profile, requestIdFrom = "server", ...rest } = options;
  const chosen = typeof profile === "object" ? profile : profileNamed(profile ?? DEFAULT_PROFILE);
  return dialects[to].render(outcome, { ...rest, requestIdFrom, profile: chosen });
}

/** What a dialect cannot carry, as a sentence. Separate from the losses themselves, because only people need it. */
export function describeLoss({ path, becomes, why }: Loss, to: DialectId): string {
  const fate =
    typeof becomes === "object"
      ? `becomes ${JSON.stringify(becomes.value)}`
      : becomes === "dropped"
        ? "is dropped"
        : "is wrapped in an object";
  return `${to} cannot carry ${path}: it ${fate}, because ${why}.`;
}
