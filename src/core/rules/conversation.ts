import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import type { RecordedMessage, ServerRecord } from "./server-record.ts";

/** A response of the server, and the request with its id, if one was sent. */
interface Answer {
  readonly request: JsonObject | undefined;
  readonly response: JsonObject;
}

/** The messages of a record by kind; batches are split. */
export interface Conversation {
  readonly answers: readonly Answer[];
  /** Requests and notifications of the server. */
  readonly fromServer: readonly JsonObject[];
  readonly requests: readonly JsonObject[];
  readonly notifications: readonly JsonObject[];
  /** JSON of the server that is not a message: a text, a number, an empty batch. */
  readonly strays: readonly JsonValue[];
}

const conversations = new WeakMap<readonly RecordedMessage[], Conversation>();

/** Reads the messages of a record once for all rules. */
export function conversationOf({ messages }: ServerRecord): Conversation {
  const known = conversations.get(messages) ?? readMessages(messages);
  conversations.set(messages, known);
  return known;
}

export function methodOf(message: JsonObject | undefined): string | undefined {
  const method = message?.["method"];
  return typeof method === "string" ? method : undefined;
}

/** The `params` of a message, empty for a message without them. */
export function paramsOf(message: JsonObject | undefined): JsonObject {
  const params = message?.["params"];
  return isJsonObject(params) ? params : {};
}

/** The ids 1 and "1" are different. */
function keyOf(id: JsonValue | undefined): string {
  return JSON.stringify(id ?? null);
}

function readMessages(messages: readonly RecordedMessage[]): Conversation {
  const answers: Answer[] = [];
  const fromServer: JsonObject[] = [];
  const requests: JsonObject[] = [];
  const notifications: JsonObject[] = [];
  const strays: JsonValue[] = [];
  // A restarted server gets the same ids again, so the latest request with an id counts.
  const byId = new Map<string, JsonObject>();
  for (const { from, value } of messages) {
    if (value === undefined) continue;
    const isBatch = Array.isArray(value) && value.length > 0;
    for (const message of isBatch ? (value as readonly JsonValue[]) : [value]) {
      if (!isJsonObject(message)) {
        if (from === "server") strays.push(message);
        continue;
      }
      const isAsking = message["method"] !== undefined;
      if (from === "server" && isAsking) fromServer.push(message);
      if (from === "server" && !isAsking) {
        answers.push({ request: byId.get(keyOf(message["id"])), response: message });
      }
      if (from === "client" && isAsking && message["id"] === undefined) notifications.push(message);
      if (from === "client" && isAsking && message["id"] !== undefined) {
        requests.push(message);
        byId.set(keyOf(message["id"]), message);
      }
    }
  }
  return { answers, fromServer, requests, notifications, strays };
}
