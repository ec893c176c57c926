// A server over HTTP under development. Its sessions are not kept: requests of today's protocol need none, and while
// a new process starts, connections are refused.

import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { relayLines } from "../../engine/transport/relay-lines.ts";
import { type ServerProcess, describeLoss } from "./server-process.ts";

export interface HttpKeeperOptions {
  readonly start: () => ServerProcess;
  readonly say: (line: string) => void;
  /** Says what happens, to the person who writes the server. */
  readonly note: (text: string) => void;
}

export class HttpKeeper {
  /** It serves until it is closed. */
  readonly left: Promise<void> = new Promise(() => undefined);
  readonly #options: HttpKeeperOptions;
  #process: ServerProcess;
  #isClosed = false;

  constructor(options: HttpKeeperOptions) {
    this.#options = options;
    this.#process = this.#start();
  }

  /** Not beside the old process, which has the port until it has ended. */
  async restart(): Promise<void> {
    await this.#process.stop();
    if (!this.#isClosed) this.#process = this.#start();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#process.stop();
  }

  #start(): ServerProcess {
    const started = this.#options.start();
    relayLines(started.output, this.#options.say);
    started.input.end();
    void started.ended.then((how) => {
      if (!started.isStopping) this.#options.note(describeLoss(how));
    });
    return started;
  }
}

/** A port that is free now, so that the address stays the same from start to start. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
