import { ResponseError } from "../../core/contract/response-error.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { Answer } from "./answer.ts";
import type { Naming } from "./retrieval-tool.ts";

export type Cause = Pick<Answer, "called" | "requestId">;

/** The answer that caused a fetch; it names the tool to fetch with. */
export type FetchCause = Cause & Naming;

/** The limits of fetching one entry. */
export interface Fetching {
  readonly cause: FetchCause;
  readonly hash: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
}

function fail(
  { called, requestId }: Cause,
  fault: {
    readonly code: string;
    readonly type: string;
    readonly message: string;
    readonly remediation: string;
  },
  details: JsonObject = {},
): ResponseError {
  const notes = requestId === undefined ? {} : { requestId };
  return new ResponseError({ ...fault, details: { tool: called.tool, ...details } }, notes);
}

export function mismatch(cause: Cause, expected: string, actual: string): ResponseError {
  const fault = {
    message: "The archived content does not match its hash",
    code: "HASH_MISMATCH",
    type: "internal",
    remediation: "Do not use it; call the tool again.",
  };
  return fail(cause, fault, { expected: `sha256:${expected}`, actual: `sha256:${actual}` });
}

export function incomplete(cause: Cause, says: string): ResponseError {
  return fail(cause, {
    message: `The archived content could not be read whole: ${says}`,
    code: "ARCHIVE_INCOMPLETE",
    type: "unavailable",
    remediation: "Try again, or call the tool with narrower arguments.",
  });
}

export function tooLarge({ cause, maxBytes }: Fetching): ResponseError {
  const fault = {
    message: `The archived content is larger than ${maxBytes} bytes`,
    code: "TOO_LARGE",
    type: "validation",
    remediation: "Raise maxArchiveBytes, or ask for a part of it: ask(answer, question).",
  };
  return fail(cause, fault, { max_bytes: maxBytes });
}

export function late(cause: Cause, timeoutMs: number): ResponseError {
  const fault = {
    message: `The archived content was not fetched within ${Math.round(timeoutMs)} ms`,
    code: "TIMEOUT",
    type: "unavailable",
    remediation: "Give it more time with timeoutMs, or ask for less.",
  };
  return fail(cause, fault, { timeout_ms: timeoutMs });
}
