import { envelopeSchema } from "../../../contract/envelope.ts";
import type { Dialect } from "../dialect.ts";
import { check, rules } from "./check.ts";
import { read } from "./read.ts";
import { render } from "./render.ts";

/** The default: success, data, error and meta, as seeds 001 and 004 describe them. */
export const responseV2: Dialect = {
  id: "response-v2",
  says: "the four-key envelope with typed errors and metadata",
  level: "envelope",
  wrapsData: true,
  carriesOmissions: true,
  schema: envelopeSchema,
  rules,
  losses: [{ path: "/data", becomes: "wrapped", why: "data is always an object" }],
  render,
  check,
  read,
};
