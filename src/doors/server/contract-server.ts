import { ContractError } from "../../core/contract/contract-error.ts";
import { type LegacyClient, fromSdkContext, isModern } from "../../engine/request/call-request.ts";
import { calledTool } from "../../engine/call/called-tool.ts";
import type { ContractState } from "../../engine/call/contract-state.ts";
import type { DeclaredFaults, NoFaults, StrictFaults } from "../../engine/settings/declared-faults.ts";
import { checkFreeName, checkIsTool, checkNames, checkTool } from "../../engine/settings/check-tool.ts";
import { acceptingOf, advertiseOwn, canArchiveResults } from "../../engine/call/advertise-tool.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { MessageSession } from "../../engine/session/message-session.ts";
import { hookTransport, hookedServer } from "./hook-transport.ts";
import { retrieveTool } from "../../engine/call/retrieve-tool.ts";
import { answerCall } from "../../engine/call/run-call.ts";
import { checkNoServerTool, serverTool } from "../../engine/call/server-tool.ts";
import type { StandardSchema } from "../../engine/settings/standard-schema.ts";
import type { Checked, HandlerResult } from "../../engine/settings/handler-result.ts";
import type {
  AnyTool,
  ToolConfig,
  ToolDefinition,
  WrittenHandler,
} from "../../engine/settings/tool-definition.ts";

/** What Waybill uses of an SDK v2 `McpServer`. */
export interface McpServerLike {
  registerTool(name: string, config: never, handler: never): unknown;
  readonly server?: unknown;
}

/** What a server object can do once its tools are under a contract. */
export interface ContractTools<Server> {
  /** Adds tools made by `defineTool`. */
  add(...tools: readonly AnyTool[]): ContractServer<Server>;
  /**
   * Puts these tools in the place of all that were added, also while clients are connected, who are told that the list
   * changed. Running calls end as they began.
   */
  replace(...tools: readonly AnyTool[]): ContractServer<Server>;
  /** The SDK's own `registerTool`; the handler returns plain data and throws faults. */
  registerTool<
    Input extends StandardSchema | undefined = undefined,
    Output extends StandardSchema | undefined = undefined,
    const Result extends HandlerResult<Output> = HandlerResult<Output>,
    const Errors extends DeclaredFaults = NoFaults,
    const Paging extends boolean = false,
    const Waybill extends boolean = false,
  >(
    name: string,
    config: ToolConfig<Input, Output, Errors> & {
      readonly errors?: StrictFaults<Errors>;
      readonly paging?: Paging;
      readonly waybillArgument?: Waybill | undefined;
    },
    handler: Checked<Output, Paging, Result> & WrittenHandler<Input, Result, Errors, Paging | Waybill>,
  ): unknown;
  /** Adds the `server` tool: it shows capabilities and lets a model negotiate dialect and profile. */
  addServerTool(): ContractServer<Server>;
}

/** The same server object with its tools under the contract. */
export type ContractServer<Server> = ContractTools<Server> & Server;

/** What the SDK gives for a tool that it registered. */
interface RegisteredTool {
  remove(): void;
}

type Register = (
  name: string,
  config: object,
  handler: (args: unknown, context: unknown) => unknown,
) => RegisteredTool;

/** What the SDK knows of a tool. The session adds the output schema when a list is sent. */
function registration(state: ContractState, tool: ToolDefinition): object {
  const { title, description, annotations, icons, _meta } = tool.config;
  const { inputSchema = emptySchema } = advertiseOwn(state, tool);
  return { title, description, annotations, icons, _meta, inputSchema: acceptingOf(inputSchema) };
}

const emptySchema: JsonObject = { type: "object", properties: {} };

function definitionsIn(owner: string, tools: readonly AnyTool[]): readonly ToolDefinition[] {
  for (const [index, tool] of tools.entries()) checkIsTool(owner, ["tools", index], tool);
  return tools as unknown as readonly ToolDefinition[];
}

function assertMcpServer(mcp: unknown): void {
  if (typeof (mcp as Partial<McpServerLike> | undefined)?.registerTool === "function") return;
  throw new ContractError(
    "INVALID_OPTION",
    "contract.server() takes an McpServer of the MCP SDK v2: for other server objects use attachContract().",
  );
}

/**
 * Puts the tools that are registered from now on under the contract, adds those that are given, and returns the server
 * object.
 */
export function contractServer<Server extends McpServerLike>(
  mcp: Server,
  state: ContractState,
  given: readonly AnyTool[] = state.options.tools ?? [],
): ContractServer<Server> {
  assertMcpServer(mcp);
  const known = hookedServer(mcp);
  if (known?.contract === state && known.own !== undefined) return mcp as ContractServer<Server>;
  const sdkRegister = mcp.registerTool.bind(mcp) as unknown as Register;
  const own = new Map<string, ToolDefinition>();
  /** The tools of `add`, which `replace` may take away. */
  const added = new Map<ToolDefinition, RegisteredTool>();

  const register = (tool: ToolDefinition): RegisteredTool => {
    // A tool registered by hand never went through defineTool.
    checkTool(tool.name, tool.config, tool.handler);
    checkFreeName(tool.name, state.retrieveName);
    if (isServerToolOn) checkNoServerTool(`Tool ${tool.name}`, [tool.name]);
    checkNames(state, `Tool ${tool.name}`, tool.config);
    offerArchive(tool);
    return registerOne(tool);
  };

  const registerOne = (tool: ToolDefinition): RegisteredTool => {
    own.set(tool.name, tool);
    const called = calledTool(state, tool);
    return sdkRegister(tool.name, registration(state, tool), async (args, context) => {
      const request = fromSdkContext(
        context,
        mcp.server as LegacyClient | undefined,
        state.options.trustProxy,
      );
      const negotiated = isModern(context) ? undefined : state.kept.choices?.get(mcp, request.sessionId);
      const asked = negotiated === undefined ? request : { ...request, negotiated };
      const { result } = await answerCall(state, called, args, asked);
      return result;
    });
  };

  let isServerToolOn = false;
  /** Whether the server already offers the tool that gives back what was cut from results. */
  let isOffered = false;
  const offerArchive = (tool: ToolDefinition): void => {
    if (isOffered || !canArchiveResults(state, tool)) return;
    isOffered = true;
    registerOne(retrieveTool(state));
  };

  const server = mcp as ContractServer<Server>;
  const tools: ContractTools<Server> = {
    add: (...more) => {
      for (const tool of definitionsIn("add", more)) added.set(tool, register(tool));
      return server;
    },
    replace: (...next) => {
      const wanted = definitionsIn("replace", next);
      for (const [tool, registered] of added) {
        if (wanted.includes(tool)) continue;
        registered.remove();
        own.delete(tool.name);
        added.delete(tool);
      }
      for (const tool of wanted) if (!added.has(tool)) added.set(tool, register(tool));
      return server;
    },
    registerTool: (name, config, handler) =>
      register({ name, config, handler } as AnyTool as unknown as ToolDefinition),
    addServerTool: () => {
      if (isServerToolOn) return server;
      checkNoServerTool("addServerTool", [...own.keys()]);
      isServerToolOn = true;
      registerOne(serverTool(state, mcp));
      return server;
    },
  };
  hookTransport(mcp, state, (ports) => new MessageSession(state, ports, { own })).own = own;
  Object.assign(mcp, tools);
  server.add(...given);
  return state.effective.serverTool ? server.addServerTool() : server;
}
