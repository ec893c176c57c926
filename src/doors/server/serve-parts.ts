import type { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import type { Log } from "../../engine/observe/log-event.ts";
import type { AnyTool } from "../../engine/settings/tool-definition.ts";
import type { BuiltServer } from "./build-server.ts";
import type { Contract } from "./create-contract.ts";
import type { ServeOptions } from "./serve-options.ts";

/** A connection or a listener. */
export interface Reached {
  readonly url?: string | undefined;
  /** Serves these tools from now on, and tells clients that listen. Throws, and changes nothing, where it cannot. */
  reload(tools: readonly AnyTool[]): void;
  close(): Promise<void>;
}

/** What both stdio and HTTP need. */
export interface ServeParts {
  readonly options: ServeOptions;
  readonly contract: Contract;
  /** Builds a server object of the SDK with its tools under the contract. */
  readonly build: () => BuiltServer;
  readonly log: Log;
  /** Closes everything, after the client has gone. */
  readonly end: () => void;
}

/** The parts of the MCP SDK that are used. */
export interface Sdk {
  readonly McpServer: typeof McpServer;
  readonly createMcpHandler: typeof createMcpHandler;
}

/** How long running calls may continue after a server is asked to stop. */
export const STOP_GRACE_MS = 10_000;
