import * as z from "zod/mini";
import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { fidelityLevels } from "./outcome.ts";
import { severities } from "./warning.ts";

export const filledText = z.string().check(z.minLength(1));
export const texts = z.array(z.string());
export const amount = z.number().check(z.minimum(0));
export const count = z.int().check(z.minimum(0));

// Zod never parses free-form objects: it would drop `__proto__` and copy the whole payload. Our own code checks them.
export const jsonObject = z
  .custom<JsonObject>(isJsonObject, { error: "is not an object" })
  .register(z.globalRegistry, { type: "object" });

export const fidelityLevelSchema = z.enum(fidelityLevels);

export const archiveHashSchema = z
  .string()
  .check(z.regex(/^sha256:[a-f0-9]{64}$/, { error: "is not `sha256:` and 64 lower-case hex digits" }));

export const archiveHashesSchema = z.record(filledText, archiveHashSchema);

export const upgradeHintSchema = z
  .looseObject({ feature: filledText, tier: filledText, reason: z.string() })
  .register(z.globalRegistry, {
    id: "UpgradeHint",
    description: "A feature that another tier would unlock, and why it is not here.",
  });

// The schemas are separate from the code that reads and orders warnings: a client in a browser does without Zod.
const severitySchema = z.enum(severities);

export const warningDetailSchema = z
  .looseObject({
    code: z.nullish(filledText),
    severity: z.nullish(severitySchema),
    message: filledText,
    context: z.nullish(jsonObject),
  })
  .register(z.globalRegistry, {
    id: "WarningDetail",
    description: "A non-fatal issue: machine-readable code, severity, message, context.",
  });

export const telemetrySchema = z
  .looseObject({
    duration_ms: z.nullish(amount),
    downstream_calls: z.nullish(count),
    cache_hit: z.nullish(z.boolean()),
  })
  .register(z.globalRegistry, {
    id: "Telemetry",
    description: "How the work went: time, downstream calls, cache; own figures may follow.",
  });

export interface Telemetry {
  readonly duration_ms?: number;
  readonly downstream_calls?: number;
  readonly cache_hit?: boolean;
  readonly [figure: string]: JsonValue | undefined;
}
