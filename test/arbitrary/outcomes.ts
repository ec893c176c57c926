import * as fc from "fast-check";
import { errorRows } from "../../src/core/contract/error-registry.ts";
import { errorTypes } from "../../src/core/contract/error-data.ts";
import {
  type Fault,
  type Notes,
  type Outcome,
  fidelityLevels,
  lowerFidelity,
} from "../../src/core/contract/outcome.ts";
import { type WarningDetail, orderWarnings, severities } from "../../src/core/contract/warning.ts";
import type { JsonObject, JsonValue } from "../../src/core/json/json-value.ts";

/** Any JSON, as JSON text would give it: no -0, no undefined, `__proto__` keys included. */
export const anyJson: fc.Arbitrary<JsonValue> = fc
  .jsonValue({ maxDepth: 4, noUnicodeString: false })
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);

const text = fc.string({ minLength: 1, maxLength: 30, unit: "grapheme" });
const message = text.filter((said) => said.trim() !== "");
const key = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/);

export function objectOf(values: fc.Arbitrary<JsonValue>, prefix = ""): fc.Arbitrary<JsonObject> {
  return fc.dictionary(
    key.map((name) => prefix + name),
    values,
    { maxKeys: 4, noNullPrototype: true },
  );
}

const filled = (object: JsonObject): boolean => Object.keys(object).length > 0;
const objects = objectOf(anyJson).filter(filled);

function some<Shape extends object>(shape: { [K in keyof Shape]: fc.Arbitrary<Shape[K]> }): fc.Arbitrary<
  Partial<Shape>
> {
  return fc.record(shape, { requiredKeys: [] }) as fc.Arbitrary<Partial<Shape>>;
}

const screaming = fc.stringMatching(/^[A-Z][A-Z0-9]{0,5}(_[A-Z0-9]{1,5}){0,2}$/);
const warningCode = fc.oneof(
  fc.constantFrom("CONTENT_TRUNCATED", "PARTIAL_FAILURE", "DEPRECATED_FIELD"),
  screaming,
);

const warning: fc.Arbitrary<WarningDetail> = fc.record(
  { code: warningCode, severity: fc.constantFrom(...severities), message, context: objects },
  { requiredKeys: ["message"] },
);

const pagination = fc.oneof(
  fc.record({ cursor: text, has_more: fc.constant(true), page_size: fc.integer({ min: 1, max: 999 }) }),
  fc.record({ cursor: fc.constant(null), has_more: fc.constant(false), total_count: fc.nat() }),
);
const instant = fc
  .date({ min: new Date("2000-01-01T00:00:00Z"), max: new Date("2100-01-01T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString());
const rateLimit = some({
  limit: fc.nat(),
  remaining: fc.nat(),
  reset_at: instant,
  retry_after: fc.nat(),
}).filter(filled);
const telemetry = some({ duration_ms: fc.nat(), cache_hit: fc.boolean(), downstream_calls: fc.nat() }).filter(
  filled,
);
const hash = fc.stringMatching(/^[a-f0-9]{64}$/).map((hex) => `sha256:${hex}`);
const fidelity = fc
  .record({
    level: fc.constantFrom(...fidelityLevels),
    dropped: fc.array(text, { maxLength: 3 }),
    archives: fc.dictionary(key, hash, { maxKeys: 2, noNullPrototype: true }),
  })
  .map((found) => ({ ...found, level: lowerFidelity(found.level, found.dropped) }));
const hint = fc.record({ feature: text, tier: text, reason: text });

/** Author's keys that some dialects use for a fault's own fields. */
function named(...keys: readonly string[]): fc.Arbitrary<JsonObject> {
  return fc.dictionary(fc.constantFrom(...keys), anyJson, { maxKeys: keys.length, noNullPrototype: true });
}

/** Notes in the form every reader gives back: warnings ordered, nothing empty. */
const notes: fc.Arbitrary<Notes> = some<Notes>({
  requestId: fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/),
  warnings: fc.array(warning, { minLength: 1, maxLength: 4 }).map(orderWarnings),
  pagination,
  rateLimit,
  telemetry,
  fidelity,
  upgradeHints: fc.array(hint, { minLength: 1, maxLength: 2 }),
  toolId: text,
  toolVersion: text,
  tier: text,
  capabilities: fc.array(text, { minLength: 1, maxLength: 3 }),
  provenance: text,
  extra: fc.oneof(objectOf(anyJson, "x_"), named("error_code", "error_type", "details")).filter(filled),
});

const registered = errorRows.flatMap((row) => {
  const aliases: readonly string[] = "aliases" in row ? row.aliases : [];
  return [row.code, ...aliases].map((code) => ({ code, type: row.type as string }));
});
const codeAndType = fc.oneof(
  fc.constantFrom(...registered),
  fc.record({ code: screaming, type: fc.constantFrom<string>(...errorTypes) }),
  fc.record({ code: text, type: text }),
);

const fault: fc.Arbitrary<Fault> = fc
  .tuple(
    codeAndType,
    fc.record(
      { message, remediation: fc.string(), details: objects, data: objectOf(anyJson, "x_").filter(filled) },
      { requiredKeys: ["message"] },
    ),
  )
  .map(([pair, rest]) => ({ ...pair, ...rest }));

export const anyOutcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.record({ ok: fc.constant(true as const), data: anyJson, notes }),
  fc.record({ ok: fc.constant(false as const), fault, notes }),
);
