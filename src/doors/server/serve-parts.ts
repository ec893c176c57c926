import type { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import type { Log } from "../../engine/observe/log-event.ts";
import type { Contract } from "./create-contract.ts";
import type { ServeOptions } from "./serve-options.ts";

/** A connection or a listener. */
export interface Reached {
  readonly url?: string | undefined;
  close(): Promise<void>;
}

/** What both ways of being reached need. */
export interface ServeParts {
  readonly options: ServeOptions;
  readonly contract: Contract;
  /** A server object of the SDK, its tools under the contract. */
  readonly build: () => McpServer;
  readonly log: Log;
  /** Closes everything, after the client has gone. */
  readonly end: () => void;
}

/** What is used of the MCP SDK. */
export interface Sdk {
  readonly McpServer: typeof McpServer;
  readonly createMcpHandler: typeof createMcpHandler;
}
