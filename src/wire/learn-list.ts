import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { type NamedTool, toolsIn } from "./tool-list.ts";

/** How the session asks for a list of its own; `settle` hears the response. Gives the way to stop waiting. */
export interface ListPort {
  readonly ask: (request: JsonObject, settle: (response: JsonObject) => void) => () => void;
  readonly note: (tool: NamedTool) => void;
}

const TIMEOUT_MS = 5_000;
const MAX_PAGES = 100;

/** The `_meta` of the call, without what belongs to it alone: the server tells eras and callers by it. */
function metaOf({ params }: JsonObject): JsonObject {
  const meta = isJsonObject(params) && isJsonObject(params["_meta"]) ? params["_meta"] : undefined;
  if (meta === undefined) return {};
  const { progressToken: _progress, ...rest } = meta;
  return { _meta: rest };
}

function askPage(port: ListPort, call: JsonObject, cursor: string | undefined): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const params = { ...metaOf(call), ...(cursor === undefined ? {} : { cursor }) };
    const request = { jsonrpc: "2.0", method: "tools/list", params };
    const late = (): void => {
      stop();
      reject(new Error("The server did not list its tools in time"));
    };
    const timer = setTimeout(late, TIMEOUT_MS);
    const stop = port.ask(request, (response) => {
      clearTimeout(timer);
      resolve(response);
    });
  });
}

/** Asks the server for all pages of its list, with the call's own `_meta`; rejects when it does not say. */
export async function learnList(port: ListPort, call: JsonObject): Promise<void> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const response = await askPage(port, call, cursor);
    const tools = toolsIn(response);
    if (tools === undefined) throw new Error("The server does not list its tools");
    for (const tool of tools)
      if (isJsonObject(tool) && typeof tool["name"] === "string") port.note(tool as NamedTool);
    const next = (response["result"] as JsonObject)["nextCursor"];
    if (typeof next !== "string" || next === cursor) return;
    cursor = next;
  }
}
