// Recorded results and questions, read where they lie.
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { JsonObject } from "../../../src/core/json/json-value.ts";

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
