import { type Posted, post } from "./mcp-post.ts";

/** What one run of callers saw. */
export interface Tally {
  requests: number;
  answered: number;
  /** Tool results, by what they say. */
  successes: number;
  failures: Map<string, number>;
  /** Answers of the protocol itself, such as a session that has ended. */
  protocolErrors: Map<string, number>;
  malformed: number;
  refusedMalformed: number;
  /** Every broken promise, the first hundred in words. */
  wrong: string[];
  wrongCount: number;
}

export function newTally(): Tally {
  return {
    requests: 0,
    answered: 0,
    successes: 0,
    failures: new Map(),
    protocolErrors: new Map(),
    malformed: 0,
    refusedMalformed: 0,
    wrong: [],
    wrongCount: 0,
  };
}

function count(map: Map<string, number>, key: string): void {
  map.set(key, (map.get(key) ?? 0) + 1);
}

function blame(tally: Tally, what: string): void {
  tally.wrongCount += 1;
  if (tally.wrong.length < 100) tally.wrong.push(what);
}

const MODERN = "2026-07-28";
const LEGACY = "2025-11-25";
const tools = ["echo", "echo", "echo", "slow", "rows", "fail"] as const;

/** Bodies that are no request: cut short, no JSON, a batch of nothing, without the version, of the wrong kind. */
function malformedBody(id: number): string {
  const bodies = [
    '{"jsonrpc":"2.0","id":',
    "not json at all",
    "[]",
    JSON.stringify({ id, method: "tools/list" }),
    JSON.stringify({ jsonrpc: "2.0", id, method: 42 }),
    '"text"',
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":"none"}`,
    "\u0000\u0001",
  ];
  return bodies[id % bodies.length] ?? "";
}

/** The error code in an envelope's text, where the result is a failure of ours. */
function codeIn(result: Record<string, unknown>): string {
  const blocks = Array.isArray(result["content"]) ? (result["content"] as { text?: unknown }[]) : [];
  for (const { text } of blocks) {
    const [, code] = typeof text === "string" ? (/"error_code":"([A-Z_]+)"/.exec(text) ?? []) : [];
    const [, why = ""] = typeof text === "string" ? (/"error":"([^"]{0,80})/.exec(text) ?? []) : [];
    if (code !== undefined) return `${code}: ${why.replaceAll(/\d+/g, "N")}`;
  }
  return "without a code";
}

function judgeAnswer(tally: Tally, id: number, tool: string, n: number, { status, messages }: Posted): void {
  const answers = messages.filter((message) => message["id"] === id && message["method"] === undefined);
  const [answer] = answers;
  if (answers.length !== 1 || answer === undefined)
    return blame(
      tally,
      `${tool} ${id}: ${answers.length} answers, status ${status}, ${JSON.stringify(messages).slice(0, 300)}`,
    );
  tally.answered += 1;
  if (answer["error"] !== undefined) {
    const { code } = answer["error"] as { code: number };
    return count(tally.protocolErrors, `${status} ${code}`);
  }
  const result = answer["result"] as Record<string, unknown>;
  if (result["isError"] === true) return count(tally.failures, codeIn(result));
  tally.successes += 1;
  const text = JSON.stringify(result["content"]);
  // No caller may get what another one asked for.
  if (tool === "echo" && !text.includes(`n is ${n}`)) blame(tally, `echo ${n} got ${text.slice(0, 200)}`);
  if (tool === "slow" && !text.includes(`n was ${n}`)) blame(tally, `slow ${n} got ${text.slice(0, 200)}`);
  if (tool === "fail") blame(tally, `fail ${n} was a success`);
  return undefined;
}

/** One client that asks again and again, one request at a time. */
export abstract class Caller {
  protected readonly tally: Tally;
  protected readonly urls: readonly string[];
  #next: number;
  #turn = 0;

