import type { DialectId } from "../../core/contract/dialect-id.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { Link } from "../../engine/transport/link.ts";
import type { ServerRecord } from "../../core/rules/server-record.ts";
import type { CheckReport } from "./report/check-report.ts";

/** A server that is started for the check, and spoken to over its stdin and stdout. */
export interface CommandTarget {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Variables beside the user's own; they win. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** False: of the user's environment only what a program needs to start, as behind the gateway. Default: true. */
  readonly inheritEnv?: boolean | undefined;
  readonly cwd?: string | undefined;
}

/** A server that runs already, over Streamable HTTP. */
export interface UrlTarget {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A server in memory: each call of `link` connects to it anew. For tests. */
export interface LinkTarget {
  readonly link: () => Link;
  /** What reports call it. Default: "in memory". */
  readonly name?: string | undefined;
}

export type CheckTarget = CommandTarget | UrlTarget | LinkTarget;

/** Which era of the protocol is spoken; `auto` takes the modern one where the server knows it. */
export const eraChoices = ["auto", "legacy", "modern"] as const;
export type EraChoice = (typeof eraChoices)[number];

/** What is being done, for whoever waits. */
export interface CheckProgress {
  readonly phase: "connect" | "list" | "probe" | "judge";
  /** The tool that is being called, in phase `probe`. */
  readonly tool?: string | undefined;
  /** Steps of this phase that are done, of how many that are planned. */
  readonly done: number;
  readonly planned: number;
  readonly elapsedMs: number;
}

/** Every limit of a check; what reaches one is recorded, and the check goes on. */
export interface CheckLimits {
  /** How long the server may take until it has answered the greeting. Default: 30,000. */
  readonly startMs?: number | undefined;
  /** How long any other request may take. Default: 10,000. */
  readonly callMs?: number | undefined;
  /** How long the whole check may take; what is left of the plan then is not done. Default: 300,000. */
  readonly totalMs?: number | undefined;
  /** The longest answer that is read, in bytes. Default: 33,554,432 (32 MiB). */
  readonly maxMessageBytes?: number | undefined;
  /** How many pages of one list are asked for. Default: 50. */
  readonly listPages?: number | undefined;
  /** How many tools are called. Default: 200. */
  readonly tools?: number | undefined;
  /** How many calls each tool gets, besides those that make a finding smaller. Default: 12. */
  readonly callsPerTool?: number | undefined;
  /** How often the server is started again after it ended. Default: 5. */
  readonly restarts?: number | undefined;
}

export interface CheckOptions {
  /** Default: auto. */
  readonly era?: EraChoice | undefined;
  /** Calls every tool, also those that may change something. Default: false, only those that say they are read-only. */
  readonly all?: boolean | undefined;
  /** Calls nothing: judges the greeting, the list and the definitions. Default: false. */
  readonly definitionsOnly?: boolean | undefined;
  /** Calls only these tools. Default: all that may be called. */
  readonly only?: readonly string[] | undefined;
  /** Arguments by tool; each entry of a list is one call. Tools that are named here are called, read-only or not. */
  readonly args?: Readonly<Record<string, JsonObject | readonly JsonObject[]>> | undefined;
  /** For generated arguments. Default: 1. */
  readonly seed?: number | undefined;
  /** The dialect that results must be in. Default: what each result shows, plain MCP where it shows none. */
  readonly dialect?: DialectId | undefined;
  readonly limits?: CheckLimits | undefined;
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
  /** Hears each line that a started server writes to stderr, its secrets masked. Default: nobody. */
  readonly onStderr?: ((line: string) => void) | undefined;
  /** Ends the check early: what is known by then is judged. */
  readonly signal?: AbortSignal | undefined;
}

/** A check with what was seen, for what needs more than the report: the snapshot, the policy. Secrets are masked in both. */
export interface CheckRun {
  readonly report: CheckReport;
  readonly record: ServerRecord;
}
