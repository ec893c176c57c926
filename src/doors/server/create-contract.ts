import { checkContract, checkContractOptions } from "../../engine/call/check-options.ts";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import { type ContractServer, type McpServerLike, contractServer } from "./contract-server.ts";
import { type ContractState, createState } from "../../engine/call/contract-state.ts";
import { withPeer } from "../../engine/request/call-request.ts";
import { listenToScope } from "../../engine/call/call-scope.ts";
import type { AnyTool } from "../../engine/settings/tool-definition.ts";
import type { CallListener } from "../../engine/observe/call-facts.ts";

const states = new WeakMap<object, ContractState>();

/** One contract for any number of server objects: it owns limits, keys, breakers, caches and configuration. */
export interface Contract<Tools extends readonly AnyTool[] = readonly AnyTool[]> {
  readonly options: ContractOptions;
  /** The tools of the contract; `ToolsOf<typeof contract>` of `waybill/client` derives a client's types from them. */
  readonly tools: Tools;
  /** Puts a server's tools under this contract. */
  server<Server extends McpServerLike>(mcp: Server): ContractServer<Server>;
  /**
   * Runs the handling of one HTTP request for the address it came from, so that callers without sign-in are limited one
   * by one. Only the HTTP server knows the address:
   * `contract.withPeer(req.socket.remoteAddress, () => handle(req, res))`.
   */
  withPeer<Value>(address: string | undefined, run: () => Value): Value;
  /**
   * Tells a listener about every call behind this contract, through any door: start, stages, trouble and end. Returns a
   * function that removes the listener.
   */
  onCall(listener: CallListener): () => void;
  /** Stops watching configuration, and closes the store if the contract opened it. */
  close(): Promise<void>;
}

/**
 * The contract of a server. Make it once, outside the factory that builds server objects.
 *
 * @example
 * const contract = createContract({ name: "workshop" });
 * createMcpHandler(() => contract.server(new McpServer(info)).add(taskQuery));
 */
export function createContract<const Tools extends readonly AnyTool[] = readonly AnyTool[]>(
  options: ContractOptions & { readonly tools?: Tools } = {},
): Contract<Tools> {
  checkContractOptions(options);
  listenToScope();
  const state = createState(options);
  checkContract(state);
  const contract: Contract<Tools> = Object.freeze({
    options,
    // Without the option the type says "some tools", and the list may be empty.
    tools: Object.freeze([...(options.tools ?? [])]) as readonly AnyTool[] as Tools,
    server: <Server extends McpServerLike>(mcp: Server) => contractServer(mcp, state),
    withPeer,
    onCall: (listener: CallListener) => state.events.listen(listener),
    close: async () => {
      const { config } = options;
      await state.archive.close();
      if (config !== undefined && "close" in config) await config.close();
    },
  });
  states.set(contract, state);
  return contract;
}

export function isContract(value: Contract | ContractOptions): value is Contract {
  return states.has(value);
}

/** The state behind a contract, or of a new contract made from options. */
export function stateOf(contract: Contract | ContractOptions): ContractState {
  const known = states.get(contract);
  if (known !== undefined) return known;
  return stateOf(createContract(contract as ContractOptions));
}

/** Short form of `contract.server(mcp)`, with a contract or its options. */
export function withContract<Server extends McpServerLike>(
  mcp: Server,
  contract: Contract | ContractOptions = {},
): ContractServer<Server> {
  return (isContract(contract) ? contract : createContract(contract)).server(mcp);
}
