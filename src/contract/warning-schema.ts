import * as z from "zod/mini";
import { filledText, jsonObject } from "./schema-words.ts";
import { severities } from "./warning-registry.ts";

// Schemas stand apart from what reads and orders warnings: a client in a browser does without Zod.
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
