// Recorded results and questions, read where they lie.
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { JsonObject, JsonValue } from "../../../src/core/json/json-value.ts";

export interface Asked {
  readonly id: string;
  readonly question: string;
  readonly output: string;
  /** All of them are in the output, word for word. */
  readonly answers: readonly string[];
}

export interface Recorded {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly texts: readonly string[];
}

/** A recorded call with its place in its task. */
export interface RecordedCall extends Recorded {
  readonly task: string;
  readonly step: number;
  readonly server: string;
}

/** Undefined if the file is not there, which a line says. */
function readLines(folder: string, name: string): readonly unknown[] | undefined {
  const path = `${folder}/${name}`;
  if (!existsSync(path)) {
    console.log(`No ${name} in ${folder}: this part is left out. Name a folder with --data.`);
    return undefined;
  }
  const lines = gunzipSync(readFileSync(path)).toString("utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as unknown);
}

export interface ServerList {
  readonly server: string;
  readonly tools: readonly JsonObject[];
}

/** The tool lists of published servers. */
export function readDefinitions(folder: string): readonly ServerList[] | undefined {
  return readLines(folder, "definitions/toucan.jsonl.gz") as readonly ServerList[] | undefined;
}

export function readQuestions(folder: string): readonly Asked[] | undefined {
  interface Line {
    readonly id: string;
    readonly question: string;
    readonly output: string;
    readonly gold: string;
    readonly all_of: readonly string[];
  }
  const lines = readLines(folder, "questions/tooltrim.jsonl.gz") as readonly Line[] | undefined;
  return lines?.map(({ id, question, output, gold, all_of }) => ({
    id,
    question,
    output,
    answers: [gold, ...all_of],
  }));
}

export function readResults(folder: string, name: string): readonly Recorded[] | undefined {
  interface Line {
    readonly tool: string;
    readonly arguments: JsonObject;
    readonly text?: string;
    readonly texts?: readonly string[];
  }
  const lines = readLines(folder, `results/${name}.jsonl.gz`) as readonly Line[] | undefined;
  return lines?.map(({ tool, arguments: args, text, texts = [] }) => ({
    tool,
    arguments: args,
    texts: text === undefined ? texts : [text],
  }));
}

/**
 * The calls of a file, in which a failure is no result. Most lines of LiveMCPBench are a whole `CallToolResult` written as
 * JSON: the texts are those that its server sent.
 */
export function readCalls(folder: string, name: string): readonly RecordedCall[] | undefined {
  interface Line extends Omit<RecordedCall, "texts" | "task" | "server"> {
    readonly task: string | number;
    readonly server?: string;
    readonly isError?: boolean;
    readonly text?: string;
    readonly texts?: readonly string[];
  }
  const lines = readLines(folder, `results/${name}.jsonl.gz`) as readonly Line[] | undefined;
  return lines?.map(({ task, step, server = name, tool, arguments: args, isError, text, texts = [] }) => ({
    task: String(task),
    step,
    server,
    tool,
    arguments: args,
    texts: isError === true ? [] : text === undefined ? texts.flatMap(sentTexts) : [text],
  }));
}

function sentTexts(recorded: string): readonly string[] {
  if (!recorded.startsWith("{")) return [recorded];
  try {
    const { content } = JSON.parse(recorded) as { readonly content?: unknown };
    const blocks = Array.isArray(content) ? (content as readonly { readonly text?: unknown }[]) : [];
    const texts = blocks.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
    return texts.length === 0 ? [recorded] : texts;
  } catch {
    // The recorder cut it.
    return [recorded];
  }
}

/** What later calls of the same task, to any server, have as arguments. */
export function valuesOfLaterCalls(
  calls: readonly RecordedCall[],
  { task, step }: RecordedCall,
): ReadonlySet<string> {
  const later = calls.filter((call) => call.task === task && call.step > step);
  return new Set(later.flatMap((call) => scalarsIn(call.arguments)));
}

/** The texts and numbers in a value; null, switches and empty texts say nothing that a call could be recognised by. */
export function scalarsIn(value: JsonValue): readonly string[] {
  if (typeof value === "number") return [String(value)];
  if (typeof value === "string") return value === "" ? [] : [value];
  return typeof value === "object" && value !== null
    ? Object.values(value as JsonObject).flatMap(scalarsIn)
    : [];
}
