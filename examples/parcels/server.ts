// The parcels under the contract: `node --import tsx examples/parcels/server.ts` on stdio.

import { faults } from "waybill";
import { defineTool, serve } from "waybill/server";
import * as z from "zod";
import { parcels } from "./parcels.ts";

const annotations = { readOnlyHint: true } as const;

const parcelList = defineTool(
  "parcel_list",
  { description: "All parcels", inputSchema: z.object({}), annotations },
  () => ({ parcels }),
);

const parcelGet = defineTool(
  "parcel_get",
  { description: "One parcel by its number", inputSchema: z.object({ parcel_id: z.string() }), annotations },
  ({ parcel_id }) => {
    const parcel = parcels.find((one) => one.parcel_id === parcel_id);
    if (parcel === undefined) throw faults.notFound("parcel", parcel_id);
    return { parcel };
  },
);

await serve({
  name: "parcels",
  version: "1.0.0",
  tools: [parcelList, parcelGet],
  // Small, so that the list of 600 does not fit.
  budget: { tokens: Number(process.env["PARCELS_BUDGET"] ?? 1_000) },
  config: false,
  logLevel: "silent",
});
