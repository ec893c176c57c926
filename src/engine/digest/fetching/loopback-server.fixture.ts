import { once } from "node:events";
import * as http from "node:http";
import * as https from "node:https";
import type { AddressInfo, Socket } from "node:net";

export interface LoopbackServer {
  readonly port: number;
  /** The paths that were asked for. */
  readonly requests: readonly string[];
  /** How many connections were opened, also those without a request. */
  connections(): number;
  close(): Promise<void>;
}

interface ServerOptions {
  /** Several addresses share one port. Default: 127.0.0.1. */
  readonly addresses?: readonly string[];
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A real server that knows who came. */
export async function startServer(
  handle: http.RequestListener,
  { addresses = ["127.0.0.1"], tls }: ServerOptions = {},
): Promise<LoopbackServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let port = 0;
  const servers: http.Server[] = [];
  for (const address of addresses) {
    const listener: http.RequestListener = (request, response) => {
      requests.push(request.url ?? "");
      handle(request, response);
    };
    const server = tls === undefined ? http.createServer(listener) : https.createServer(tls, listener);
    server.on("connection", (socket) => {
      connections += 1;
      sockets.add(socket);
    });
    server.listen(port, address);
    await once(server, "listening");
    ({ port } = server.address() as AddressInfo);
    servers.push(server);
  }
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await Promise.all(servers.map((server) => once(server.close(), "close")));
  };
  return { port, requests, connections: () => connections, close };
}
