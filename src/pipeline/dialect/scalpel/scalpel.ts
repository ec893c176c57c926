import type { Dialect } from "../dialect.ts";
import { allRules, check } from "./check.ts";
import { scalpelPresence } from "./presence.ts";
import { read } from "./read.ts";
import { render } from "./render.ts";
import { scalpelSchema } from "./schema.ts";

/** Code Scalpel's envelope of seed 002: `{"data": …}` and only what the profile includes. */
export const scalpel: Dialect = {
  id: "scalpel",
  says: "the configurable envelope: data, and only what the profile includes",
  level: "envelope",
  presence: scalpelPresence,
  schema: scalpelSchema,
  rules: allRules,
  losses: [{ path: "/fault/remediation", becomes: "dropped", why: "the error model has no place for it" }],
  render,
  check,
  read,
};
