import { ContractError } from "../../core/contract/contract-error.ts";
import type { DialectId } from "../../core/contract/dialect-id.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { refusalOf } from "../../engine/call/advertise-tool.ts";
import { envelopeOf, looksLikeResult } from "../../core/pipeline/dialect/detect-dialect.ts";
import { validateResponse } from "../../core/pipeline/dialect/validate-response.ts";

export interface AssertOptions {
  readonly dialect?: DialectId;
  /** All tiers, the lowest first; scalpel only. Default: community, pro, enterprise. */
  readonly tiers?: readonly string[];
  /** Keys that `meta` must contain. */
  readonly meta?: readonly string[];
  /** SHOULD and MAY rules also count. */
  readonly strict?: boolean;
  /** The tool's output schema as `tools/list` shows it: the structure of a result must conform to it. */
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined;
}

function metaOf(response: unknown): JsonObject {
  const json = isJsonObject(response) && looksLikeResult(response) ? envelopeOf(response)?.json : response;
  const meta = isJsonObject(json) ? json["meta"] : undefined;
  return isJsonObject(meta) ? meta : {};
}

/**
 * Throws a ContractError that lists every violation; for your own tests, with any test runner.
 *
 * @example
 * assertResponse(result, { dialect: "response-v2", meta: ["warnings"] });
 */
export function assertResponse(response: unknown, options: AssertOptions = {}): void {
  const { dialect, tiers, meta = [], strict = false, outputSchema } = options;
  const { violations } = validateResponse(response, { dialect, tiers });
  const counted = violations.filter(({ severity }) => strict || severity === "MUST");
  const missing = meta.filter((key) => !Object.hasOwn(metaOf(response), key));
  const refusal = outputSchema && refusalOf(response, outputSchema as JsonObject);
  if (counted.length === 0 && missing.length === 0 && refusal === undefined) return;
  const lines = [
    ...counted.map(({ rule, path, message }) => `${rule} at ${path || "the root"}: ${message}`),
    ...missing.map((key) => `meta.${key} is missing`),
    ...(refusal === undefined ? [] : [`the tool's outputSchema: ${refusal}`]),
  ];
  throw new ContractError("INVALID_ENVELOPE", `The response breaks the contract:\n- ${lines.join("\n- ")}`, {
    rules: counted.map(({ rule }) => rule),
    missing,
  });
}
