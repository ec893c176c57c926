import { parcels } from "../parcels/parcels.ts";

const receiver = "Dana Berg 411";
const late = parcels.filter(({ status }) => status === "late").length;
const parcel = parcels.find((one) => one.receiver === receiver);

/** What both agents are asked. The slip has a number that does not exist, so the right one has to be found. */
export const errand = `How many parcels are late? And where is the parcel of ${receiver} (the slip says P-4110)?`;

/** The right answer, from the data itself. */
export const expectedAnswer = `${late} parcels are late. ${parcel?.parcel_id} of ${receiver} is in ${parcel?.city} and weighs ${parcel?.grams} g. The number P-4110 does not exist.`;

/** The steps that lead there, if the list was cut, the retrieval works and the failure has its code. */
export const expectedCalls = [
  "parcel_list",
  "waybill_retrieve",
  "parcel_get",
  "waybill_retrieve",
  "parcel_get",
];
