// Finds the server's tool that gives back omitted content. Its name is a setting of the server, and the answer names
// it. But anyone may have written part of an answer, so a name is used only if it is certainly that tool.

import { RETRIEVE_NAME, isNumbered, RETRIEVE_TOOL } from "../../core/contract/wire-names.ts";
import { isJsonObject } from "../../core/json/json-value.ts";
import type { Answer } from "./answer.ts";
import type { CallRunner } from "./call-runner.ts";

/** The parts of an answer that can name the tool. */
export type Naming = Pick<Answer, "by" | "warnings">;

/** If tools cannot be listed: names that a gateway makes, and names that people choose to look like them. */
const USUAL_ENDING = /[_-]retrieve(?:_[1-9]\d{0,3})?$/;

/** The tool's name in the hint of a cut, by the author of the answer. */
function hintIn({ warnings, by: writer }: Naming): string | undefined {
  const own = warnings.filter(({ by }) => by === writer);
  const hints = own.map(({ context }) => context?.["retrieve"]).filter(isJsonObject);
  const named = hints.map(({ tool }) => tool).find((tool) => typeof tool === "string");
  return typeof named === "string" && RETRIEVE_NAME.test(named) ? named : undefined;
}

/** The tool that gives back omitted content, under the name that the author of the answer uses. */
export async function retrievalTool(
  { connection }: Pick<CallRunner, "connection">,
  answer: Naming,
): Promise<string> {
  const hinted = hintIn(answer);
  if (hinted !== undefined && isNumbered(hinted, RETRIEVE_TOOL)) return hinted;
  const { toolFacts, retrieval } = connection;
  if (toolFacts === undefined || retrieval === undefined)
    return hinted !== undefined && USUAL_ENDING.test(hinted) ? hinted : RETRIEVE_TOOL;
  const isListed = hinted !== undefined && (await toolFacts(hinted))?.answersRetrieval === true;
  // A cut with almost no room names no tool, and servers older than the setting use the default name.
  return isListed ? hinted : ((await retrieval()) ?? RETRIEVE_TOOL);
}
