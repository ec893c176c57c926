// A load balancer as simple as it gets: every request to the next replica, whatever it says.
import { Agent, createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";

export interface RoundRobin {
  readonly origin: string;
  /** Requests and finished answers of each replica. */
  readonly counts: readonly { asked: number; answered: number }[];
  close(): Promise<void>;
}

export async function startRoundRobin(origins: readonly string[]): Promise<RoundRobin> {
  const agent = new Agent({ keepAlive: true });
  const counts = origins.map(() => ({ asked: 0, answered: 0 }));
  let turn = 0;
  const server = createServer((request, response) => {
    const index = turn++ % origins.length;
    const count = counts[index] ?? { asked: 0, answered: 0 };
    count.asked++;
    const { method, headers, url } = request;
    const upstream = send(new URL(url ?? "/", origins[index]), { method, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.once("end", () => count.answered++);
    });
    upstream.on("error", () => response.destroy());
    response.on("close", () => upstream.destroy());
    request.pipe(upstream);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    counts,
    close: async () => {
      server.closeAllConnections();
      agent.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
