import { checkContract, checkContractOptions } from "../../engine/call/check-options.ts";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import { type ContractServer, type McpServerLike, contractServer } from "./contract-server.ts";
import { type ContractState, createState } from "../../engine/call/contract-state.ts";
import { withPeer } from "../../engine/request/call-request.ts";
import { listenToScope } from "../../engine/call/call-scope.ts";
import type { AnyTool } from "../../engine/settings/tool-definition.ts";
import type { CallListener } from "../../engine/observe/call-facts.ts";

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
  return new OpenContract<Tools>(options, state);
}

/** The methods are fields, so that they can be taken off the contract. */
class OpenContract<Tools extends readonly AnyTool[]> implements Contract<Tools> {
  readonly options: ContractOptions;
  readonly tools: Tools;
  readonly withPeer = withPeer;
  readonly #state: ContractState;

  constructor(options: ContractOptions, state: ContractState) {
    this.options = options;
    // Without the option the type says "some tools", and the list may be empty.
    this.tools = Object.freeze([...(options.tools ?? [])]) as Tools;
    this.#state = state;
    Object.freeze(this);
  }

  static stateOf(value: unknown): ContractState | undefined {
    return typeof value === "object" && value !== null && #state in value ? value.#state : undefined;
  }

  readonly server = <Server extends McpServerLike>(mcp: Server): ContractServer<Server> =>
    contractServer(mcp, this.#state);

  readonly onCall = (listener: CallListener): (() => void) => this.#state.events.listen(listener);

  readonly close = async (): Promise<void> => {
    const { config } = this.options;
    await this.#state.archive.close();
    if (config !== undefined && "close" in config) await config.close();
  };
}

export function isContract(value: Contract | ContractOptions): value is Contract {
  return OpenContract.stateOf(value) !== undefined;
}

/** The state behind a contract, or of a new contract made from options. */
export function stateOf(contract: Contract | ContractOptions): ContractState {
  return OpenContract.stateOf(contract) ?? stateOf(createContract(contract as ContractOptions));
}

/** Short form of `contract.server(mcp)`, with a contract or its options. */
export function withContract<Server extends McpServerLike>(
  mcp: Server,
  contract: Contract | ContractOptions = {},
): ContractServer<Server> {
  return (isContract(contract) ? contract : createContract(contract)).server(mcp);
}
