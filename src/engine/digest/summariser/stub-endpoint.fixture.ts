import { once } from "node:events";
import { type IncomingHttpHeaders, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface StubRequest {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether the other side went away before it was answered. */
  readonly isDropped: () => boolean;
}

export interface StubEndpoint {
  readonly baseUrl: string;
  readonly requests: StubRequest[];
  answer: (response: ServerResponse) => void;
  close(): Promise<void>;
}

/** A chat completion that says this. */
export function completion(content: unknown): string {
  return JSON.stringify({ choices: [{ index: 0, message: { role: "assistant", content } }] });
}

/** Answers with a status and a body. */
export function says(body: string, status = 200): (response: ServerResponse) => void {
  return (response) => void response.writeHead(status, { "content-type": "application/json" }).end(body);
}

/** A real endpoint on loopback that answers as it is told. */
export async function startStubEndpoint(): Promise<StubEndpoint> {
  const requests: StubRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as StubRequest["body"];
      const isDropped = (): boolean => response.destroyed && !response.writableFinished;
      requests.push({ path: request.url, headers: request.headers, body, isDropped });
      stub.answer(response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stub: StubEndpoint = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    answer: says(completion('{"summary":"A stub.","key_points":[]}')),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return stub;
}
