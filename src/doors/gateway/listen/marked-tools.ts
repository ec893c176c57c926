import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import type { Link } from "../../../engine/transport/link.ts";
import { type MarkedArgument, markedArguments } from "../../../engine/transport/marked-arguments.ts";
import { valueOf } from "../../../engine/transport/message-kind.ts";

/** As many pages as an SDK client reads of a list. */
const MAX_PAGES = 64;
/** A server that does not list its tools in this time is called without the check, as one without marks. */
const MAX_WAIT_MS = 10_000;

type Tools = ReadonlyMap<string, readonly MarkedArgument[]>;

function noteTools(result: JsonObject, into: Map<string, readonly MarkedArgument[]>): void {
  const { tools } = result;
  for (const tool of Array.isArray(tools) ? tools : []) {
    if (!isJsonObject(tool) || typeof tool["name"] !== "string") continue;
    const marked = markedArguments(tool["inputSchema"]);
    if (marked.length > 0) into.set(tool["name"], marked);
  }
}

/**
 * Reads a server's list of tools page by page, with the version and capabilities of the request that needs it. Gives
 * undefined where the server went away meanwhile, or did not answer.
 */
function readTools(link: Link, meta: JsonObject): Promise<Tools | undefined> {
  return new Promise((resolve) => {
    const found = new Map<string, readonly MarkedArgument[]>();
    let pages = 0;
    const end = (tools: Tools | undefined): void => {
      clearTimeout(timer);
      link.close();
      resolve(tools);
    };
    const timer = setTimeout(() => end(undefined), MAX_WAIT_MS);
    const ask = (cursor: unknown): void => {
      pages += 1;
      const params = cursor === undefined ? { _meta: meta } : { _meta: meta, cursor };
      link.send(JSON.stringify({ jsonrpc: "2.0", id: pages, method: "tools/list", params }));
    };
    link.listen({
      message: (bytes) => {
        const message = valueOf(bytes.toString());
        const result = isJsonObject(message) ? message["result"] : undefined;
        if (!isJsonObject(result)) return end(found);
        noteTools(result, found);
        const { nextCursor } = result;
        return typeof nextCursor === "string" && pages < MAX_PAGES ? ask(nextCursor) : end(found);
      },
      oversized: () => end(found),
      closed: () => end(undefined),
      interrupted: () => end(undefined),
    });
    ask(undefined);
  });
}

/** How long a list is believed; a server of this era says only to subscribers that it has changed. */
const MAX_AGE_MS = 300_000;

/** What a server's tools want to see in headers. It is asked for each process, when the first tool is called. */
export class MarkedTools {
  #tools: Tools | Promise<Tools | undefined> | undefined;
  #readAt = 0;

  /** The marked arguments of a tool: at once where they are known and not older than `maxAgeMs`. */
  find(
    name: string,
    meta: JsonObject,
    open: () => Link,
    maxAgeMs: number = MAX_AGE_MS,
  ): readonly MarkedArgument[] | Promise<readonly MarkedArgument[]> {
    const now = Date.now();
    if (now - this.#readAt > maxAgeMs) this.#tools = undefined;
    if (this.#tools === undefined) {
      this.#readAt = now;
      this.#tools = readTools(open(), meta).then((tools) => (this.#tools = tools));
    }
    const tools = this.#tools;
    if (tools instanceof Promise) return tools.then((ready) => ready?.get(name) ?? []);
    return tools.get(name) ?? [];
  }
}
