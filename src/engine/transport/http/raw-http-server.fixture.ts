import { type IncomingMessage, type RequestListener, createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What a request brought. */
interface HeardRequest {
  readonly method: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface RawServer {
  readonly url: string;
  readonly heard: HeardRequest[];
  readonly close: () => Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** What a server does with a request. */
export type Handle = (
  heard: HeardRequest & { readonly json: Record<string, unknown> },
  response: Parameters<RequestListener>[1],
  request: IncomingMessage,
) => void;

/** An HTTP server on loopback that does whatever a test wants, good or bad. */
export async function serveRaw(handle: Handle): Promise<RawServer> {
  const heard: HeardRequest[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then(
      (body) => {
        const one = { method: request.method ?? "", headers: request.headers, body };
        heard.push(one);
        const json = body === "" ? {} : (JSON.parse(body) as Record<string, unknown>);
        handle({ ...one, json }, response, request);
      },
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    heard,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

/** An event of a stream as servers write it. */
export function sseOf(message: object, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

/** How `expect.poll` looks again, without the half tenth of a second that it would wait otherwise. */
export const quick = { interval: 3, timeout: 10_000 } as const;
