import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import type { Answer, Called } from "./answer.ts";
import { invalidResponse } from "./client-faults.ts";
import type { CallOptions } from "./client-options.ts";
import { ResponseError } from "../../core/contract/response-error.ts";
import type { CallRunner } from "./call-runner.ts";

export interface PageWalkOptions extends CallOptions {
  /** The cursor to start from: of an earlier page, or of an error's progress. */
  readonly from?: string;
  /** Stops without an error after this many pages. Without it, more than 10,000 pages are an error. */
  readonly maxPages?: number;
}

const MAX_PAGES = 10_000;

async function argsWith(
  runner: CallRunner,
  { tool, args }: Called,
  cursor: string | undefined,
): Promise<JsonObject> {
  if (cursor === undefined) return args;
  const facts = await runner.connection.toolFacts?.(tool);
  if (facts?.cursorIn !== "waybill") return { ...args, cursor };
  const own = isJsonObject(args["_waybill"]) ? args["_waybill"] : {};
  return { ...args, _waybill: { ...own, cursor } };
}

function stuck({ called, notes }: Answer, code: string, message: string): ResponseError {
  const remediation = "Report it to the server's author; what came before is complete.";
  const fault = { message, code, type: "internal", remediation, details: { tool: called.tool } };
  return new ResponseError(fault, notes);
}

/** The cursor of the next page, or undefined after the last page; a repeated cursor is an error, not a loop. */
function nextCursor(answer: Answer, seen: Set<string>): string | undefined {
  const { cursor, has_more: hasMore } = answer.pagination ?? {};
  if (hasMore === false) return undefined;
  if (cursor === undefined || cursor === null || cursor === "") {
    if (hasMore !== true) return undefined;
    throw invalidResponse("more pages follow, but there is no cursor", answer.called, answer.requestId);
  }
  const { tool } = answer.called;
  if (seen.has(cursor)) throw stuck(answer, "CURSOR_STUCK", `The cursor of ${tool} does not advance`);
  seen.add(cursor);
  return cursor;
}

/** Every page of a tool with pagination, each fetched when it is requested. */
export async function* walkPages(
  runner: CallRunner,
  called: Called,
  options: PageWalkOptions = {},
): AsyncGenerator<Answer> {
  const { from, maxPages, ...call } = options;
  const seen = new Set<string>(from === undefined ? [] : [from]);
  let cursor = from;
  let pages = 0;
  try {
    for (let last: Answer | undefined; pages < (maxPages ?? Number.POSITIVE_INFINITY);) {
      if (last !== undefined && pages >= MAX_PAGES)
        throw stuck(last, "TOO_MANY_PAGES", `${called.tool} gave ${pages} pages without an end`);
      const args = await argsWith(runner, called, cursor);
      const first = await runner.run({ tool: called.tool, args }, call);
      last =
        call.complete === true
          ? await (await import("./complete-answer.ts")).completeAnswer(runner, first, call)
          : first;
      yield last;
      pages++;
      cursor = nextCursor(last, seen);
      if (cursor === undefined) return;
    }
  } catch (error) {
    if (ResponseError.isInstance(error)) error.progress ??= { pages, items: 0, cursor: cursor ?? null };
    throw error;
  }
}
