import type { Fault } from "../../contract/outcome.ts";
import type { Loss } from "./dialect.ts";

/** A failure of which only a text is known, if that. */
export function untypedFault(text: string): Fault {
  const message = text.trim() === "" ? "The tool failed without a message" : text;
  return { message, code: "INTERNAL_ERROR", type: "internal" };
}

/** Dialects whose failure is a text alone read it back as an internal error. */
export const untypedFaultLosses: readonly Loss[] = [
  { path: "/fault/code", becomes: { value: "INTERNAL_ERROR" }, why: "a failure is a text alone" },
  { path: "/fault/type", becomes: { value: "internal" }, why: "a failure is a text alone" },
  { path: "/fault/remediation", becomes: "dropped", why: "a failure is a text alone" },
  { path: "/fault/details", becomes: "dropped", why: "a failure is a text alone" },
  { path: "/fault/data", becomes: "dropped", why: "a failure is a text alone" },
];
