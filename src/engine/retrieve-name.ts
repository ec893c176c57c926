/** The tool that gives back what was cut. */
export const RETRIEVE_TOOL = "waybill_retrieve";
