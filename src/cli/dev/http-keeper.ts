// A server over HTTP under development. Its sessions are not kept: requests of the current protocol need none, and
// connections are refused while a new process starts.

import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { relayLines } from "../../engine/transport/relay-lines.ts";
import { type ServerProcess, describeLoss } from "./server-process.ts";

export interface HttpKeeperOptions {
  readonly start: () => ServerProcess;
  readonly say: (line: string) => void;
  /** Reports events to the developer of the server. */
  readonly note: (text: string) => void;
}

export class HttpKeeper {
  /** Never resolves: an HTTP server runs until it is closed. */
  readonly left: Promise<void> = new Promise(() => undefined);
  readonly #options: HttpKeeperOptions;
  #process: ServerProcess;
  #isClosed = false;

  constructor(options: HttpKeeperOptions) {
    this.#options = options;
    this.#process = this.#start();
  }

  /** Waits until the old process has ended, because it holds the port. */
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

/** A free port, so that the address stays the same after a restart. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
