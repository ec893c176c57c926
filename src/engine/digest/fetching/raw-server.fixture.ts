import { once } from "node:events";
import { type AddressInfo, type Socket, createServer } from "node:net";

export interface RawServer {
  readonly url: string;
  readonly port: number;
  /** How many connections the other side has not given up. */
  open(): number;
  close(): Promise<void>;
}

/** A server that says what it likes to any client that sent a request, HTTP or not. */
export async function startRawServer(speak: (socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // A client that hangs up in the middle is what these servers are for.
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.once("data", () => speak(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await once(server.close(), "close");
  };
  return { port, url: `http://127.0.0.1:${port}/`, open: () => sockets.size, close };
}

/** Writes the same again and again, as fast as it is taken, until the other side is gone. */
export function pour(socket: Socket, start: string | Uint8Array, piece: string | Uint8Array): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", more);
  socket.write(start);
  more();
}

/** Writes the same every few milliseconds until the other side is gone. */
export function drip(socket: Socket, start: string | Uint8Array, piece: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(piece), 5);
  socket.on("close", () => clearInterval(timer));
}
