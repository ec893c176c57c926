import { advertiseInput } from "../advertise/input-schema.ts";
import { advertiseOutput } from "../advertise/envelope-schema.ts";
import { withoutRequired } from "../advertise/without-required.ts";
import { ContractError } from "../contract/contract-error.ts";
import type { JsonObject } from "../json/json-value.ts";
import { fromSdkContext, isModern } from "./call-request.ts";
import type { ContractState } from "./contract-state.ts";
import { runCall } from "./run-call.ts";
import { serverTool } from "./server-tool.ts";
import { type StandardSchema, jsonSchemaOf, openSchema } from "./standard-schema.ts";
import { suggestTools } from "./suggest-tools.ts";
import type { AnyTool, ToolConfig, ToolDefinition, ToolHandler } from "./tool-definition.ts";

/** What Waybill uses of an SDK v2 `McpServer`. */
export interface McpServerLike {
  registerTool(name: string, config: never, handler: never): unknown;
  readonly server?: unknown;
}

/** What a server object can do once its tools are under a contract. */
export interface ContractTools<Server> {
  /** Adds tools made by `defineTool`. */
  add(...tools: readonly AnyTool[]): ContractServer<Server>;
  /** The SDK's own `registerTool`; the handler returns plain data, and throws faults. */
  registerTool<
    Input extends StandardSchema | undefined = undefined,
    Output extends StandardSchema | undefined = undefined,
  >(
    name: string,
    config: ToolConfig<Input, Output>,
    handler: ToolHandler<Input>,
  ): unknown;
  /** Adds the `server` tool: capabilities, and negotiation of dialect and profile by a model. */
  addServerTool(): ContractServer<Server>;
}

/** The same server object, its tools under the contract. */
export type ContractServer<Server> = ContractTools<Server> & Server;

type Register = (
  name: string,
  config: object,
  handler: (args: unknown, context: unknown) => Promise<unknown>,
) => unknown;

const emptyInput: JsonObject = { type: "object", properties: {} };

/** What `tools/list` says: the SDK's own fields, and schemas that hold for every answer this tool can give. */
function advertise({ options, effective }: ContractState, { name, config }: ToolDefinition): object {
  const { title, description, annotations, icons, _meta } = config;
  const input = advertiseInput(jsonSchemaOf(config.inputSchema, "input") ?? emptyInput, {
    waybillArgument: config.waybillArgument ?? options.waybillArgument ?? false,
  });
  const isText = (options.delivery ?? effective.settings.delivery) === "text";
  const whole = jsonSchemaOf(config.outputSchema, "output");
  const asksForFields = config.waybillArgument ?? options.waybillArgument ?? false;
  const mayLack = asksForFields || effective.isFiltered(name);
  const own = whole !== undefined && mayLack ? withoutRequired(whole) : whole;
  const output = isText
    ? undefined
    : advertiseOutput(own, { dialects: effective.advertisedDialectsOf(name, config) });
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(icons === undefined ? {} : { icons }),
    ...(_meta === undefined ? {} : { _meta }),
    inputSchema: openSchema(input),
    ...(output === undefined ? {} : { outputSchema: openSchema(output) }),
  };
}

function clientCapabilities(mcp: McpServerLike): unknown {
  const inner = mcp.server as { getClientCapabilities?: () => unknown } | undefined;
  return inner?.getClientCapabilities?.();
}

function assertMcpServer(mcp: unknown): void {
  if (typeof (mcp as Partial<McpServerLike> | undefined)?.registerTool === "function") return;
  throw new ContractError(
    "INVALID_OPTION",
    "contract.server() takes an McpServer of the MCP SDK v2: for other server objects use attachContract().",
  );
}

const contractOf = new WeakMap<object, ContractState>();

/** True when the server is under this contract already; registering through two would wrap every result twice. */
function isUnder(mcp: object, state: ContractState): boolean {
  const known = contractOf.get(mcp) ?? state;
  if (known === state) return contractOf.has(mcp);
  throw new ContractError(
    "INVALID_OPTION",
    "This server object is under another contract already: make one contract, or one server object for each.",
  );
}

/** Puts the tools that are registered from now on under the contract, and gives the server object back. */
export function contractServer<Server extends McpServerLike>(
  mcp: Server,
  state: ContractState,
): ContractServer<Server> {
  assertMcpServer(mcp);
  if (isUnder(mcp, state)) return mcp as ContractServer<Server>;
  contractOf.set(mcp, state);
  const sdkRegister = mcp.registerTool.bind(mcp) as unknown as Register;
  const names = new Set<string>();

  const register = (tool: ToolDefinition): unknown => {
    names.add(tool.name);
    return sdkRegister(tool.name, advertise(state, tool), (args, context) => {
      const request = fromSdkContext(context, clientCapabilities(mcp));
      const negotiated = isModern(context) ? undefined : state.sticky.get(mcp, request.sessionId);
      return runCall(state, tool, args, { ...request, negotiated });
    });
  };

  const server = mcp as ContractServer<Server>;
  const tools: ContractTools<Server> = {
    add: (...added) => {
      for (const tool of added) register(tool as unknown as ToolDefinition);
      return server;
    },
    registerTool: (name, config, handler) => register({ name, config, handler }),
    addServerTool: () => {
      register(serverTool(state, mcp));
      return server;
    },
  };
  suggestTools(mcp, () => [...names]);
  return Object.assign(mcp, tools);
}
