// A server over HTTP under development: its process is replaced behind a front that keeps the connections of its clients.
// A module may serve at several addresses; each has its front.

import { RestartingChild } from "../../doors/gateway/upstream/restarting-child.ts";
import type { ChildLink } from "../../engine/transport/child-process.ts";
import { type FrontedServer, frontedServer } from "../../engine/transport/http/behind-front.ts";
import { HttpFront } from "./http-front.ts";
import { describeServerEnd } from "./session-keeper.ts";

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

/** Why an address cannot be listened on, in the words of `serve`. */
async function explain(error: unknown, server: FrontedServer): Promise<string> {
  const { explainListen } = await import("../../doors/server/serve-http.ts");
  return explainListen(error as NodeJS.ErrnoException, server).message;
}

export function keepHttp({ start, say, note }: HttpKeeperOptions): Keeper {
  const fronts = new Map<string, HttpFront>();
  /** Processes are counted: one that was asked to end may still say where it listens. */
  let newest = 0;
  let wanted = 1;

  const open = async (key: string, server: FrontedServer): Promise<void> => {
    const front = new HttpFront((error) => note(`a request failed (${String(error)})`));
    front.ready(server.behind);
    fronts.set(key, front);
    try {
      const { origin } = await front.listen(server.port, server.host);
      say(`${server.title} listens on ${origin}${server.path}`);
    } catch (error) {
      // It is tried again by the next process.
      fronts.delete(key);
      note(await explain(error, server));
    }
  };
  const announced = (server: FrontedServer): void => {
    // Port 0 is a free one, and stays the same from process to process.
    const key = JSON.stringify([server.host, server.port, server.port === 0 ? server.title : ""]);
    const front = fronts.get(key);
    if (front === undefined) void open(key, server);
    else front.ready(server.behind);
  };
  const startNext = (): ChildLink => {
    newest += 1;
    const own = newest;
    return start((line) => {
      const server = frontedServer(line);
      if (server === undefined) say(line);
      else if (own >= wanted) announced(server);
    });
  };

  const server = new RestartingChild({ start: startNext, isEdited: true, note });
  server.listen({
    message: () => undefined,
    oversized: () => undefined,
    closed: () => undefined,
    interrupted: ({ reason, retryInMs }) => {
      if (retryInMs !== undefined) return;
      for (const front of fronts.values()) front.down();
      note(describeServerEnd(reason));
    },
  });
  return {
    left: new Promise(() => undefined),
    restart: () => {
      wanted = newest + 1;
      for (const front of fronts.values()) front.leave();
      server.restart();
    },
    close: async () => {
      server.close();
      await server.ended();
      await Promise.all([...fronts.values()].map((front) => front.close()));
    },
  };
}
