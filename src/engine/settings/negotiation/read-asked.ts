import { markIn } from "../../../core/contract/contract-mark.ts";
import { CONTRACT_FLAG } from "../flags-and-tiers/define-flags.ts";
import { CONTRACT_EXTENSION } from "../../../core/contract/wire-names.ts";
import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";

const MAX_NAMES = 16;

/** What a client asked for, not yet checked: every value may be any JSON. */
export interface Asked {
  /** In the client's order of preference. */
  readonly dialects: readonly unknown[];
  /** True if the client named a version and not a dialect. */
  readonly isVersion: boolean;
  readonly profile: unknown;
  readonly budget: unknown;
  readonly features: readonly unknown[] | undefined;
}

function objectAt(value: unknown, key: string): JsonObject | undefined {
  const found = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(found) ? found : undefined;
}

/** The places in a request that may contain a wish, most specific first. */
function layersOf(request: unknown): readonly JsonObject[] {
  const capabilities = objectAt(request, "client_capabilities");
  const layers = [
    markIn(objectAt(request, "_meta")),
    isJsonObject(request) ? request : undefined,
    objectAt(objectAt(request, "extensions"), CONTRACT_EXTENSION),
    capabilities,
    objectAt(objectAt(capabilities, "extensions"), CONTRACT_EXTENSION),
  ];
  return layers.filter((layer) => layer !== undefined);
}

function firstOf(layers: readonly JsonObject[], ...keys: readonly string[]): unknown {
  for (const layer of layers) {
    for (const key of keys) {
      const value = Object.hasOwn(layer, key) ? layer[key] : undefined;
      if (value !== undefined && value !== null) return value;
    }
  }
  return undefined;
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value.slice(0, MAX_NAMES) : [value];
}

function readFeatures(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string") return undefined;
  const names = value.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "");
}

/** The capability flag of seed 000: true asks for response-v2, false for the earlier form. */
function readFlag(flag: unknown): string | undefined {
  return typeof flag === "boolean" ? (flag ? "response-v2" : "response-v1") : undefined;
}

const wishes = [
  "dialect",
  "response_contract",
  CONTRACT_FLAG,
  "requested_version",
  "profile",
  "budget_tokens",
  "requested_features",
  "features",
  "extensions",
] as const;

/** Other keys of a client's capabilities, by the revisions of MCP; they need no warning. */
const mcpCapabilities = ["experimental", "roots", "sampling", "elicitation", "tasks"];

/** Unknown keys, with the known keys of the same place: most likely a misspelt wish. */
export function unreadKeys(
  request: unknown,
): readonly { readonly place: string; readonly key: string; readonly known: readonly string[] }[] {
  const places = [
    { place: "", value: request, besides: ["action", "tool", "client_capabilities", "_meta"] },
    {
      place: "client_capabilities.",
      value: objectAt(request, "client_capabilities"),
      besides: mcpCapabilities,
    },
  ];
  return places.flatMap(({ place, value, besides }) => {
    if (!isJsonObject(value)) return [];
    const known = [...wishes, ...besides];
    const strange = Object.keys(value).filter((key) => !known.includes(key));
    return strange.map((key) => ({ place, key, known }));
  });
}

/** Reads every known form: seed 004's, the form of older servers, our own, and the client capability. Never throws. */
export function readAsked(request: unknown): Asked {
  const layers = layersOf(request);
  const dialect = firstOf(layers, "dialect");
  const version =
    firstOf(layers, "response_contract", "requested_version") ?? readFlag(firstOf(layers, CONTRACT_FLAG));
  return {
    dialects: listOf(dialect ?? version),
    isVersion: dialect === undefined,
    profile: firstOf(layers, "profile"),
    budget: firstOf(layers, "budget_tokens"),
    features: readFeatures(firstOf(layers, "requested_features", "features")),
  };
}
