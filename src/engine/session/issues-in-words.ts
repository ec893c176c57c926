// The SDKs answer params that they cannot read with all that their schema library found, as JSON over many lines. Who
// reads a protocol error wants one sentence.

import { asPredicate, type RichIssue } from "../call/word-issue.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { jsonRpcCodes } from "../../core/protocol/json-rpc-error.ts";
import { sayName } from "../../core/text/say-name.ts";

/** More than any list of issues about params needs. */
const MAX_CHARACTERS = 100_000;
const MAX_NAMED = 5;

type ParamIssue = RichIssue & { readonly path: readonly PropertyKey[] };

/** What is wrong with the params of a request. Issues about anything else, such as a tool's arguments, are not meant. */
function isParamIssue(value: unknown): value is ParamIssue {
  if (!isJsonObject(value) || typeof value["message"] !== "string") return false;
  const { path } = value;
  return Array.isArray(path) && path[0] === "params";
}

function issuesIn(message: string): readonly ParamIssue[] {
  const at = message.indexOf("[");
  if (at === -1 || message.length > MAX_CHARACTERS) return [];
  try {
    const found: unknown = JSON.parse(message.slice(at));
    return Array.isArray(found) && found.every(isParamIssue) ? found : [];
  } catch {
    return [];
  }
}

function wordsFor(issue: ParamIssue): string {
  const field = sayName(issue.path.slice(1).map(String).join(".") || "params");
  return issue.message.endsWith("received undefined")
    ? `${field} is missing`
    : `${field} ${asPredicate(issue)}`;
}

/** An error of the server as it is sent on: a list of issues about the request's params becomes a sentence and -32602. */
export function issuesInWords(response: JsonObject, method?: unknown): JsonObject {
  const { error } = response;
  if (!isJsonObject(error) || typeof error["message"] !== "string") return response;
  const issues = issuesIn(error["message"]);
  if (issues.length === 0) return response;
  const named = issues.slice(0, MAX_NAMED).map(wordsFor);
  const more = issues.length - named.length;
  const said = more > 0 ? [...named, `${more} more`] : named;
  const { code, message } = jsonRpcCodes.invalidParams;
  const of = typeof method === "string" ? ` of ${sayName(method)}` : "";
  return { ...response, error: { code, message: `${message}${of}: ${said.join(", ")}` } };
}
