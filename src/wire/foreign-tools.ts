import type { Outcome } from "../contract/outcome.ts";
import type { CallRequest } from "../engine/call-request.ts";
import type { CalledTool, ToolRun } from "../engine/called-tool.ts";
import type { ContractOptions } from "../engine/contract-options.ts";
import type { ContractState } from "../engine/contract-state.ts";
import { identifyCall } from "../engine/open-call.ts";
import type { MaybePromise } from "../engine/tool-context.ts";
import type { ToolConfig } from "../engine/tool-definition.ts";
import type { Arrival } from "../pipeline/parcel.ts";
import { maskForeign } from "../pipeline/shape/mask-parcel.ts";
import type { BesideMask } from "./foreign-result.ts";
import type { ListedTool, UpstreamMemory } from "./upstream-memory.ts";

/** How the calls of one connection reach their server. */
export interface CallOptions {
  /** For tools without a time of their own. */
  readonly callTimeoutMs?: number | undefined;
  /** The server runs in another process, so what its tools throw there is not seen here. */
  readonly isRemote?: boolean | undefined;
  /** Tools of the server that nobody sees here. */
  readonly hide?: readonly string[] | undefined;
}

/** The tools of a server behind the contract, as the engine calls them. */
export class ForeignTools {
  readonly #state: ContractState;
  readonly #memory: UpstreamMemory;
  readonly #options: CallOptions;
  readonly #identity: ContractOptions;

  constructor(state: ContractState, memory: UpstreamMemory, options: CallOptions) {
    this.#state = state;
    this.#memory = memory;
    this.#options = options;
    // The call gets its id later; making one here would use it up.
    this.#identity = { ...state.options, requestIds: () => "" };
  }

  /** An author's own function may throw; the engine refuses the call for it. */
  tenantOf(request: CallRequest): string | undefined {
    try {
      return identifyCall(request, this.#identity).tenant;
    } catch {
      return undefined;
    }
  }

  find(
    name: string,
    run: (run: ToolRun) => MaybePromise<Arrival>,
    tenant: string | undefined,
    refusal?: CalledTool["refusal"],
  ): CalledTool {
    const listed = this.#memory.find(tenant ?? "", name);
    return {
      name,
      config: this.#inTime(listed),
      listedSchema: listed.listedSchema,
      isUnlisted: listed.isUnlisted,
      canBeAsked: listed.canBeAsked,
      isRemote: this.#options.isRemote,
      retrieveName: this.#memory.retrieveName(tenant ?? ""),
      refusal,
      // The server validates its arguments itself.
      parse: (_state, args) => args,
      run: (_state, _args, facts) => run(facts),
    };
  }

  /** The config with the time that every call may take, unless the tool has one of its own. */
  #inTime({ name, config }: ListedTool): ToolConfig {
    const { callTimeoutMs: timeoutMs } = this.#options;
    if (timeoutMs === undefined || this.#state.options.toolSettings?.[name]?.timeoutMs !== undefined)
      return config;
    return { ...config, timeoutMs };
  }

  /** What stands beside the words is masked wherever they are. */
  maskOf(outcome: Outcome | undefined): BesideMask | undefined {
    const { redactor, masksSuccesses } = this.#state;
    if (redactor === undefined || outcome === undefined || (outcome.ok && !masksSuccesses)) return undefined;
    return (keys) => maskForeign(keys, (value) => redactor.json(value));
  }
}
