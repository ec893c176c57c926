import type { DialectId } from "../../contract/dialect-id.ts";
import type { Dialect } from "./dialect.ts";
import { drf } from "./drf/drf.ts";
import { plain } from "./plain/plain.ts";
import { responseV1 } from "./response-v1/response-v1.ts";
import { responseV2Draft } from "./response-v2-draft/response-v2-draft.ts";
import { responseV2 } from "./response-v2/response-v2.ts";
import { scalpel } from "./scalpel/scalpel.ts";

/** The six ways to say one outcome. */
export const dialects: Readonly<Record<DialectId, Dialect>> = {
  "response-v2": responseV2,
  "response-v2-draft": responseV2Draft,
  "response-v1": responseV1,
  scalpel,
  drf,
  plain,
};
