import * as z from "zod";

/** The tools of the server bench, by the size of what they return; `uncut` ones have no token budget under Waybill. */
export const sizes = {
  kb1: 1_000,
  kb10: 10_000,
  kb100: 100_000,
  kb100_uncut: 100_000,
  mb1: 1_000_000,
} as const;

const dimensions = z.object({ width_mm: z.number(), height_mm: z.number(), fragile: z.boolean() });

/** The output schema both variants declare. */
export const recordSchema = z.object({
  records: z.array(
    z.object({
      id: z.string(),
      sku: z.string(),
      title: z.string(),
      description: z.string(),
      price: z.number(),
      stock: z.number(),
      discontinued_at: z.string().nullable(),
      tags: z.array(z.string()),
      dimensions,
    }),
  ),
});
