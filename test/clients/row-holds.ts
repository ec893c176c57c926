// Compares the row of a client with what its model was given: a row that says more or less than a run showed is wrong.

import { Ajv } from "ajv";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import type { Reader } from "../../src/core/readers/reader.ts";
import { readerChosen } from "../../src/core/readers/readers.ts";
import type { LabClient } from "./client.ts";
import { type Outcome, type Seen, seenIn } from "./outcome.ts";
import { type Shape, shapes } from "./shapes.ts";
import { shownBy } from "./shown-by.ts";

export function rowOf(client: LabClient): Reader {
  const id = client.row ?? client.name;
  const row = readerChosen(id);
  if (row === undefined) throw new Error(`No row has the id ${id}`);
  return row;
}

export const titleOf = (client: LabClient): string => client.title ?? rowOf(client).name;

/** One line a shape of which the model was given something else than the row says. */
export function brokenBy(row: Reader, outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.flatMap((outcome) => {
    const shape = shapes.find(({ name }) => name === outcome.shape);
    const problem = shape === undefined ? undefined : problemWith(row, shape, outcome);
    return problem === undefined ? [] : [`${outcome.shape}: ${problem}`];
  });
}

function problemWith(row: Reader, shape: Shape, outcome: Outcome): string | undefined {
  if (!("result" in shape.answer)) return undefined;
  const result = shape.answer.result as JsonObject;
  const [view = ""] = shownBy(row, result, fitOf(shape, result));
  const isOver = isOverLimit(row, view, result["isError"] === true);
  if (isOver !== outcome.isCut) return isOver ? "the row says that it is cut" : "it was cut";
  // Which part a cut leaves is not the row's word.
  if (isOver) return undefined;
  const [said, seen] = [seenIn(shape, view), seenIn(shape, JSON.stringify(outcome.given ?? []))];
  const differs = said.find((one, index) => timesOf(one, row, shape) !== timesOf(seen[index], row, shape));
  if (differs === undefined) return undefined;
  const real = seen[said.indexOf(differs)];
  return `the row says that ${differs.word} (${differs.place}) is shown ${differs.times} times, it was ${real?.times}`;
}

/** Never, once or more often. `_meta` is written by the row's word for it, and no client heeds an audience. */
function timesOf(seen: Seen | undefined, { showsMeta }: Reader, { answer }: Shape): string {
  if (seen === undefined) return "";
  const isFailure = "result" in answer && (answer.result as JsonObject)["isError"] === true;
  const isShown = showsMeta === "always" || (showsMeta === "failures" && isFailure);
  if (seen.place === "meta" && !isShown) return seen.times === 0 ? "never" : "shown";
  if (seen.place === "meta") return "shown";
  return seen.times === 0 ? "never" : seen.times === 1 ? "once" : "again";
}

function fitOf({ outputSchema }: Shape, { structuredContent }: JsonObject): boolean | undefined {
  if (outputSchema === undefined) return undefined;
  return structuredContent !== undefined && new Ajv().validate(outputSchema, structuredContent);
}

function isOverLimit({ limits }: Reader, view: string, isFailure: boolean): boolean {
  return limits.some(({ most, unit, taken = 0, sparesFailures }) => {
    if (unit === "tokens" || (isFailure && sparesFailures === true)) return false;
    return (unit === "lines" ? view.split("\n").length : view.length) + taken > most;
  });
}
