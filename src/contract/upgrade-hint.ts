import * as z from "zod";

export const upgradeHintSchema = z
  .looseObject({ feature: z.string().min(1), tier: z.string().min(1), reason: z.string() })
  .meta({
    id: "UpgradeHint",
    description: "A feature that another tier would unlock, and why it is not here.",
  });

export interface UpgradeHint {
  readonly feature: string;
  readonly tier: string;
  readonly reason: string;
}
