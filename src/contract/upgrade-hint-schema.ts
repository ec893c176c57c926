import * as z from "zod/mini";
import { filledText } from "./schema-words.ts";

export const upgradeHintSchema = z
  .looseObject({ feature: filledText, tier: filledText, reason: z.string() })
  .register(z.globalRegistry, {
    id: "UpgradeHint",
    description: "A feature that another tier would unlock, and why it is not here.",
  });
