import { errorResponse } from "../core/contract/tool-fault.ts";
import { successResponse } from "../core/contract/success-responses.ts";

export const good = JSON.stringify(successResponse({ tasks: [1, 2] }, { requestId: "req_1" }));
export const bad = JSON.stringify({ ...JSON.parse(good), error: "late" });
/** Keeps every MUST; leaves out the request id, which is a SHOULD. */
export const lax = JSON.stringify(successResponse({ tasks: [1, 2] }, { requestId: false }));
export const failed = JSON.stringify(
  errorResponse("Spec not found: login", {
    errorCode: "SPEC_NOT_FOUND",
    details: { id: "login" },
    requestId: "req_2",
  }),
);

/** A JSON-RPC response whose result carries an envelope on both channels. */
export function message(envelope: string, result: object = {}): string {
  const structuredContent: unknown = JSON.parse(envelope);
  const content = [{ type: "text", text: envelope }];
  return JSON.stringify({ jsonrpc: "2.0", id: 1, result: { content, structuredContent, ...result } });
}
