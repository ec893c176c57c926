import type { DialectId } from "../../core/contract/dialect-id.ts";
import type { ServerTransport } from "../../core/protocol/names.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { Link } from "../../engine/transport/link.ts";
import type { ServerRecord } from "../../core/rules/server-record.ts";
import type { CheckReport } from "./report/check-report.ts";

/** A server that the check starts, and speaks to over its stdin and stdout. */
export interface CommandTarget {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Variables added to the user's environment; they override it. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** False: the server gets only what a program needs to start, as behind the gateway. Default: true. */
  readonly inheritEnv?: boolean | undefined;
  readonly cwd?: string | undefined;
}

/** A running server, over Streamable HTTP. */
export interface UrlTarget {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default: "auto", Streamable HTTP, or HTTP+SSE of 2024 with a server that refuses the greeting over it. */
  readonly transport?: ServerTransport | undefined;
}

/** A server in memory: each call of `link` opens a new connection. For tests. */
export interface LinkTarget {
  readonly link: () => Link;
  /** The server's name in reports. Default: "in memory". */
  readonly name?: string | undefined;
}

export type CheckTarget = CommandTarget | UrlTarget | LinkTarget;

/** The era of the protocol; `auto` uses the modern era if the server knows it. */
export const eraChoices = ["auto", "legacy", "modern"] as const;
export type EraChoice = (typeof eraChoices)[number];

/** The current step, to show while the check runs. */
export interface CheckProgress {
  readonly phase: "connect" | "list" | "probe" | "judge";
  /** The tool being called, in phase `probe`. */
  readonly tool?: string | undefined;
  /** How many planned steps of this phase are done. */
  readonly done: number;
  readonly planned: number;
  readonly elapsedMs: number;
}

/** Every limit of a check; reaching a limit is recorded, and the check continues. */
export interface CheckLimits {
  /** How long the server may take to answer the greeting. Default: 30,000. */
  readonly startMs?: number | undefined;
  /** How long any other request may take. Default: 10,000. */
  readonly callMs?: number | undefined;
  /** How long the whole check may take; the rest of the plan is then skipped. Default: 300,000. */
  readonly totalMs?: number | undefined;
  /** The longest answer that is read, in bytes. Default: 33,554,432 (32 MiB). */
  readonly maxMessageBytes?: number | undefined;
  /** How many pages of one list are requested. Default: 50. */
  readonly listPages?: number | undefined;
  /** How many tools are called. Default: 200. */
  readonly tools?: number | undefined;
  /** How many calls each tool gets, not counting calls that shrink a finding. Default: 12. */
  readonly callsPerTool?: number | undefined;
  /** How often the server is restarted after it has ended. Default: 5. */
  readonly restarts?: number | undefined;
}

export interface CheckOptions {
  /** Default: auto. */
  readonly era?: EraChoice | undefined;
  /** Calls every tool, even if it may change something. Default: false, only tools that declare to be read-only. */
  readonly all?: boolean | undefined;
  /** Calls no tool: judges the greeting, the list and the definitions. Default: false. */
  readonly definitionsOnly?: boolean | undefined;
  /** Calls only these tools. Default: all tools that may be called. */
  readonly only?: readonly string[] | undefined;
  /** Arguments by tool; each entry of a list is one call. A tool named here is called, read-only or not. */
  readonly args?: Readonly<Record<string, JsonObject | readonly JsonObject[]>> | undefined;
  /** For generated arguments. Default: 1. */
  readonly seed?: number | undefined;
  /** The dialect that results must use. Default: the dialect each result shows, or plain MCP if it shows none. */
  readonly dialect?: DialectId | undefined;
  readonly limits?: CheckLimits | undefined;
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
  /** Receives each line that a started server writes to stderr, with secrets masked. Default: none. */
  readonly onStderr?: ((line: string) => void) | undefined;
  /** Ends the check early: what is known so far is judged. */
  readonly signal?: AbortSignal | undefined;
}

/** A check with its record, which the snapshot and the policy need besides the report. Secrets are masked in both. */
export interface CheckRun {
  readonly report: CheckReport;
  readonly record: ServerRecord;
}
