import { resolveReferences } from "../../core/contract/block-reference.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import { type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { type Answer, failuresIn } from "./answer.ts";
import { fetchArchive } from "./fetch-archive.ts";
import type { CompleteOptions } from "./client-options.ts";
import { ResponseError } from "../../core/contract/response-error.ts";
import type { CallRunner } from "./call-runner.ts";

/** How the names of moved blocks begin. */
const BLOCK_NAME = "#content/";

/** What is said of a cut is no longer true of the whole. */
const cutWarnings = [
  "CONTENT_TRUNCATED",
  "CONTENT_DROPPED",
  "ARCHIVE_WRITE_FAILED",
  "FALLBACK_USED",
  "WHITESPACE_DROPPED",
];

function isBlockList(value: JsonValue): boolean {
  const [first] = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  return isJsonObject(first) && typeof first["id"] === "string" && first["id"].startsWith(BLOCK_NAME);
}

/** The data in an entry, and its text where that has another form than ours; undefined for a block that was moved. */
function dataIn(bytes: Uint8Array): { readonly data: JsonValue; readonly text?: string } | undefined {
  try {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const data = JSON.parse(text) as JsonValue;
    if (isBlockList(data)) return undefined;
    return typeof data === "object" && JSON.stringify(data) !== text ? { data, text } : { data };
  } catch {
    return undefined;
  }
}

/** Blocks that were moved stand beside the data; only what is missing in the data takes completing. */
export function isDataCut({ fidelity, dropped }: Answer): boolean {
  return (
    fidelity !== "full" && (dropped.length === 0 || dropped.some((name) => !name.startsWith(BLOCK_NAME)))
  );
}

/** The data is whole, but without its spaces: the server's own text is kept under this name. */
function hasOwnText({ fidelity, archives }: Answer): boolean {
  return fidelity === "full" && Object.keys(archives)[0]?.startsWith("own-text-") === true;
}

export function nothingKept({ called, requestId }: Answer): ResponseError {
  return new ResponseError(
    {
      message: `What ${called.tool} left out was not kept`,
      code: "NOT_FOUND",
      type: "not_found",
      remediation: "Call the tool again with narrower arguments.",
      details: { resource_type: "archive", tool: called.tool },
    },
    { requestId },
  );
}

export function assertAnswer(answer: Partial<Answer> | undefined): void {
  if (answer?.ok === true && answer.archives !== undefined) return;
  throw new ContractError(
    "INVALID_OPTION",
    "complete(), retrieve() and ask() take the answer of a call: await it, and look at `ok` first.",
  );
}

/** The hash of the text a digest stands for, which is kept beside the whole and is not it. */
function digestedText(data: unknown): unknown {
  const omitted = isJsonObject(data) ? data["omitted"] : undefined;
  const digest = isJsonObject(omitted) ? omitted["digest"] : undefined;
  return isJsonObject(digest) ? digest["source_text_hash"] : undefined;
}

/** The contract's rule: the first entry of `content_archive_hashes` is the whole. */
export function wholeOf({ archives, data }: Answer): string | undefined {
  const [first] = Object.values(archives);
  return first === digestedText(data) ? undefined : first;
}

/** The answer as it was before it was cut, equal to what the tool returned, however often it was cut on the way. */
export async function completeAnswer(
  runner: CallRunner,
  answer: Answer,
  options: CompleteOptions = {},
): Promise<Answer> {
  assertAnswer(answer);
  if (!isDataCut(answer) && !hasOwnText(answer)) return answer;
  const hash = wholeOf(answer);
  if (hash === undefined) throw nothingKept(answer);
  const found = dataIn(await fetchArchive(runner, hash, answer, options));
  if (found === undefined) throw nothingKept(answer);
  const data = resolveReferences(found.data, answer.blocks);
  const { fidelity: _fidelity, ...rest } = answer.notes;
  const warnings = answer.warnings.filter(
    // A cut's fallback has no context; one with a context is of the data, such as a summariser's.
    ({ code = "", context }) =>
      !cutWarnings.includes(code) || (code === "FALLBACK_USED" && context !== undefined),
  );
  const notes = { ...rest, warnings };
  return {
    ...answer,
    ...found,
    data,
    notes,
    warnings,
    fidelity: "full",
    dropped: [],
    archives: {},
    keptByGateway: [],
    failures: failuresIn(data),
  };
}
