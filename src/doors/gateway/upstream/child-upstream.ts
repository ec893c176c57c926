import type { CommandUpstream } from "../gateway-options.ts";
import type { Link } from "../../../engine/transport/link.ts";
import { childEnvironment, startChild } from "../../../engine/transport/child-process.ts";
import { commandProblem } from "../../../engine/transport/command-problem.ts";
import type { ConnectionOrigin, Upstream, UpstreamHealth } from "./upstream.ts";
import { RestartingChild } from "./restarting-child.ts";

export interface ChildUpstreamOptions {
  /** Receives what the server writes to stderr and what happens to its process. Default: this process's stderr. */
  readonly note?: ((line: string) => void) | undefined;
  /** Called with the state whenever that of a process has changed. */
  readonly changed?: ((health: UpstreamHealth) => void) | undefined;
  /** The first pause before a process is restarted. Default: 500. */
  readonly firstPauseMs?: number | undefined;
}

const cannotStart = "the server cannot be started:";

/** Why the command of an upstream will not start, as far as this is visible before it is tried. */
export function upstreamProblem(options: CommandUpstream): string | undefined {
  const { command, cwd } = options;
  const problem = commandProblem({ command, cwd, environment: childEnvironment(options) });
  return problem === undefined ? undefined : `${cannotStart} ${problem}`;
}

class ChildUpstream implements Upstream {
  readonly name: string;
  readonly #options: CommandUpstream;
  readonly #note: (line: string) => void;
  readonly #more: ChildUpstreamOptions;
  readonly #links = new Set<RestartingChild>();
  #last: RestartingChild | undefined;
  #toldFailure: string | undefined;
  #wasRefused = false;
  /** Restarts of connections that have ended. */
  #pastRestarts = 0;

  constructor(name: string, options: CommandUpstream, more: ChildUpstreamOptions) {
    this.name = name;
    this.#options = options;
    this.#more = more;
    this.#note = more.note ?? ((line) => void process.stderr.write(`[${name}] ${line}\n`));
  }

  connect(_origin: ConnectionOrigin, ended?: () => void): Link {
    const { command, args, cwd, maxMessageBytes, startTimeoutMs } = this.#options;
    const environment = childEnvironment(this.#options);
    const link: RestartingChild = new RestartingChild({
      start: () =>
        startChild({
          command,
          args,
          cwd,
          environment,
          maxMessageBytes,
          stderr: this.#note,
          failed: (why) => this.#tellFailure(why),
        }),
      startTimeoutMs,
      firstPauseMs: this.#more.firstPauseMs,
      changed: () => this.#more.changed?.(this.health()),
      note: this.#note,
      onEnd: () => {
        this.#links.delete(link);
        this.#pastRestarts += link.health.restarts;
        ended?.();
      },
    });
    this.#links.add(link);
    // If this machine had no room for the connection, that says nothing about the server.
    if (!link.isRefused) {
      this.#last = link;
      if (this.#wasRefused) this.#toldFailure = undefined;
    }
    this.#wasRefused = link.isRefused;
    return link;
  }

  /** Logs a failure once, not for every client, and again only after a client was served. */
  #tellFailure(why: string): void {
    if (this.#toldFailure === why) return;
    this.#toldFailure = why;
    this.#note(`${cannotStart} ${why}`);
  }

  /** The state of its last connection; but if that is down and another process is up, the upstream is up. */
  health(): UpstreamHealth {
    const all = [...this.#links].map((link) => link.health);
    const last: UpstreamHealth = this.#last?.health ?? { state: "starting", restarts: 0 };
    const isDown = last.state === "down";
    const shown = (isDown ? all.find(({ state }) => state === "up") : undefined) ?? last;
    const restarts = all.reduce((sum, each) => sum + each.restarts, this.#pastRestarts);
    return { ...shown, restarts };
  }

  ping(): void {
    for (const link of this.#links) link.ping();
  }

  async close(): Promise<void> {
    const links = [...this.#links];
    for (const link of links) link.close();
    await Promise.all(links.map((link) => link.ended()));
  }
}

/** A server that is a command: each connection has its own process, started at once. */
export function childUpstream(
  name: string,
  options: CommandUpstream,
  more: ChildUpstreamOptions = {},
): Upstream {
  return new ChildUpstream(name, options, more);
}
