import * as z from "zod";
import type { JsonValue } from "../json/json-value.ts";

export const telemetrySchema = z
  .looseObject({
    duration_ms: z.number().min(0).nullish(),
    downstream_calls: z.int().min(0).nullish(),
    cache_hit: z.boolean().nullish(),
  })
  .meta({
    id: "Telemetry",
    description: "How the work went: time, downstream calls, cache; own figures may follow.",
  });

export interface Telemetry {
  readonly duration_ms?: number;
  readonly downstream_calls?: number;
  readonly cache_hit?: boolean;
  readonly [figure: string]: JsonValue | undefined;
}
