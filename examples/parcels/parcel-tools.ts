// What can be asked about parcels, as tools under the contract.

import { faults } from "waybill";
import { defineTool } from "waybill/server";
import * as z from "zod";
import { parcels } from "./parcels.ts";

const annotations = { readOnlyHint: true } as const;

export const parcelList = defineTool(
  "parcel_list",
  { description: "All parcels", inputSchema: z.object({}), annotations },
  () => ({ parcels }),
);

export const parcelGet = defineTool(
  "parcel_get",
  { description: "One parcel by its number", inputSchema: z.object({ parcel_id: z.string() }), annotations },
  ({ parcel_id }) => {
    const parcel = parcels.find((one) => one.parcel_id === parcel_id);
    if (parcel === undefined) throw faults.notFound("parcel", parcel_id);
    return { parcel };
  },
);
