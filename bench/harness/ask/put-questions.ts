import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue } from "../../../src/json/json-value.ts";
import type { TokenCounter } from "../../../src/tokens/token-counter.ts";
import { type AskAnswer, type AskClient, READ, RETRIEVE, announced, connectAsk } from "./ask-client.ts";
import type { AskedQuestion, QuestionSet } from "./ask-question.ts";

/** What one question took, asked one way. */
export interface Asked {
  readonly isRight: boolean;
  readonly calls: number;
  /** Tokens of everything that came back. */
  readonly read: number;
  /** Tokens of the arguments of the calls, which a model writes. */
  readonly written: number;
  readonly wallMs: number;
}

export interface QuestionResult extends Pick<AskedQuestion, "kind" | "select"> {
  readonly over: string;
  readonly before: Asked;
  readonly after: Asked;
}

export interface SetResult {
  readonly name: string;
  readonly records: number;
  readonly archive: string;
  readonly results: readonly QuestionResult[];
  /** Tokens of the whole as compact JSON. */
  readonly everything: number;
  readonly paging: Paging;
}

/** Reading an archive to its end, page by page. */
export interface Paging {
  readonly calls: number;
  readonly tokens: number;
  /** Only the first pages were read; the rest is in proportion to the records. */
  readonly isEstimate: boolean;
}

const MAX_CALLS = 50;
// Below what any of the payloads costs, so that each of them is cut and archived.
const SMALL_BUDGET = 256;

type Count = Pick<TokenCounter, "count">;

function tokensOf({ texts }: AskAnswer, counter: Count): number {
  return texts.reduce((sum, text) => sum + counter.count(text), 0);
}

/** Calls until there are no more pages; what each of them held, in order. */
async function callAll(
  client: AskClient,
  tool: string,
  args: JsonObject,
  maxCalls = MAX_CALLS,
): Promise<readonly AskAnswer[]> {
  const answers: AskAnswer[] = [];
  let cursor: string | undefined;
  do {
    const answer = await client.call(tool, cursor === undefined ? args : { ...args, cursor });
    answers.push(answer);
    ({ cursor } = answer);
  } while (cursor !== undefined && answers.length < maxCalls);
  return answers;
}

/** One value of one page, or the lists of all pages behind each other. */
function joined(parts: readonly JsonValue[]): JsonValue {
  return parts.length === 1
    ? (parts[0] ?? null)
    : parts.flatMap((part) => (Array.isArray(part) ? part : [part]));
}

/** A list or a scalar travels in response-v2 as `{"result": …}`; null as no data at all. */
function unwrap(data: JsonObject): JsonValue {
  const keys = Object.keys(data);
  if (keys.length === 0) return null;
  return keys.join() === "result" ? (data["result"] ?? null) : data;
}

async function ask(
  client: AskClient,
  tool: string,
  args: JsonObject,
  take: (data: JsonObject) => JsonValue,
  { expected }: AskedQuestion,
  counter: Count,
): Promise<Asked> {
  const start = performance.now();
  const answers = await callAll(client, tool, args);
  const wallMs = performance.now() - start;
  return {
    isRight: isDeepStrictEqual(joined(answers.map(({ data }) => take(data))), expected),
    calls: answers.length,
    read: answers.reduce((sum, answer) => sum + tokensOf(answer, counter), 0),
    written: counter.count(JSON.stringify(args)),
    wallMs,
  };
}

/** Puts every question of a set twice: to the tool before the cut, and to the archive after it. */
export async function putQuestions(set: QuestionSet, folder: string, counter: Count): Promise<SetResult> {
  const client = await connectAsk(set.value, folder);
  try {
    const archive = announced(await client.call(READ, {}, SMALL_BUDGET));
    const results: QuestionResult[] = [];
    for (const question of set.questions) {
      const { kind, select } = question;
      const before = await ask(client, READ, { _waybill_select: select }, unwrap, question, counter);
      const isProven = (data: JsonObject): boolean =>
        data["archive"] === archive && data["verified"] === true;
      const selected = (data: JsonObject): JsonValue =>
        isProven(data) ? (data["selected"] ?? null) : "unproven";
      const after = await ask(client, RETRIEVE, { archive, select }, selected, question, counter);
      results.push({ over: set.name, kind, select, before, after });
    }
    const records = Array.isArray(set.value) ? set.value.length : 1;
    return {
      name: set.name,
      records,
      archive,
      results,
      everything: counter.count(JSON.stringify(set.value)),
      paging: await pageAll(client, archive, set.value, counter),
    };
  } finally {
    await client.close();
  }
}

async function pageAll(
  client: AskClient,
  archive: string,
  value: JsonValue,
  counter: Count,
): Promise<Paging> {
  const pointer = Array.isArray(value) ? "/result/*" : "";
  const pages = await callAll(client, RETRIEVE, { archive, pointer });
  const tokens = pages.reduce((sum, page) => sum + tokensOf(page, counter), 0);
  const isEstimate = pages.at(-1)?.cursor !== undefined;
  if (!isEstimate) return { calls: pages.length, tokens, isEstimate };
  const read = pages.reduce(
    (sum, { data }) => sum + ((data["items"] as JsonValue[] | undefined)?.length ?? 0),
    0,
  );
  const times = (Array.isArray(value) ? value.length : 1) / read;
  return { calls: Math.ceil(pages.length * times), tokens: Math.round(tokens * times), isEstimate };
}
