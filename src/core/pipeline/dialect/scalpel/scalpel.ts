import type { Dialect } from "../dialect.ts";
import { allRules, check } from "./check.ts";
import { read, render, scalpelPresence } from "./wording.ts";
import { faultMetaKeys } from "./scalpel-code.ts";
import { scalpelSchema } from "./schema.ts";

/** Code Scalpel's envelope of seed 002: `{"data": …}` and only what the profile includes. */
export const scalpel: Dialect = {
  id: "scalpel",
  says: "the configurable envelope: data, and only what the profile includes",
  level: "envelope",
  carriesOmissions: true,
  fixesCapabilities: true,
  presence: scalpelPresence,
  schema: scalpelSchema,
  rules: allRules,
  losses: [
    { path: "/fault/remediation", becomes: "dropped", why: "the error model has no place for it" },
    ...faultMetaKeys.map((key) => ({
      path: `/notes/extra/${key}`,
      becomes: "dropped" as const,
      on: "failure" as const,
      why: "the key speaks of the fault",
    })),
  ],
  render,
  check,
  read,
};
