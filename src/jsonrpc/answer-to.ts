import { isJsonObject, type JsonValue } from "../json/json-value.ts";
import { checkRequest, isRequestLike } from "./check-request.ts";
import { isNotification } from "./is-notification.ts";
import { invalidRequest, type JsonRpcError } from "./json-rpc-error.ts";
import { isJsonRpcId, type JsonRpcId } from "./json-rpc-id.ts";

/**
 * Answers a request with what `make` builds for its id. A notification and a response get no answer;
 * anything else is an invalid request and is answered as one, so `make` only ever sees an id it can use.
 *
 * @example
 * const response = await answerTo(message, async (id) => jsonRpcResult(id, await callTool(message)));
 */
export function answerTo<Answer>(
  message: unknown,
  make: (id: JsonRpcId) => Answer,
): Answer | JsonRpcError | undefined {
  if (!isJsonObject(message)) return invalidRequest();
  if (isNotification(message)) return undefined;
  if (!isRequestLike(message) && isOutcome(message["result"], message["error"])) return undefined;
  const id = message["id"];
  if (!isJsonRpcId(id)) return invalidRequest();
  const broken = checkRequest(message, "").some(({ severity }) => severity === "MUST");
  return broken ? invalidRequest(id) : make(id);
}

function isOutcome(result: JsonValue | undefined, error: JsonValue | undefined): boolean {
  return result !== undefined || error !== undefined;
}
