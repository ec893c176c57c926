import type { ResponseEnvelope } from "../../core/contract/envelope.ts";
import { errorResponse } from "../../core/contract/tool-fault.ts";
import { successResponse } from "../../core/contract/success-responses.ts";
import { newRequestId } from "../../core/contract/request-id.ts";
import type { CommandReport } from "../report.ts";

/** A report as the one response-v2 envelope that `--json` prints. */
export function toEnvelope({ data, failure, warnings }: CommandReport): ResponseEnvelope {
  const notes = { requestId: newRequestId("cli"), warningDetails: warnings };
  if (failure === undefined) return successResponse(data, notes);
  const { message, ...fields } = failure;
  return errorResponse(message, { ...notes, ...fields, data });
}
