import type { Link } from "../../src/engine/transport/link.ts";
import { linkPair } from "../../src/engine/transport/link-pair.fixture.ts";
import { connectServer } from "./connect-server.ts";
import type { RawServer } from "./raw-server.ts";

/** Connections to a server in memory; each one is to a server of its own, as each process would be. */
export function serverLink(build: () => RawServer): () => Link {
  return () => {
    const [near, far] = linkPair();
    const connection = connectServer(build(), {
      write: (line) => far.send(line),
      die: () => far.close(),
    });
    far.listen({
      message: (bytes) => connection.receive(bytes.toString()),
      oversized: () => undefined,
      closed: () => connection.close(),
    });
    return near;
  };
}
