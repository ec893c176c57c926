import type { JsonObject, JsonValue } from "../../../../core/json/json-value.ts";
import { REQUEST_ID_META_KEY } from "../../../../core/contract/wire-names.ts";
import { ApiProblem, type WatchedUpstream } from "../dashboard-parts.ts";
import { PageLink, type Reply, ServerSilence } from "./page-link.ts";

/** A package manager may have to fetch the server first. */
const GREET_MS = 60_000;
const LIST_MS = 60_000;
const CALL_MS = 300_000;
/** A process that only the page uses is ended when the page has asked nothing for so long. */
const IDLE_MS = 300_000;
const MAX_PAGES = 100;
const MAX_OPEN_CALLS = 8;
const METHOD_NOT_FOUND = -32_601;

export interface OwnCallRequest {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

const seeLog = "See what the server wrote to the gateway's stderr, and try again.";

/** A client of one server: it connects when it is first asked something, and leaves when nobody asks any more. */
export class PageClient {
  readonly #upstream: Pick<WatchedUpstream, "name" | "connect" | "state">;
  readonly #idleMs: number;
  readonly #onListChanged: () => void;
  #opening: Promise<PageLink> | undefined;
  #opened: PageLink | undefined;
  #calls = 0;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    upstream: Pick<WatchedUpstream, "name" | "connect" | "state">,
    onListChanged: () => void,
    idleMs = IDLE_MS,
  ) {
    this.#upstream = upstream;
    this.#onListChanged = onListChanged;
    this.#idleMs = idleMs;
  }

  /** All pages of the server's list, as any client of the gateway gets it. */
  list(): Promise<readonly JsonValue[]> {
    return this.#with(async (link) => {
      const tools: JsonValue[] = [];
      let cursor: JsonValue | undefined;
      for (let page = 0; page < MAX_PAGES; page++) {
        const params = cursor === undefined ? {} : { cursor };
        const { result, error } = await link.ask("tools/list", params, { timeoutMs: LIST_MS });
        // A server without tools need not know the method.
        if (error?.code === METHOD_NOT_FOUND) return tools;
        if (result === undefined) throw new ServerSilence(`refused to list its tools: ${error?.message}`);
        const { tools: listed, nextCursor } = result;
        if (Array.isArray(listed)) tools.push(...(listed as readonly JsonValue[]));
        if (typeof nextCursor !== "string" || nextCursor === cursor) break;
        cursor = nextCursor;
      }
      return tools;
    });
  }

  call({ tool, arguments: given, requestId, signal }: OwnCallRequest): Promise<Reply> {
    if (this.#calls >= MAX_OPEN_CALLS)
      throw new ApiProblem(
        "busy",
        `${MAX_OPEN_CALLS} calls of the page run already.`,
        "Wait for one of them, or reload the page, which ends them.",
      );
    return this.#with(async (link) => {
      this.#calls += 1;
      try {
        const params = { name: tool, arguments: given };
        const meta = { [REQUEST_ID_META_KEY]: requestId };
        return await link.ask("tools/call", params, { timeoutMs: CALL_MS, signal, meta });
      } finally {
        this.#calls -= 1;
      }
    });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    this.#opened?.close();
  }

  async #with<Value>(use: (link: PageLink) => Promise<Value>): Promise<Value> {
    clearTimeout(this.#idle);
    try {
      const link = await this.#open();
      return await use(link);
    } catch (error) {
      throw this.#explain(error);
    } finally {
      this.#leaveLater();
    }
  }

  #open(): Promise<PageLink> {
    this.#opening ??= this.#connect().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #connect(): Promise<PageLink> {
    const link = new PageLink(await this.#upstream.connect(), {
      gone: () => {
        this.#opening = undefined;
        this.#opened = undefined;
      },
      listChanged: this.#onListChanged,
    });
    if (this.#isClosed) link.close();
    this.#opened = link;
    try {
      await link.greet(GREET_MS);
    } catch (error) {
      link.close();
      throw error;
    }
    return link;
  }

  #leaveLater(): void {
    if (this.#isClosed || this.#opened === undefined || this.#opened.openRequests > 0) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#opened?.close(), this.#idleMs);
    this.#idle.unref();
  }

  #explain(error: unknown): unknown {
    if (error instanceof ApiProblem) return error;
    const { name, state } = this.#upstream;
    const what = error instanceof ServerSilence ? error.message : "cannot be reached";
    return new ApiProblem("upstream", state.mask(`The server ${name} ${what}.`), seeLog);
  }
}
