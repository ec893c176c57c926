import type { Link } from "../../../engine/transport/link.ts";
import { LEGACY_REVISION, METHOD_NOT_FOUND, MODERN_REVISION, mcpMeta } from "../../../core/protocol/names.ts";

/** The revision used to greet a legacy server, and the one for a modern server. */
const MAX_PAGES = 64;

interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
}

export interface ServerLists {
  readonly tools: readonly ListedTool[];
  readonly instructions: string;
}

/** The server did not answer correctly; the message says what it did. */
export class UnansweredError extends Error {
  override readonly name = "UnansweredError";
}

interface Answer {
  readonly result?: Readonly<Record<string, unknown>> | undefined;
  readonly error?: { readonly code?: number; readonly message?: string } | undefined;
}

/** Greets a server like a client, and requests its tools. Always closes the link. */
export async function askServer(
  link: Link,
  options: { readonly version: string; readonly timeoutMs: number },
): Promise<ServerLists> {
  const asking = new Asking(link);
  const late = new Promise<never>((_resolve, reject) => {
    const seconds = options.timeoutMs / 1_000;
    const timer = setTimeout(
      () => reject(new UnansweredError(`it did not answer within ${seconds} s`)),
      options.timeoutMs,
    );
    void asking.ended.then(() => clearTimeout(timer));
  });
  try {
    return await Promise.race([askLists(asking, options.version), late]);
  } finally {
    asking.end();
    link.close();
  }
}

async function askLists(asking: Asking, version: string): Promise<ServerLists> {
  const clientInfo = { name: "waybill", version };
  const params = { protocolVersion: LEGACY_REVISION, capabilities: {}, clientInfo };
  const greeted = await asking.ask("initialize", params);
  if (greeted.result !== undefined) {
    asking.tell("notifications/initialized");
    return { tools: await listTools(asking, {}), instructions: textOf(greeted.result["instructions"]) };
  }
  const meta = {
    _meta: {
      [mcpMeta.protocolVersion]: MODERN_REVISION,
      [mcpMeta.clientCapabilities]: {},
      [mcpMeta.clientInfo]: clientInfo,
    },
  };
  const found = await asking.ask("server/discover", meta);
  if (found.result === undefined) throw refusal("initialize", greeted);
  return { tools: await listTools(asking, meta), instructions: textOf(found.result["instructions"]) };
}

async function listTools(asking: Asking, params: object): Promise<ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await asking.ask("tools/list", cursor === undefined ? params : { ...params, cursor });
    // A server without tools need not know the method.
    if (answer.error?.code === METHOD_NOT_FOUND) return tools;
    if (answer.result === undefined) throw refusal("tools/list", answer);
    const listed = answer.result["tools"];
    if (Array.isArray(listed)) tools.push(...(listed as ListedTool[]));
    cursor = answer.result["nextCursor"];
    if (typeof cursor !== "string") break;
  }
  return tools;
}

function refusal(method: string, { error }: Answer): UnansweredError {
  return new UnansweredError(`it refused ${method}: ${error?.message ?? "without a reason"}`);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Requests over a link, each with its answer. */
class Asking {
  readonly ended: Promise<void>;
  readonly #link: Link;
  readonly #waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (why: Error) => void }>();
  #why: string | undefined;
  #last = 0;
  #end: () => void = () => undefined;

  constructor(link: Link) {
    this.#link = link;
    this.ended = new Promise((resolve) => (this.#end = resolve));
    link.listen({
      message: (bytes) => this.#take(bytes),
      oversized: ({ bytes }) => this.#fail(`it sent a message of ${bytes} bytes`),
      closed: (why) => this.#fail(why),
    });
  }

  async ask(method: string, params: object): Promise<Answer> {
    if (this.#why !== undefined) throw new UnansweredError(this.#why);
    const id = ++this.#last;
    const answer = new Promise<Answer>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#link.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return answer;
  }

  tell(method: string): void {
    this.#link.send(JSON.stringify({ jsonrpc: "2.0", method }));
  }

  end(): void {
    this.#waiting.clear();
    this.#end();
  }

  #take(bytes: Buffer): void {
    const message = parse(bytes);
    if (message === undefined) return;
    const { id, method } = message;
    if (typeof method === "string" && id !== undefined) {
      const answer =
        method === "ping"
          ? { result: {} }
          : { error: { code: METHOD_NOT_FOUND, message: "Method not found" } };
      this.#link.send(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
      return;
    }
    const waiting = this.#waiting.get(id as number);
    this.#waiting.delete(id as number);
    waiting?.resolve(message);
  }

  #fail(why: string): void {
    this.#why ??= why;
    for (const { reject } of this.#waiting.values()) reject(new UnansweredError(why));
    this.#waiting.clear();
  }
}

/** A parsed message; undefined if the line is not one: a server may print other lines on stdout by mistake. */
function parse(bytes: Buffer): (Answer & { readonly id?: unknown; readonly method?: unknown }) | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
