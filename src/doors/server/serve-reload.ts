// The tools of a server that runs, and new ones in their place. Whatever is wrong with those is found before anything
// changes; calls that run end with the tool that they began with.

import { checkToolList } from "../../engine/call/check-options.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import type { AnyTool } from "../../engine/settings/tool-definition.ts";
import type { Log } from "../../engine/observe/log-event.ts";
import type { BuildServer, BuiltServer } from "./build-server.ts";
import type { ServeOptions } from "./serve-options.ts";

type Options = Pick<ServeOptions, "tools" | "reload" | "retrieve">;

export class ServedTools {
  readonly #options: Options;
  readonly #build: BuildServer;
  #tools: readonly AnyTool[];
  /** Built before the first call, so that a tool that cannot be listed is reported at the start; then used. */
  #ready: BuiltServer | undefined;
  /** One reload at a time: the next asks for the tools when the one before has ended. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: Options, build: BuildServer) {
    this.#options = options;
    this.#build = build;
    this.#tools = options.tools;
    this.#ready = build(options.tools);
  }

  /** A server object with the tools of now. */
  server(): BuiltServer {
    const server = this.#ready ?? this.#build(this.#tools);
    this.#ready = undefined;
    return server;
  }

  /** Asks for the tools anew, and gives them to `take`, which may refuse them by an error. */
  reload(take: (tools: readonly AnyTool[]) => void, log: Log): Promise<void> {
    const turn = this.#last.then(async () => {
      const tools = await this.#ask();
      const ready = this.#build(tools);
      take(tools);
      this.#ready = ready;
      this.#tools = tools;
      log.info("serve-reloaded", { tools: tools.length });
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #ask(): Promise<readonly AnyTool[]> {
    const { reload, retrieve } = this.#options;
    if (reload === undefined)
      throw new ContractError(
        "INVALID_OPTION",
        "serve: There is nothing to reload. Give the option reload, a function that returns the tools.",
        { option: "reload" },
      );
    const tools: unknown = await reload();
    if (!Array.isArray(tools) || tools.length === 0)
      throw new ContractError(
        "INVALID_OPTION",
        'serve: "reload" gave no tools, so those of before are served on. Return a list with at least one.',
        { option: "reload" },
      );
    const given = [...(tools as readonly AnyTool[])];
    checkToolList("serve: reload", given, retrieve?.name);
    return given;
  }
}
