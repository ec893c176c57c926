// Which tool of the server gives back what was left out of an answer. Its name is a setting of the server, and the answer
// says it; but an answer may hold what anybody wrote, so a name is only followed where it can be nothing else.

import { RETRIEVE_NAME, isNumbered } from "../../core/contract/retrieve-name.ts";
import { RETRIEVE_TOOL } from "../../core/contract/wire-names.ts";
import { isJsonObject } from "../../core/json/json-value.ts";
import type { Answer } from "./answer.ts";
import type { CallRunner } from "./call-runner.ts";

/** What of an answer can name the tool. */
export type Naming = Pick<Answer, "by" | "warnings">;

/** Without a list to look at: names that a gateway makes, and those that people choose to look like one. */
const USUAL_ENDING = /[_-]retrieve(?:_[1-9]\d{0,3})?$/;

/** The name in the hint of a cut, of whoever wrote the answer. */
function hintIn({ warnings, by: writer }: Naming): string | undefined {
  const own = warnings.filter(({ by }) => by === writer);
  const hints = own.map(({ context }) => context?.["retrieve"]).filter(isJsonObject);
  const named = hints.map(({ tool }) => tool).find((tool) => typeof tool === "string");
  return typeof named === "string" && RETRIEVE_NAME.test(named) ? named : undefined;
}

/** The tool that gives back what an answer left out, as whoever wrote the answer calls it. */
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
  // A cut with hardly any room says no name, and a server before names were a setting has the usual one.
  return isListed ? hinted : ((await retrieval()) ?? RETRIEVE_TOOL);
}
