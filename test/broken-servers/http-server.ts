import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connectServer } from "./connect-server.ts";
import type { RawServer } from "./raw-server.ts";

/** A server that listens on a loopback port. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on a free loopback port; `close` leaves nothing open. */
export async function listenOn(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Listening> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Whether a body asks for an answer; one that cannot be read gets an error. */
function isNotification(body: string): boolean {
  try {
    const message = JSON.parse(body) as { readonly id?: unknown };
    return message.id === undefined;
  } catch {
    return false;
  }
}

/** A raw server over Streamable HTTP without sessions: each POST is answered as JSON. */
export function overHttp(server: RawServer): Promise<Listening> {
  return listenOn((request, response) => {
    if (request.method !== "POST") return void response.writeHead(405, { Allow: "POST" }).end();
    void bodyOf(request).then((body) => {
      const connection = connectServer(server, {
        // Without a stream there is one message in an answer: the response, which comes last.
        write: (line) => {
          if (/"(?:result|error)"/.test(line.toString()) && !response.headersSent) {
            response.writeHead(200, { "Content-Type": "application/json" }).end(line);
          }
        },
        die: () => request.socket.destroy(),
      });
      connection.receive(body);
      response.on("close", () => connection.close());
      if (isNotification(body)) response.writeHead(202).end();
    });
    return undefined;
  });
}