  constructor(tally: Tally, urls: readonly string[], seed: number) {
    this.tally = tally;
    this.urls = urls;
    this.#next = seed * 1_000_000;
  }

  protected abstract headers(method: string, name: string): Promise<Record<string, string>>;
  protected abstract meta(): Record<string, unknown> | undefined;
  protected abstract lost(posted: Posted): void;

  protected url(): string {
    this.#turn += 1;
    return this.urls[this.#turn % this.urls.length] ?? "";
  }

  protected id(): number {
    this.#next += 1;
    return this.#next;
  }

  async run(until: number): Promise<void> {
    while (Date.now() < until) await this.#once();
  }

  async #once(): Promise<void> {
    const id = this.id();
    if (id % 10 === 3) return this.#sendMalformed(id);
    const name = tools[id % tools.length] ?? "echo";
    const params = { name, arguments: { n: id }, ...(this.meta() && { _meta: this.meta() }) };
    const headers = await this.headers("tools/call", name).catch((error: unknown) => {
      blame(this.tally, `no session: ${String(error)}`);
      return undefined;
    });
    if (headers === undefined) return undefined;
    this.tally.requests += 1;
    try {
      const body = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
      const posted = await post(this.url(), body, headers);
      // A session whose server is gone is told so, once, and its client starts a new one.
      if (posted.status === 404) {
        this.tally.answered += 1;
        count(this.tally.protocolErrors, "404 session");
        return this.lost(posted);
      }
      return judgeAnswer(this.tally, id, name, id, posted);
    } catch (error) {
      return blame(this.tally, `${name} ${id}: ${String(error)}`);
    }
  }

  async #sendMalformed(id: number): Promise<void> {
    const headers = await this.headers("tools/call", "echo").catch(() => undefined);
    if (headers === undefined) return undefined;
    this.tally.malformed += 1;
    try {
      const { status, messages } = await post(this.url(), malformedBody(id), headers);
      const isRefused = status >= 400 || messages.some((message) => message["error"] !== undefined);
      if (isRefused) this.tally.refusedMalformed += 1;
      else blame(this.tally, `malformed ${id} got ${status} ${JSON.stringify(messages).slice(0, 200)}`);
    } catch (error) {
      blame(this.tally, `malformed ${id}: ${String(error)}`);
    }
    return undefined;
  }
}

export class ModernCaller extends Caller {
  protected async headers(method: string, name: string): Promise<Record<string, string>> {
    return { "mcp-protocol-version": MODERN, "mcp-method": method, "mcp-name": name };
  }

  protected meta(): Record<string, unknown> {
    return {
      "io.modelcontextprotocol/protocolVersion": MODERN,
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "soak", version: "1.0.0" },
    };
  }

  protected lost(): void {
    blame(this.tally, "A modern request was told that its session is gone.");
  }
}

export class LegacyCaller extends Caller {
  #session: string | undefined;

  protected async headers(): Promise<Record<string, string>> {
    this.#session ??= await this.#open();
    return { "mcp-session-id": this.#session, "mcp-protocol-version": LEGACY };
  }

  protected meta(): undefined {
    return undefined;
  }

  protected lost(): void {
    this.#session = undefined;
  }

  async #open(): Promise<string> {
    const params = {
      protocolVersion: LEGACY,
      capabilities: {},
      clientInfo: { name: "soak", version: "1.0.0" },
    };
    const message = { jsonrpc: "2.0", id: this.id(), method: "initialize", params };
    for (let attempt = 0; attempt < 50; attempt++) {
      const { sessionId, messages } = await post(this.url(), JSON.stringify(message), {});
      if (sessionId !== undefined && messages.some(({ result }) => result !== undefined)) {
        const done = { jsonrpc: "2.0", method: "notifications/initialized" };
        await post(this.url(), JSON.stringify(done), {
          "mcp-session-id": sessionId,
          "mcp-protocol-version": LEGACY,
        });
        return sessionId;
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error("No session could be opened in 50 attempts.");
  }
}
