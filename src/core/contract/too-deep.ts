import { MAX_JSON_DEPTH } from "../json/find-non-json.ts";
import { ToolFault } from "./tool-fault.ts";

const INTERNAL_ERROR = -32603;
const sentence = `answer is nested deeper than ${MAX_JSON_DEPTH} levels, so it cannot be read`;
const details = { reason: "too_deep", max_depth: MAX_JSON_DEPTH, executed: "yes" } as const;

/** For an answer whose values stand in more lists and objects than anything here, or at its reader, looks through. */
export function tooDeep(): ToolFault {
  return new ToolFault(`The tool's ${sentence}`, {
    errorCode: "TOO_LARGE",
    remediation: "Ask for less: name a part of what is nested.",
    details,
  });
}

/** The same to a request that is no tool call. */
export const tooDeepError = {
  code: INTERNAL_ERROR,
  message: `The server's ${sentence}`,
  data: { error_code: "TOO_LARGE", ...details },
} as const;
