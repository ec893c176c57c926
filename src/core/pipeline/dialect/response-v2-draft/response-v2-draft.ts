import * as z from "zod/mini";
import { successEnvelopeSchema } from "../../../contract/envelope.ts";
import { metaSchema } from "../../../contract/meta.ts";
import { filledText } from "../../../contract/meta-fields.ts";
import type { Dialect } from "../dialect.ts";
import { check, rules } from "./check.ts";
import { liftNotes } from "./lift-notes.ts";
import { faultKeys, read, render } from "./wording.ts";

const draftErrorSchema = z
  .strictObject({
    success: z.literal(false),
    data: z.strictObject({}),
    error: filledText,
    meta: metaSchema,
  })
  .register(z.globalRegistry, { id: "DraftErrorEnvelope" });

/** The first response-v2 of seed 000: metadata may be in `data`, and an error's `data` is empty. */
export const responseV2Draft: Dialect = {
  id: "response-v2-draft",
  says: "the first response-v2: metadata may be in data._meta, a failure's data is {}",
  level: "envelope",
  wrapsData: true,
  carriesOmissions: true,
  sendsAuthored: true,
  schema: z.union([successEnvelopeSchema, draftErrorSchema]),
  rules,
  losses: [
    { path: "/data", becomes: "wrapped", why: "data is always an object" },
    ...faultKeys.map((key) => ({
      path: `/notes/extra/${key}`,
      becomes: "dropped" as const,
      on: "failure" as const,
      why: "the key speaks of the fault",
    })),
  ],
  render,
  lift: liftNotes,
  check,
  read,
};
