import type { Handover } from "../../engine/request/call-request.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { withRawId, withoutRawArguments } from "../../engine/transport/raw-message.ts";
import { withTrace } from "./raw-trace.ts";

/** A request on its way through the session, with the bytes it came in. */
export interface Carried extends Handover {
  readonly message: JsonObject;
  readonly bytes: Buffer;
}

/** What the session asks of the server, as the client's own bytes where it is the client's own request. */
export function bytesForServer(
  message: JsonObject,
  { message: asked, bytes: came, trace, taken = [] }: Carried,
): Buffer | string {
  const own = taken.length === 0 ? came : withoutRawArguments(came, taken);
  const bytes = trace === undefined ? own : withTrace(own, trace);
  if (message === asked) return bytes;
  const isRenamed = message["method"] === asked["method"] && message["params"] === asked["params"];
  return isRenamed ? withRawId(bytes, JSON.stringify(message["id"])) : JSON.stringify(message);
}
