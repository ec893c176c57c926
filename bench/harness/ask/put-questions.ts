import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue } from "../../../src/core/json/json-value.ts";
import {
  type AskClient,
  type AskPlace,
  type Count,
  READ,
  RETRIEVE,
  archiveOf,
  callAll,
  connectAsk,
  tokensOf,
} from "./ask-client.ts";
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

interface QuestionResult extends Pick<AskedQuestion, "kind" | "select"> {
  readonly over: string;
  readonly before: Asked;
  readonly after: Asked;
}

/** What the questions of a set took, and the archive that was asked. */
export interface SetResult {
  readonly name: string;
  readonly archive: string;
  readonly results: readonly QuestionResult[];
}

// More than any answer needs.
const MAX_CALLS = 20;

/** One value of one page, or the lists of all pages behind each other. */
function joined(parts: readonly JsonValue[]): JsonValue {
  return parts.length === 1
    ? (parts[0] ?? null)
    : parts.flatMap((part) => (Array.isArray(part) ? part : [part]));
}

/** A list or a scalar travels in response-v2 as `{"result": …}`, null as `{"selected": null}`. */
function unwrap(data: JsonObject): JsonValue {
  const [key = "", ...others] = Object.keys(data);
  const isWrapped = others.length === 0 && (key === "result" || key === "selected");
  return isWrapped ? (data[key] ?? null) : data;
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
  const answers = await callAll(client, tool, args, MAX_CALLS);
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
export async function putQuestions(set: QuestionSet, place: AskPlace, counter: Count): Promise<SetResult> {
  const client = await connectAsk(set.value, place);
  try {
    const archive = await archiveOf(client);
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
    return { name: set.name, archive, results };
  } finally {
    await client.close();
  }
}
