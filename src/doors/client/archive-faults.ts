import { ResponseError } from "../../core/contract/response-error.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import type { Answer } from "./answer.ts";
import { RETRIEVE_NAME, isNumbered, RETRIEVE_TOOL } from "../../core/contract/wire-names.ts";
import type { CallRunner } from "./call-runner.ts";

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

export function hashMismatch(cause: Cause, expected: string, actual: string): ResponseError {
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

export function archiveTooLarge({ cause, maxBytes }: Fetching): ResponseError {
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

// Finds the server's tool that gives back omitted content. Its name is a setting of the server, and the answer names
// it. But anyone may have written part of an answer, so a name is used only if it is certainly that tool.

/** The parts of an answer that can name the tool. */
type Naming = Pick<Answer, "by" | "warnings">;

/** If tools cannot be listed: names that a gateway makes, and names that people choose to look like them. */
const USUAL_ENDING = /[_-]retrieve(?:_[1-9]\d{0,3})?$/;

/** The tool's name in the hint of a cut, by the author of the answer. */
function hintIn({ warnings, by: writer }: Naming): string | undefined {
  const own = warnings.filter(({ by }) => by === writer);
  const hints = own.map(({ context }) => context?.["retrieve"]).filter(isJsonObject);
  const named = hints.map(({ tool }) => tool).find((tool) => typeof tool === "string");
  return typeof named === "string" && RETRIEVE_NAME.test(named) ? named : undefined;
}

/** The tool that gives back omitted content, under the name that the author of the answer uses. */
export async function retrievalTool(
  { connection }: Pick<CallRunner, "connection">,
  answer: Naming,
): Promise<string> {
  const hinted = hintIn(answer);
  if (hinted !== undefined && isNumbered(hinted, RETRIEVE_TOOL)) return hinted;
  const { toolFacts, retrieval } = connection;
  if (toolFacts === undefined || retrieval === undefined)
    return hinted !== undefined && USUAL_ENDING.test(hinted) ? hinted : RETRIEVE_TOOL;
  const isListed = hinted !== undefined && (await toolFacts(hinted))?.answersRetrieval === true;
  // A cut with almost no room names no tool, and servers older than the setting use the default name.
  return isListed ? hinted : ((await retrieval()) ?? RETRIEVE_TOOL);
}
