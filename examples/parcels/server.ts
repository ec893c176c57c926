// The parcels under the contract: `node --import tsx examples/parcels/server.ts` on stdio.

import { serve } from "waybill/server";
import { parcelGet, parcelList } from "./parcel-tools.ts";

await serve({
  name: "parcels",
  version: "1.0.0",
  tools: [parcelList, parcelGet],
  // Small, so that the list of 600 does not fit.
  budget: { tokens: Number(process.env["PARCELS_BUDGET"] ?? 1_000) },
  config: false,
  logLevel: "silent",
});
