// The SDK's server objects of one `serve`: what they say of themselves, its tools under the contract, and what the author
// registers beside them.

import { TOOLS_CHANGED } from "../../core/protocol/names.ts";
import type { McpServer } from "@modelcontextprotocol/server";
import { ContractError } from "../../core/contract/contract-error.ts";
import type { AnyTool } from "../../engine/settings/tool-definition.ts";
import { type ContractServer, contractServer } from "./contract-server.ts";
import { type Contract, stateOf } from "./create-contract.ts";
import type { ServeOptions } from "./serve-options.ts";
import type { Sdk } from "./serve-parts.ts";

export type BuiltServer = ContractServer<McpServer>;

/** How a server object with these tools is built. */
export type BuildServer = (tools: readonly AnyTool[]) => BuiltServer;

/** A promise would be answered after the server is connected, when it is too late to say what the server has. */
function refusePromise(given: unknown): void {
  if (typeof (given as Partial<PromiseLike<unknown>> | undefined)?.then !== "function") return;
  // What it rejects with is of no interest any more.
  void Promise.resolve(given).catch(() => undefined);
  throw new ContractError(
    "INVALID_OPTION",
    '"register" is async. Read what it needs before the server starts, and register it without await.',
    { option: "register" },
  );
}

/** What a server says of itself and has beside its tools. */
export type ServerAbout = Pick<
  ServeOptions,
  | "name"
  | "version"
  | "title"
  | "icons"
  | "websiteUrl"
  | "instructions"
  | "register"
  | "requestState"
  | "logging"
  | "reload"
>;

export function serverBuilder(
  options: ServerAbout,
  contract: Contract,
  sdk: Pick<Sdk, "McpServer">,
): BuildServer {
  const { name, version, title, icons, websiteUrl, instructions, register, requestState, logging } = options;
  const info = {
    name,
    version,
    ...(title === undefined ? {} : { title }),
    ...(icons === undefined ? {} : { icons: icons as never }),
    ...(websiteUrl === undefined ? {} : { websiteUrl }),
  };
  const settings = {
    // Without `reload` the tools do not change after the start.
    capabilities: {
      tools: { listChanged: options.reload !== undefined },
      ...(logging === true ? { logging: {} } : {}),
    },
    // A reload adds and removes several tools at once: clients are told once.
    debouncedNotificationMethods: [TOOLS_CHANGED],
    ...(instructions === undefined ? {} : { instructions }),
    ...(requestState === undefined ? {} : { requestState: requestState as never }),
  };
  const state = stateOf(contract);
  return (tools) => {
    const server = contractServer(new sdk.McpServer(info, settings), state, tools);
    refusePromise(register?.(server));
    return server;
  };
}
