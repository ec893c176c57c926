import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import type { Answer, Called } from "./answer.ts";
import { CHECK_FIRST } from "../../core/contract/remediation.ts";
import { ResponseError } from "../../core/contract/response-error.ts";
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  REQUEST_TIMEOUT,
} from "../../core/protocol/names.ts";

/** The caller asked for something the answer does not have: a list, or data of another shape. */
export function notAsAsked(says: string, { called, requestId }: Answer, remediation: string): ResponseError {
  return new ResponseError(
    {
      message: `The answer of ${called.tool} is not as asked: ${says}`,
      code: "NOT_AS_ASKED",
      type: "validation",
      remediation,
      details: { tool: called.tool },
    },
    { requestId },
  );
}

/** The response breaks the contract. */
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
    { requestId },
    cause === undefined ? undefined : { cause },
  );
}

type Known = readonly [code: string, type: string, remediation: string];

const badInput: Known = ["VALIDATION_ERROR", "validation", "Check the tool's name and arguments."];
const timedOut: Known = ["TIMEOUT", "unavailable", "Give it more time with timeoutMs, or ask for less."];
const protocolCodes: Readonly<Record<number, Known>> = {
  [INVALID_PARAMS]: badInput,
  [METHOD_NOT_FOUND]: ["NOT_FOUND", "not_found", "The server does not know this method."],
  [INVALID_REQUEST]: badInput,
  [REQUEST_TIMEOUT]: timedOut,
};
/** SDK v2 names its own errors in words. */
const namedCodes: Readonly<Record<string, Known>> = { REQUEST_TIMEOUT: timedOut };
/** What SDK clients say about a call that was never sent. */
const neverSent = /^not connected/i;

// SDK clients check a result against the listed schema, and refuse it with the error code of a wrong request.
const refusedBySdk = /structured content/i;

/** An error of the protocol or of the connection. Only a protocol error shows whether the tool ran. */
export function lostCall(error: unknown, called: Called): ResponseError {
  if (ResponseError.isInstance(error)) return error;
  const { tool } = called;
  if (error instanceof Error && refusedBySdk.test(error.message))
    return invalidResponse(error.message, called, undefined, error);
  const code = isJsonObject(error) || error instanceof Error ? (error as { code?: unknown }).code : undefined;
  const known = typeof code === "number" ? protocolCodes[code] : namedCodes[String(code)];
  const message = error instanceof Error && error.message !== "" ? error.message : "The call got no answer";
  const isUnsent = neverSent.test(message);
  const executed = isUnsent || (known !== undefined && known[1] !== "unavailable") ? "no" : "unknown";
  return new ResponseError(
    {
      message,
      code: known?.[0] ?? "UNAVAILABLE",
      type: known?.[1] ?? "unavailable",
      remediation: isUnsent
        ? "Connect the client, then call again."
        : [...(executed === "no" ? [] : [CHECK_FIRST]), ...(known === undefined ? [] : [known[2]])].join(" "),
      details: { tool, executed, ...(typeof code === "number" ? { json_rpc_code: code } : {}) },
    },
    {},
    { cause: error },
  );
}
