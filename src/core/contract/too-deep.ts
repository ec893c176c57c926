import { MAX_JSON_DEPTH } from "../json/find-non-json.ts";
import { ToolFault } from "./tool-fault.ts";

const INTERNAL_ERROR = -32603;
const sentence = `answer is nested deeper than ${MAX_JSON_DEPTH} levels, so it cannot be read`;
const details = { reason: "too_deep", max_depth: MAX_JSON_DEPTH, executed: "yes" } as const;

/** For an answer that is nested deeper than Waybill, or the answer's reader, can look through. */
export function tooDeep(): ToolFault {
  return new ToolFault(`The tool's ${sentence}`, {
    errorCode: "TOO_LARGE",
    remediation: "Ask for less: name a part of what is nested.",
    details,
  });
}

/** The same for a request that is not a tool call. */
export const tooDeepError = {
  code: INTERNAL_ERROR,
  message: `The server's ${sentence}`,
  data: { error_code: "TOO_LARGE", ...details },
} as const;
