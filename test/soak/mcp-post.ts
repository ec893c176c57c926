import { Agent, request } from "node:http";

/** What came back for one POST. */
export interface Posted {
  readonly status: number;
  readonly sessionId: string | undefined;
  /** Every JSON-RPC message of the answer, in order. */
  readonly messages: readonly Record<string, unknown>[];
}

const agent = new Agent({ keepAlive: true, maxSockets: 512 });

/** The messages of a JSON body or of an event stream. */
function messagesIn(type: string, body: string): Record<string, unknown>[] {
  if (body.trim() === "") return [];
  const texts = type.startsWith("text/event-stream")
    ? body
        .split(/\r?\n\r?\n/)
        .map((event) =>
          event
            .split(/\r?\n/)
            .filter((line) => line.startsWith("data:"))
            .map((line) => line.slice(5).trim())
            .join("\n"),
        )
        .filter((data) => data !== "")
    : [body];
  return texts.flatMap((text) => {
    const json = JSON.parse(text) as Record<string, unknown> | Record<string, unknown>[];
    return Array.isArray(json) ? json : [json];
  });
}

/** Sends a body as it is, so that it may also be no message at all. Rejects when the connection breaks. */
export function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  timeoutMs = 60_000,
): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: "POST",
        agent,
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "content-length": Buffer.byteLength(body),
          ...headers,
        },
      },
      (response) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece));
        response.on("error", reject);
        response.on("end", () => {
          try {
            const session = response.headers["mcp-session-id"];
            resolve({
              status: response.statusCode ?? 0,
              sessionId: typeof session === "string" ? session : undefined,
              messages: messagesIn(
                response.headers["content-type"] ?? "",
                Buffer.concat(pieces).toString("utf8"),
              ),
            });
          } catch (error) {
            reject(error);
          }
        });
      },
    );
    sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`No answer within ${timeoutMs} ms.`)));
    sent.on("error", reject);
    sent.end(body);
  });
}
