// A server over HTTP under development: its process is replaced behind a front that keeps the connections of its clients.
// A module may serve at several addresses; each has its front.

import { RestartingChild } from "../../doors/gateway/upstream/restarting-child.ts";
import type { ChildLink } from "../../engine/transport/child-process.ts";
import { type FrontedServer, frontedServer } from "../../engine/transport/http/behind-front.ts";
import { HttpFront } from "./http-front.ts";
import { UP_AGAIN, describeServerEnd, sentenceOf } from "./gone-process.ts";
import { CALLS_MS } from "./session-keeper.ts";

/** Keeps a server available while its process changes. */
export interface Keeper {
  readonly left: Promise<void>;
  restart(): void;
  close(): Promise<void>;
}

export interface HttpKeeperOptions {
  /** Starts a process, which gets its own listener for its lines. */
  readonly start: (stderr: (line: string) => void) => ChildLink;
  readonly say: (line: string) => void;
  readonly note: (text: string) => void;
}

interface OpenFront {
  readonly front: HttpFront;
  /** The number of the process that served here last. */
  readonly process: number;
}

/** How long after its first address a module may take to serve at others. */
const SERVES_MS = 5_000;

/** Why an address cannot be listened on, in the words of `serve`. */
async function explain(error: unknown, server: FrontedServer): Promise<string> {
  const { explainListen } = await import("../../doors/server/serve-http.ts");
  return explainListen(error as NodeJS.ErrnoException, server).message;
}

export function keepHttp({ start, say, note }: HttpKeeperOptions): Keeper {
  const fronts = new Map<string, OpenFront>();
  /** Processes are counted: one that was asked to end may still say where it listens. */
  let newest = 0;
  let wanted = 1;
  /** The process of which it was said last that it is up again; the first one needs no such line. */
  let upAgain = 1;

  const open = async (key: string, server: FrontedServer, process: number): Promise<void> => {
    const front = new HttpFront((error) => note(`a request failed (${String(error)})`));
    front.ready(server.behind);
    fronts.set(key, { front, process });
    try {
      const { origin } = await front.listen(server.port, server.host);
      say(`${server.title} listens on ${origin}${server.path}`);
    } catch (error) {
      // It is tried again by the next process.
      fronts.delete(key);
      note(await explain(error, server));
    }
  };
  const announced = (server: FrontedServer, process: number): void => {
    // Port 0 is a free one, and stays the same from process to process.
    const key = JSON.stringify([server.host, server.port, server.port === 0 ? server.title : ""]);
    const known = fronts.get(key);
    if (known === undefined) void open(key, server, process);
    else {
      fronts.set(key, { ...known, process });
      known.front.ready(server.behind);
      if (process > upAgain) note(UP_AGAIN);
      upAgain = process;
    }
    setTimeout(() => leaveOthers(process), SERVES_MS).unref();
  };
  /** An edit may move the server: no front waits at the address that it had. */
  const leaveOthers = (process: number): void => {
    if (process !== newest || process < wanted) return;
    for (const [key, { front, process: last }] of fronts) {
      if (last >= process) continue;
      fronts.delete(key);
      void front.close();
    }
  };
  const startNext = (): ChildLink => {
    newest += 1;
    const own = newest;
    return start((line) => {
      const server = frontedServer(line);
      if (server === undefined) say(line);
      else if (own >= wanted) announced(server, own);
    });
  };

  const server = new RestartingChild({ start: startNext, isEdited: true, note });
  server.listen({
    message: () => undefined,
    oversized: () => undefined,
    closed: () => undefined,
    interrupted: ({ reason, retryInMs }) => {
      if (retryInMs !== undefined) return;
      for (const { front } of fronts.values()) front.down(sentenceOf(reason));
      note(describeServerEnd(reason));
    },
  });
  return {
    left: new Promise(() => undefined),
    restart: () => {
      // The process that is to come reads the files as they are then.
      if (newest < wanted) return;
      wanted = newest + 1;
      const open = [...fronts.values()].map(({ front }) => front);
      for (const front of open) front.leave();
      void Promise.all(open.map((front) => front.settled(CALLS_MS))).then(() => server.restart());
    },
    close: async () => {
      server.close();
      await server.ended();
      await Promise.all([...fronts.values()].map(({ front }) => front.close()));
    },
  };
}
