import type { JsonObject } from "../json/json-value.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { Called } from "./answer.ts";
import { ResponseError } from "./response-error.ts";

/** What came back is no answer by the contract. */
export function invalidResponse(
  says: string,
  { tool }: Called,
  requestId?: string,
  cause?: unknown,
  details: JsonObject = {},
): ResponseError {
  return new ResponseError(
    {
      message: `The response of ${tool} breaks the contract: ${says}`,
      code: "INVALID_RESPONSE",
      type: "internal",
      remediation: "Report it to the server's author; waybill validate lists every violation.",
      details: { tool, ...details },
    },
    requestId === undefined ? {} : { requestId },
    cause === undefined ? undefined : { cause },
  );
}

const protocolCodes: Readonly<Record<number, readonly [code: string, type: string]>> = {
  [-32602]: ["VALIDATION_ERROR", "validation"],
  [-32601]: ["NOT_FOUND", "not_found"],
  [-32600]: ["VALIDATION_ERROR", "validation"],
  [-32001]: ["TIMEOUT", "unavailable"],
};

// SDK clients hold a result against the schema that was listed, and refuse it with the code of a wrong request.
const refusedBySdk = /structured content/i;

/** An error of the protocol or of the connection: whether the tool ran is known only in the first case. */
export function lostCall(error: unknown, called: Called): ResponseError {
  if (ResponseError.isInstance(error)) return error;
  const { tool } = called;
  if (error instanceof Error && refusedBySdk.test(error.message))
    return invalidResponse(error.message, called, undefined, error);
  const code = isJsonObject(error) || error instanceof Error ? (error as { code?: unknown }).code : undefined;
  const known = typeof code === "number" ? protocolCodes[code] : undefined;
  const message = error instanceof Error && error.message !== "" ? error.message : "The call got no answer";
  const executed = known !== undefined && known[1] !== "unavailable" ? "no" : "unknown";
  return new ResponseError(
    {
      message,
      code: known?.[0] ?? "UNAVAILABLE",
      type: known?.[1] ?? "unavailable",
      details: { tool, executed, ...(typeof code === "number" ? { json_rpc_code: code } : {}) },
    },
    {},
    { cause: error },
  );
}
