import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { type NamedTool, toolsIn } from "./tool-list.ts";

/** How the session asks for a list of its own; one of both hears the outcome. Gives the way to stop waiting. */
export interface ListPort {
  readonly ask: (
    request: JsonObject,
    settle: (response: JsonObject) => void,
    fail: (error: unknown) => void,
  ) => () => void;
  readonly note: (tool: NamedTool) => void;
}

/** For all pages together: a call waits for them. */
const TIMEOUT_MS = 5_000;
const MAX_PAGES = 100;

/** The connection closed while its server was being asked, which says nothing of what the server would answer. */
export class ListInterrupted extends Error {}

/** The `_meta` of the call, without what belongs to it alone: the server tells eras and callers by it. */
function metaOf({ params }: JsonObject): JsonObject {
  const meta = isJsonObject(params) && isJsonObject(params["_meta"]) ? params["_meta"] : undefined;
  if (meta === undefined) return {};
  const { progressToken: _progress, ...rest } = meta;
  return { _meta: rest };
}

interface Lesson {
  readonly port: ListPort;
  readonly call: JsonObject;
  /** Aborted when the time is up. */
  readonly signal: AbortSignal;
}

function askPage({ port, call, signal }: Lesson, cursor: string | undefined): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const params = { ...metaOf(call), ...(cursor === undefined ? {} : { cursor }) };
    let stop = (): void => undefined;
    const late = (): void => {
      stop();
      reject(new Error("The server did not list its tools in time"));
    };
    signal.addEventListener("abort", late, { once: true });
    const over = (): void => signal.removeEventListener("abort", late);
    stop = port.ask(
      { jsonrpc: "2.0", method: "tools/list", params },
      (response) => {
        over();
        resolve(response);
      },
      (error) => {
        over();
        reject(new ListInterrupted("The connection was closed", { cause: error }));
      },
    );
  });
}

async function askPages(lesson: Lesson): Promise<void> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const response = await askPage(lesson, cursor);
    const tools = toolsIn(response);
    if (tools === undefined) throw new Error("The server does not list its tools");
    for (const tool of tools)
      if (isJsonObject(tool) && typeof tool["name"] === "string") lesson.port.note(tool as NamedTool);
    const next = (response["result"] as JsonObject)["nextCursor"];
    if (typeof next !== "string" || next === cursor) return;
    cursor = next;
  }
}

/** Asks the server for all pages of its list, with the call's own `_meta`; rejects when it does not say in time. */
export async function learnList(port: ListPort, call: JsonObject): Promise<void> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  try {
    await askPages({ port, call, signal: controller.signal });
  } finally {
    clearTimeout(timer);
  }
}
