// The calls that a shortened result proposes for what it lacks, read out of what a client gave its model: in words, as
// notes of an envelope, and escaped once more by clients that show a result as JSON.

import { stableStringify } from "../../src/core/json/canonical-json.ts";
import { type JsonObject, isJsonObject, jsonIn } from "../../src/core/json/json-value.ts";

export interface ToolCall {
  readonly tool: string;
  readonly args: JsonObject;
}

/** One answer, and the call that it answers. */
export interface Answered {
  readonly call: ToolCall;
  readonly given: readonly unknown[];
}

/** JSON in a string has its quotes escaped, in a string of that twice. */
const unescaped = (given: readonly unknown[]): string =>
  JSON.stringify(given).replaceAll(/\\+"/g, '"').replaceAll(/\\+n/g, "\n");

const inWords = /\b(\w+_retrieve) (\{"archive":[^{}]*\})/g;
const inNotes = /"retrieve":\{"tool":"(\w+)","arguments":(\{[^{}]*\})/g;
const gapMark = /^\[… lines? (\d+(?:-\d+)?)[^\]\n]*\]$/gm;
const cursor = /"pagination":\{"cursor":"([^"]+)"/;
const slice = /"text":"([^"]*)","from":\d+,"to":\d+/g;

function proposedBy({ call, given }: Answered): readonly ToolCall[] {
  const text = unescaped(given);
  const said = [...text.matchAll(inWords), ...text.matchAll(inNotes)].flatMap(([, tool = "", json = ""]) => {
    const args = jsonIn(json);
    return isJsonObject(args) ? [{ tool, args }] : [];
  });
  const [, next] = cursor.exec(text) ?? [];
  const [first] = said;
  const archive = first?.args["archive"];
  // A line in words gives the first gaps and the handle; each gap's own line says which lines are missing there.
  const gaps = [...text.matchAll(gapMark)].map(([, lines = ""]) => lines);
  return [
    ...(next === undefined ? [] : [{ tool: call.tool, args: { ...call.args, cursor: next } }]),
    ...said,
    ...(first === undefined || archive === undefined
      ? []
      : gaps.map((lines) => ({ tool: first.tool, args: { archive, lines } }))),
  ];
}

/** What these answers say; slices of one long text, which come in several answers, are joined once more. */
export function wordsOf(answers: readonly (readonly unknown[])[]): string {
  const text = answers.map(unescaped).join("\n");
  return `${text}\n${[...text.matchAll(slice)].map(([, piece]) => piece).join("")}`;
}

/** A model that wants all of a result makes these calls, one after the other. */
export function nextCall(answers: readonly Answered[]): ToolCall | undefined {
  const made = new Set(answers.map(({ call }) => keyOf(call)));
  return answers.flatMap(proposedBy).find((call) => !made.has(keyOf(call)));
}

const keyOf = ({ tool, args }: ToolCall): string => `${tool} ${stableStringify(args)}`;
