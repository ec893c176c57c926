// Masks the secrets in everything that is sent with a result, not only in the words about its failure: notes, blocks,
// `_meta`. Never touched: bytes of images, sounds and files, hashes, cursors, and keys that belong to the protocol. A
// link that holds a secret is removed, because a masked link would lead somewhere else.

import type { Notes, Outcome } from "../../contract/outcome.ts";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../../json/json-value.ts";
import type { Redact } from "../pipeline-context.ts";

/** Values that are masked together, with one count. */
export interface Maskable {
  readonly outcome: Outcome;
  readonly blocks: readonly JsonObject[];
  readonly resultMeta: JsonObject | undefined;
}

export interface Masked extends Maskable {
  readonly count: number;
  /** The number of links and embedded files that were removed. */
  readonly removed: number;
}

/** Masks values one after the other and counts the secrets. */
class Masker {
  readonly #redact: Redact;
  count = 0;
  removed = 0;

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  value<Value extends JsonValue>(value: Value): Value {
    const { value: masked, count } = this.#redact(value);
    this.count += count;
    return masked;
  }

  /** For values with a type narrower than JSON. */
  typed<Value>(value: Value | undefined): Value | undefined {
    return value === undefined ? undefined : (this.value(value as JsonValue) as Value);
  }

  /** Whether an address holds a secret, as written or percent-encoded. */
  holdsSecret(address: JsonValue | undefined): boolean {
    if (typeof address !== "string" || address.startsWith("data:")) return false;
    return [address, decoded(address)].some((form) => this.#redact(form).count > 0);
  }
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

// The specification reserves these prefixes; the bare names are its own, or those of trace propagation.
const reservedPrefix = /^(?:[a-z0-9-]+\.)*(?:modelcontextprotocol|mcp)(?:\.[a-z0-9-]+)*\//i;
const reservedNames: ReadonlySet<string> = new Set([
  "requestState",
  "progressToken",
  "traceparent",
  "tracestate",
  "baggage",
]);

function isReserved(key: string): boolean {
  return reservedNames.has(key) || reservedPrefix.test(key);
}

function maskMeta(meta: JsonObject, masker: Masker): JsonObject {
  const own = mapObject(meta, (value, key) => (isReserved(key) ? undefined : value));
  const masked = masker.value(own);
  return masked === own ? meta : mapObject(meta, (value, key) => masked[key] ?? value);
}

/** The block with every part masked except those in `kept`. */
function maskAround(block: JsonObject, kept: readonly string[], masker: Masker): JsonObject {
  const around = mapObject(block, (value, key) =>
    key === "_meta" || kept.includes(key) ? undefined : value,
  );
  const masked = masker.value(around);
  return mapObject(block, (value, key) => {
    if (key === "_meta" && isJsonObject(value)) return maskMeta(value, masker);
    return kept.includes(key) ? value : (masked[key] ?? value);
  });
}

/** Icons are links too, or an icon's bytes. */
function withoutSecretIcons(block: JsonObject, masker: Masker): JsonObject {
  const { icons, ...rest } = block;
  const sources = Array.isArray(icons) ? icons.filter(isJsonObject).map(({ src }) => src) : [];
  if (!sources.some((src) => masker.holdsSecret(src))) return block;
  masker.removed += 1;
  return rest;
}

/** The block without secrets; undefined if its link contains one. */
function maskBlock(block: JsonObject, masker: Masker): JsonObject | undefined {
  const { type, resource, uri } = block;
  const link = type === "resource_link" ? uri : isJsonObject(resource) ? resource["uri"] : undefined;
  if (masker.holdsSecret(link)) {
    masker.removed += 1;
    return undefined;
  }
  if (type === "image" || type === "audio") return maskAround(block, ["data"], masker);
  if (!isJsonObject(resource)) return maskAround(withoutSecretIcons(block, masker), ["icons"], masker);
  const outside = maskAround(block, ["resource"], masker);
  return { ...outside, resource: maskAround(resource, type === "resource" ? ["blob"] : [], masker) };
}

/** Not masked: request id, pagination and fidelity (ids, cursors, hashes), and who answered, which the server says. */
function maskNotes(notes: Notes, masker: Masker): Notes {
  const { authored } = notes;
  const warnings = masker.typed(notes.warnings);
  // The list of authored warnings names messages, so it needs the masked message.
  const own = notes.warnings?.flatMap(({ message }, at) =>
    authored?.warnings?.includes(message) === true ? [warnings?.[at]?.message ?? message] : [],
  );
  return {
    ...notes,
    warnings,
    ...(authored === undefined ? {} : { authored: { ...authored, warnings: own } }),
    upgradeHints: masker.typed(notes.upgradeHints),
    telemetry: masker.typed(notes.telemetry),
    extra: notes.extra === undefined ? undefined : maskMeta(notes.extra, masker),
  };
}

function maskOutcome(outcome: Outcome, masker: Masker): Outcome {
  const notes = maskNotes(outcome.notes, masker);
  if (outcome.ok) return { ...outcome, data: masker.value(outcome.data), notes };
  const { message, remediation, details, data } = outcome.fault;
  const fault = {
    ...outcome.fault,
    message: masker.value(message),
    ...(remediation === undefined ? {} : { remediation: masker.value(remediation) }),
    ...(details === undefined ? {} : { details: masker.value(details) }),
    ...(data === undefined ? {} : { data: masker.value(data) }),
  };
  return { ...outcome, fault, notes };
}

function withCount(outcome: Outcome, count: number): Outcome {
  const telemetry = { ...outcome.notes.telemetry, redactions: count };
  return { ...outcome, notes: { ...outcome.notes, telemetry } };
}

/** Everything without its secrets; the same references if nothing is masked. */
export function maskParcel(parts: Maskable, redact: Redact): Masked {
  const masker = new Masker(redact);
  const outcome = maskOutcome(parts.outcome, masker);
  const blocks = parts.blocks.flatMap((block) => {
    const masked = maskBlock(block, masker);
    return masked === undefined ? [] : [masked];
  });
  const resultMeta = parts.resultMeta && maskMeta(parts.resultMeta, masker);
  const { count, removed } = masker;
  if (count === 0 && removed === 0) return { ...parts, count, removed };
  return { outcome: withCount(outcome, count + removed), blocks, resultMeta, count, removed };
}

/** Masks what another server said beside its failure, in keys that no stage knows. */
export function maskForeign(keys: JsonObject, redact: Redact): JsonObject {
  return maskAround(keys, ["requestState", "nextCursor"], new Masker(redact));
}
