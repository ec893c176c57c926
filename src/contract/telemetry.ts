import * as z from "zod/mini";
import type { JsonValue } from "../json/json-value.ts";
import { amount, count } from "./schema-words.ts";

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
