import type { Outcome } from "../../core/contract/outcome.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import { parseArchiveReference } from "../../core/contract/wire-names.ts";
import type { CallRequest } from "../request/call-request.ts";
import type { CalledTool, ToolRun } from "../call/called-tool.ts";
import type { ContractOptions } from "../settings/contract-options.ts";
import type { ContractState } from "../call/contract-state.ts";
import { identifyCall } from "../call/open-call.ts";
import type { MaybePromise } from "../settings/tool-context.ts";
import type { ToolConfig } from "../settings/tool-definition.ts";
import { isForTheClient } from "../call/unanswered.ts";
import { isTooDeep } from "../../core/json/find-non-json.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import type { Arrival } from "../../core/pipeline/parcel.ts";
import { maskForeign } from "../../core/pipeline/shape/mask-parcel.ts";
import type { Redactor } from "../../core/text/redact/redact-secrets.ts";
import { notOurs } from "./call-faults.ts";
import type { BesideMask } from "./foreign-result.ts";
import type { ListedTool } from "./shown-lists.ts";
import type { UpstreamMemory } from "./upstream-memory.ts";

/** How the calls of one connection reach their server. */
export interface CallOptions {
  /** The timeout of tools that have none of their own. */
  readonly callTimeoutMs?: number | undefined;
  /** The server runs in another process, so errors thrown by its tools are not visible here. */
  readonly isRemote?: boolean | undefined;
  /** Tools of the server that are hidden from all clients. */
  readonly hide?: readonly string[] | undefined;
}

/** The tools of an upstream server, as the engine calls them. */
export class ForeignTools {
  readonly #state: ContractState;
  readonly #memory: UpstreamMemory;
  readonly #options: CallOptions;
  readonly #identity: ContractOptions;

  constructor(state: ContractState, memory: UpstreamMemory, options: CallOptions) {
    this.#state = state;
    this.#memory = memory;
    this.#options = options;
    // The call gets its id later; a call of `requestIds` here would use one up.
    this.#identity = { ...state.options, requestIds: () => "" };
  }

  /** An author's own function may throw; then the engine refuses the call. */
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
      schemas: listed.schemas,
      listedSchema: listed.listedSchema,
      isUnlisted: listed.isUnlisted,
      canBeAsked: listed.canBeAsked,
      readsDocuments: listed.readsDocuments,
      serverName: this.#memory.serverName,
      isRemote: this.#options.isRemote,
      retrieveName: this.#memory.retrieveName(tenant ?? ""),
      refusal,
      // The server validates its arguments itself.
      parse: (_state, args) => args,
      run: (_state, _args, facts) => run(facts),
    };
  }

  /** The config with the timeout of every call, unless the tool has its own. */
  #inTime({ name, config }: ListedTool): ToolConfig {
    const { callTimeoutMs: timeoutMs } = this.#options;
    if (timeoutMs === undefined || this.#state.options.toolSettings?.[name]?.timeoutMs !== undefined)
      return config;
    return { ...config, timeoutMs };
  }

  maskOf(outcome: Outcome | undefined): BesideMask | undefined {
    return besideMask(this.#state, outcome);
  }

  /** A response that is passed on, with the secrets in its error masked. */
  maskError(response: JsonObject): JsonObject {
    const { error } = response;
    const { redactor } = this.#state;
    if (redactor === undefined || !isJsonObject(error)) return response;
    const masked = maskedError(error, redactor);
    return masked === error ? response : { ...response, error: masked };
  }
}

/** The same object if it contains no secret, so that it can be sent as the bytes that came. */
function maskedError(error: JsonObject, redactor: Redactor): JsonObject {
  const { data, ...words } = error;
  // A URL that the client must open may contain a secret and does not work without it.
  const isKept = data === undefined || isForTheClient(error);
  // Data that is nested too deep cannot be searched for secrets, so it is left out.
  const isLeftOut = !isKept && isTooDeep(data);
  const said = redactor.json(isKept || isLeftOut ? words : error);
  if (said.count === 0 && !isLeftOut) return error;
  return isKept && data !== undefined ? { ...said.value, data } : said.value;
}

/** Masks the keys beside a result's texts whenever the texts are masked. */
export function besideMask(
  { redactor, masksSuccesses }: Pick<ContractState, "redactor" | "masksSuccesses">,
  outcome: Outcome | undefined,
): BesideMask | undefined {
  if (redactor === undefined || outcome === undefined || (outcome.ok && !masksSuccesses)) return undefined;
  return (keys) => maskForeign(keys, (value) => redactor.json(value));
}

type Forward = (run: ToolRun) => Promise<Arrival>;

/**
 * Archives that the server announced are requested from the server. Content that is not kept here may be kept
 * by an upstream Waybill.
 */
export function routed(
  ours: CalledTool,
  forward: Forward | undefined,
  isTheirs: (hash: string) => boolean,
): CalledTool {
  const here = forward === undefined ? ours : firstHere(ours, forward);
  return {
    ...here,
    run: (state, args, run) => {
      const archive = isJsonObject(args) ? args["archive"] : undefined;
      const hash = typeof archive === "string" ? parseArchiveReference(archive) : undefined;
      if (hash === undefined || !isTheirs(hash)) return here.run(state, args, run);
      if (forward === undefined) throw notOurs();
      return forward(run);
    },
  };
}

function firstHere(ours: CalledTool, forward: Forward): CalledTool {
  return {
    ...ours,
    run: async (state, args, run) => {
      try {
        return await ours.run(state, args, run);
      } catch (error) {
        const isNamed = isJsonObject(args) && args["archive"] !== undefined;
        const isMissing = ToolFault.isInstance(error) && error.code === "NOT_FOUND";
        if (isNamed && !isMissing) throw error;
        return forward(run);
      }
    },
  };
}
