import type { CommandUpstream } from "../gateway-options.ts";
import type { Link } from "../link.ts";
import { childEnvironment } from "./child-environment.ts";
import { startChild } from "./child-process.ts";
import { RestartingChild } from "./restarting-child.ts";
import type { Upstream, UpstreamHealth } from "./upstream.ts";

export interface ChildUpstreamOptions {
  /** Hears what the server writes to stderr and what happens to its process. Default: this process's stderr. */
  readonly note?: ((line: string) => void) | undefined;
  /** The first pause before a process is started again. Default: 500. */
  readonly firstPauseMs?: number | undefined;
}

class ChildUpstream implements Upstream {
  readonly name: string;
  readonly #options: CommandUpstream;
  readonly #note: (line: string) => void;
  readonly #firstPauseMs: number | undefined;
  readonly #links = new Set<RestartingChild>();
  #last: RestartingChild | undefined;

  constructor(name: string, options: CommandUpstream, { note, firstPauseMs }: ChildUpstreamOptions) {
    this.name = name;
    this.#options = options;
    this.#note = note ?? ((line) => void process.stderr.write(`[${name}] ${line}\n`));
    this.#firstPauseMs = firstPauseMs;
  }

  connect(): Link {
    const { command, args, cwd, maxMessageBytes, startTimeoutMs } = this.#options;
    const environment = childEnvironment(this.#options);
    const link: RestartingChild = new RestartingChild({
      start: () => startChild({ command, args, cwd, environment, maxMessageBytes, stderr: this.#note }),
      startTimeoutMs,
      firstPauseMs: this.#firstPauseMs,
      note: this.#note,
      onEnd: () => void this.#links.delete(link),
    });
    this.#links.add(link);
    this.#last = link;
    return link;
  }

  health(): UpstreamHealth {
    return this.#last?.health ?? { state: "starting", restarts: 0 };
  }

  async close(): Promise<void> {
    const links = [...this.#links];
    for (const link of links) link.close();
    await Promise.all(links.map((link) => link.ended()));
  }
}

/** A server that is a command: a process of its own for each connection, started at once. */
export function childUpstream(
  name: string,
  options: CommandUpstream,
  more: ChildUpstreamOptions = {},
): Upstream {
  return new ChildUpstream(name, options, more);
}
