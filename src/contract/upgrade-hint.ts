import * as z from "zod/mini";
import { filledText } from "./schema-words.ts";

export const upgradeHintSchema = z
  .looseObject({ feature: filledText, tier: filledText, reason: z.string() })
  .register(z.globalRegistry, {
    id: "UpgradeHint",
    description: "A feature that another tier would unlock, and why it is not here.",
  });

export interface UpgradeHint {
  readonly feature: string;
  readonly tier: string;
  readonly reason: string;
}
