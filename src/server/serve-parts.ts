import type { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import type { AnyTool } from "../engine/tool-definition.ts";
import type { Log } from "../observe/log-event.ts";
import type { Contract } from "./create-contract.ts";
import type { ServeOptions } from "./serve-options.ts";

/** A server that runs. */
export interface Served<Tools extends readonly AnyTool[] = readonly AnyTool[]> {
  readonly contract: Contract<Tools>;
  /** Where clients send their requests; undefined over stdio. */
  readonly url?: string | undefined;
  /** Takes no more calls, lets those that run end within 10 seconds, then closes the contract. */
  readonly close: () => Promise<void>;
}

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
