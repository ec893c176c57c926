/** One session over HTTP without an SDK, which would parse on the thread that measures. */
export interface RawSession {
  call(name: string, args: object): Promise<string>;
  ping(): Promise<void>;
}

const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };

export async function openSession(url: string): Promise<RawSession> {
  let id = 0;
  let session: string | null = null;
  const post = async (method: string, params?: object, isNotice = false): Promise<string> => {
    const own = session === null ? {} : { "mcp-session-id": session, "mcp-protocol-version": "2025-06-18" };
    const message = { jsonrpc: "2.0", ...(isNotice ? {} : { id: ++id }), method, ...(params && { params }) };
    const body = JSON.stringify(message);
    const response = await fetch(url, { method: "POST", headers: { ...headers, ...own }, body });
    session = response.headers.get("mcp-session-id") ?? session;
    const text = await response.text();
    if (!response.ok) throw new Error(`${method}: ${response.status} ${text}`);
    return text;
  };
  const clientInfo = { name: "bench", version: "1.0.0" };
  await post("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  await post("notifications/initialized", undefined, true);
  return {
    call: (name, args) => post("tools/call", { name, arguments: args }),
    ping: async () => void (await post("ping")),
  };
}

/** A pause between pings: as fast as they are answered they would take the processor from the work itself. */
const PAUSE_MS = 5;

/** Pings until the work is done; gives how long the slowest one took. */
export async function pingBeside(session: RawSession, work: Promise<unknown>): Promise<number> {
  const state = { isOver: false, longestMs: 0 };
  const end = (): void => void (state.isOver = true);
  void work.then(end, end);
  while (!state.isOver) {
    const started = performance.now();
    // A connection that broke while it waited is opened again, and all of that time counts.
    await session.ping().catch(() => session.ping());
    state.longestMs = Math.max(state.longestMs, performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return state.longestMs;
}
