// What a cut result proposes to call, and what all pages of the answer give.

import { type JsonObject, type JsonValue, isJsonObject, jsonIn } from "../../src/core/json/json-value.ts";
import { blocksOf, structureOf, textOf } from "../../src/core/readers/facts-held.ts";

interface ToolCall {
  readonly tool: string;
  readonly args: JsonObject;
}

interface Notice extends ToolCall {
  /** The last line of a cut text. */
  readonly line: string | undefined;
  /** The notes of the structure. */
  readonly meta: string | undefined;
}

const LINE = /; the (?:rest|first (?:\d+ )?of \d+ gaps): (\w+) (\{.*\})\]$/m;
const ELSEWHERE = "[the result is in structuredContent]";

/** What a cut result proposes to call, in words after a text and among the notes of the structure. */
export function noticesIn(sent: JsonObject): readonly Notice[] {
  const line = (blocksOf(sent) ?? [])
    .map(textOf)
    .find((text) => LINE.test(text))
    ?.trim();
  const { meta } = structureOf(sent) ?? {};
  const notes = isJsonObject(meta) ? JSON.stringify(meta) : undefined;
  const [, tool = "", args = "{}"] = LINE.exec(line ?? "") ?? [];
  const inWords = line === undefined ? [] : [{ tool, args: jsonIn(args) as JsonObject }];
  const inNotes = (isJsonObject(meta) ? retrievesIn(meta) : []).map((found) => ({
    tool: wordsOf(found["tool"]),
    args: isJsonObject(found["arguments"]) ? found["arguments"] : {},
  }));
  return [...inWords, ...inNotes].map((call) => ({ ...call, line, meta: notes }));
}

export function wordsOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function retrievesIn({ warning_details: details }: JsonObject): readonly JsonObject[] {
  const all = Array.isArray(details) ? details.filter(isJsonObject) : [];
  return all.flatMap(({ context }) =>
    isJsonObject(context) && isJsonObject(context["retrieve"]) ? [context["retrieve"]] : [],
  );
}

/** What is left of the text in each channel that has it; in the structure it is in the field `content`. */
export function headsIn(sent: JsonObject): readonly string[] {
  const texts = (blocksOf(sent) ?? []).map(textOf);
  const words = texts.filter((text) => text !== ELSEWHERE && !LINE.test(text));
  const { data, content } = structureOf(sent) ?? {};
  const inside = isJsonObject(data) ? data["content"] : content;
  return [...words, ...(typeof inside === "string" ? [inside] : [])];
}

/** What an answer of the retrieval tool says. */
function saidIn(result: JsonObject): JsonObject {
  const said = structureOf(result) ?? jsonIn(textOf(blocksOf(result)?.[0] ?? {}));
  return isJsonObject(said) ? said : {};
}

/** Of a result that comes in more pages, only the first are looked at. */
const MOST_PAGES = 40;

/** The lines and items of all pages that answer a call; `isWhole` is false if there are more pages than were read. */
export async function allOf(
  call: (tool: string, args: JsonObject) => Promise<JsonObject>,
  { tool, args }: ToolCall,
  mostPages = MOST_PAGES,
): Promise<Given> {
  const lines: JsonValue[] = [];
  const items: JsonValue[] = [];
  let cursor: JsonValue | undefined;
  for (let page = 0; page < mostPages; page++) {
    const said = saidIn(await call(tool, cursor === undefined ? args : { ...args, cursor }));
    const { data, meta } = said;
    const { lines: more = [], items: others = [] } = isJsonObject(data) ? data : {};
    lines.push(...(more as JsonValue[]));
    items.push(...(others as JsonValue[]));
    const pages = isJsonObject(meta) ? meta["pagination"] : undefined;
    cursor = isJsonObject(pages) && pages["has_more"] === true ? pages["cursor"] : undefined;
    if (cursor === undefined) break;
  }
  const data = { ...(lines.length > 0 && { lines }), ...(items.length > 0 && { items: joined(items) }) };
  return { data, isWhole: cursor === undefined };
}

/** An item that is too long for a page comes in slices of its text, one a page. */
function joined(items: readonly JsonValue[]): readonly JsonValue[] {
  const whole: JsonObject[] = [];
  for (const item of items.filter(isJsonObject)) {
    const before = whole.at(-1);
    const isNext = before !== undefined && before["pointer"] === item["pointer"] && "text" in item;
    if (isNext) whole[whole.length - 1] = { ...item, text: wordsOf(before["text"]) + wordsOf(item["text"]) };
    else whole.push(item);
  }
  return whole;
}

/** What a call gave, and whether these are all of its pages. */
export interface Given {
  readonly data: JsonObject;
  readonly isWhole: boolean;
}
