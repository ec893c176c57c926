import type { JsonValue } from "../json/json-value.ts";
import type { Answer } from "./answer.ts";
import type { CallOptions } from "./client-options.ts";
import { type Entry, fetchArchive } from "./fetch-archive.ts";
import { ResponseError } from "./response-error.ts";
import type { CallRunner } from "./run-call.ts";

function isJson({ contentType }: Entry): boolean {
  return /^application\/(?:[^;]+\+)?json/i.test(contentType);
}

function parse({ bytes }: Entry): JsonValue {
  return JSON.parse(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)) as JsonValue;
}

/** Blocks that were moved stand beside the data; only what is missing in the data takes completing. */
function isDataCut({ fidelity, dropped }: Answer): boolean {
  return (
    fidelity !== "full" && (dropped.length === 0 || dropped.some((name) => !name.startsWith("#content/")))
  );
}

function nothingKept({ called, requestId }: Answer): ResponseError {
  return new ResponseError(
    {
      message: `What ${called.tool} left out was not kept`,
      code: "NOT_FOUND",
      type: "not_found",
      remediation: "Call the tool again with narrower arguments.",
      details: { resource_type: "archive", tool: called.tool },
    },
    requestId === undefined ? {} : { requestId },
  );
}

/** The answer as it was before it was cut, equal to what the tool returned; of several cuts the last one first. */
export async function completeAnswer(
  runner: CallRunner,
  answer: Answer,
  options: Pick<CallOptions, "signal"> = {},
): Promise<Answer> {
  if (!isDataCut(answer)) return answer;
  const hashes = Object.values(answer.archives);
  if (hashes.length === 0) throw nothingKept(answer);
  let { data } = answer;
  for (const hash of hashes) {
    const entry = await fetchArchive(runner, hash, answer.called, options);
    if (isJson(entry)) data = parse(entry);
  }
  const { fidelity: _fidelity, ...notes } = answer.notes;
  return { ...answer, data, notes, fidelity: "full", dropped: [], archives: {} };
}
