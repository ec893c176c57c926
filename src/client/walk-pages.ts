import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { mainCollection } from "../json/main-collection.ts";
import { getByPointer } from "../json/pointer.ts";
import type { Answer, Called } from "./answer.ts";
import { invalidResponse } from "./client-faults.ts";
import type { CallOptions } from "./client-options.ts";
import { completeAnswer } from "./complete-answer.ts";
import { ResponseError } from "./response-error.ts";
import type { CallRunner } from "./run-call.ts";

export interface PageOptions extends CallOptions {
  /** Where to begin: the cursor of an earlier page, or of an error's progress. */
  readonly from?: string;
  /** 10,000 unless told. */
  readonly maxPages?: number;
}

export interface ItemOptions extends PageOptions {
  /** The key or JSON Pointer of the list; the longest list unless told. */
  readonly path?: string;
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

/** The cursor of the next page, or undefined after the last; one that leads back is an error, not a loop. */
function nextCursor(answer: Answer, seen: Set<string>): string | undefined {
  const { cursor, has_more: hasMore } = answer.pagination ?? {};
  if (cursor === undefined || cursor === null || cursor === "") {
    if (hasMore === true)
      throw invalidResponse("more pages follow, but there is no cursor", answer.called, answer.requestId);
    return undefined;
  }
  if (seen.has(cursor)) {
    throw new ResponseError(
      {
        message: `The cursor of ${answer.called.tool} does not advance`,
        code: "CURSOR_STUCK",
        type: "internal",
        remediation: "Report it to the server's author; the pages before it are complete.",
        details: { tool: answer.called.tool },
      },
      answer.notes,
    );
  }
  seen.add(cursor);
  return hasMore === false ? undefined : cursor;
}

/** Every page of a tool that pages, each fetched when it is asked for. */
export async function* walkPages(
  runner: CallRunner,
  called: Called,
  options: PageOptions = {},
): AsyncGenerator<Answer> {
  const { from, maxPages = MAX_PAGES, ...call } = options;
  const seen = new Set<string>(from === undefined ? [] : [from]);
  let cursor = from;
  for (let page = 0; page < maxPages; page++) {
    try {
      const args = await argsWith(runner, called, cursor);
      const first = await runner.run({ tool: called.tool, args }, call);
      const answer = call.complete === true ? await completeAnswer(runner, first, call) : first;
      yield answer;
      cursor = nextCursor(answer, seen);
    } catch (error) {
      if (ResponseError.isInstance(error))
        error.progress ??= { pages: page, items: 0, cursor: cursor ?? null };
      throw error;
    }
    if (cursor === undefined) return;
  }
}

function listIn(answer: Answer, path: string | undefined): readonly JsonValue[] {
  const { data } = answer;
  if (path === undefined) return mainCollection(data)?.items ?? [];
  const found = path.startsWith("/") ? getByPointer(data, path) : isJsonObject(data) ? data[path] : undefined;
  if (Array.isArray(found)) return found as readonly JsonValue[];
  throw invalidResponse(`there is no list at ${path}`, answer.called, answer.requestId);
}

/** Every item of every page, once, in order; a page that was cut is completed before its items are given. */
export async function* walkItems(
  runner: CallRunner,
  called: Called,
  options: ItemOptions = {},
): AsyncGenerator<JsonValue> {
  const { path, ...rest } = options;
  let items = 0;
  let before = "";
  try {
    for await (const page of walkPages(runner, called, { ...rest, complete: true })) {
      const list = listIn(page, path);
      const text = list.length > 0 ? JSON.stringify(list) : "";
      if (text !== "" && text === before) throw invalidResponse("a page came twice", called, page.requestId);
      before = text;
      for (const item of list) {
        yield item;
        items++;
      }
    }
  } catch (error) {
    if (ResponseError.isInstance(error) && error.progress !== undefined)
      error.progress = { ...error.progress, items };
    throw error;
  }
}
