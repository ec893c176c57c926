import { type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import type { Logger } from "../../engine/observe/log-event.ts";
import { type LogForm, logLine, serverLine } from "../early-server.ts";
import { type CliIo, CliError, exitCodes } from "../cli-io.ts";
import { printable, alignRows } from "../output/format-values.ts";
import type { GatewaySummary } from "../../doors/gateway/gateway-options.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import { formatPath } from "../../core/options/explain-issues.ts";
import { remoteKindOf } from "../../engine/archive/remote-address.ts";
import { ArchiveError } from "../../engine/archive/archive-store.ts";

/** Everything that a gateway writes to stderr, in one format: lines for people, or JSON for programs. */
export interface GatewayLog {
  /** A message for the person who started the gateway; `text` is the line for people. */
  readonly say: (event: string, text: string, fields?: object) => void;
  readonly server: (upstream: string, line: string) => void;
  /** Receives the events of the engine; undefined if the engine's own JSON lines are used. */
  readonly logger: Logger | undefined;
}

const INFO = 30;

/** A value in a line for people; for an error, its message. */
function showValue(value: JsonValue): string {
  const said = isJsonObject(value) && typeof value["message"] === "string" ? value["message"] : value;
  if (typeof said === "string" && /^[^\s"=]+$/.test(said)) return printable(said);
  return printable(JSON.stringify(said));
}

/** `event: key=value …`; the fields are already JSON, without secrets. */
function plainEvent(event: string, fields: object): string {
  const said = Object.entries(fields as Record<string, JsonValue>).map(
    ([key, value]) => `${key}=${showValue(value)}`,
  );
  return said.length === 0 ? event : `${event}: ${said.join(" ")}`;
}

export function gatewayLog(form: LogForm, { stderr }: Pick<CliIo, "stderr">): GatewayLog {
  const server: GatewayLog["server"] = (upstream, line) =>
    void stderr.write(serverLine(form, upstream, line));
  if (form === "json")
    return {
      say: (event, text, fields = {}) => void stderr.write(logLine(INFO, event, { text, ...fields })),
      server,
      logger: undefined,
    };
  const write = (fields: object, event: string): void =>
    void stderr.write(`waybill: ${plainEvent(event, fields)}\n`);
  return {
    say: (_event, text) => void stderr.write(`waybill: ${printable(text)}\n`),
    server,
    logger: { debug: write, info: write, warn: write, error: write },
  };
}

const grouped = (amount: number): string => amount.toLocaleString("en-US");

/** What a gateway saved, as a small table; estimated figures are marked. */
export function printSummary(summary: GatewaySummary): string[] {
  const { calls, tokensIn, tokensOut, isEstimated, cuts, retrievals, errorsRepaired } = summary;
  const about = isEstimated ? "≈ " : "";
  const saved = tokensIn === 0 ? 0 : Math.round((100 * (tokensIn - tokensOut)) / tokensIn);
  const change = saved >= 0 ? `${saved} % less` : `${-saved} % more`;
  return alignRows([
    ["calls", grouped(calls)],
    ["tokens from the server", about + grouped(tokensIn)],
    ["tokens to the client", `${about + grouped(tokensOut)} (${change})`],
    ["results cut", grouped(cuts)],
    ["retrievals", grouped(retrievals)],
    ["errors repaired", grouped(errorsRepaired)],
  ]);
}

// Why a gateway does not start, in words for the person who started it. These errors are expected: a port in use, a
// store that is a file.

interface ListenError extends Error {
  readonly code: string;
  readonly port?: number;
  readonly address?: string;
  readonly hostname?: string;
}

function isListenError(error: unknown): error is ListenError {
  return (
    error instanceof Error && "syscall" in error && typeof (error as Partial<ListenError>).code === "string"
  );
}

function choosePort(isDashboard: boolean): string {
  return `or choose another port with ${isDashboard ? "--dashboard" : "--http"}; 0 takes a free one.`;
}
const correctHost = "Correct `http.host` in the configuration: 127.0.0.1 is this machine alone.";

function fromListenError(
  { code, port, address, hostname }: ListenError,
  isDashboard: boolean,
): CliError | undefined {
  const options = { exitCode: exitCodes.violated, errorCode: "OPERATION_FAILED" } as const;
  const place = `port ${port} of ${address}`;
  if (code === "EADDRINUSE")
    return new CliError(`Something else listens on ${place} already.`, {
      ...options,
      remediation: `Stop it, ${choosePort(isDashboard)}`,
    });
  if (code === "EACCES")
    return new CliError(`This user may not listen on ${place}.`, {
      ...options,
      remediation: `Take a port above 1023, ${choosePort(isDashboard)}`,
    });
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return new CliError(`This machine has no address ${address ?? hostname}.`, {
      ...options,
      remediation: correctHost,
    });
  return undefined;
}

/** A part of an option's error, and the word on the command line that replaces it. */
export type TypedWord = readonly [says: string, typed: string];

interface TypedLine {
  readonly upstream?: string | undefined;
  readonly header?: Readonly<Record<string, string>> | undefined;
  readonly name?: string | undefined;
  readonly store?: string | undefined;
}

/** The command-line words for the parts of a named upstream. */
export function typedWords({ upstream, header = {}, name, store }: TypedLine, called: string): TypedWord[] {
  const at = (...path: readonly string[]): string => `"${formatPath(["upstreams", called, ...path])}"`;
  return [
    ...Object.keys(header).map((each): TypedWord => [at("headers", each), `--header "${each}"`]),
    ...(upstream === undefined ? [] : [[at("url"), "--upstream"] as const]),
    ...(name === undefined ? [] : [[`"upstreams.${called}"`, `--name "${called}"`] as const]),
    [at("command"), "The command behind --"],
    ...(store === undefined ? [] : [['"store"', "--store"] as const]),
  ];
}

function inTypedWords(text: string, words: readonly TypedWord[]): string {
  return words.reduce((said, [says, typed]) => said.replaceAll(says, () => typed), text);
}

/** All problems, one line each; a single problem is the message itself. */
function fromOptions({ message, details }: ContractError, words: readonly TypedWord[]): CliError {
  const problems = Array.isArray(details["problems"]) ? details["problems"].filter(isJsonObject) : [];
  const [first = message.replace(/^create\w+: /, ""), ...others] = problems.flatMap(({ message: said }) =>
    typeof said === "string" ? [said] : [],
  );
  return new CliError(inTypedWords(first, words), {
    details,
    lines: others.map((other) => inTypedWords(other, words)),
  });
}

/**
 * Wrong options come from words on the command line or in its configuration: the message uses the words that were
 * typed. Any other error is returned unchanged.
 */
export function explainStart(
  error: unknown,
  words: readonly TypedWord[] = [],
  dashboardPort?: number,
): unknown {
  if (ContractError.isInstance(error) && error.code === "INVALID_OPTION") return fromOptions(error, words);
  if (!isListenError(error)) return error;
  return fromListenError(error, error.port !== undefined && error.port === dashboardPort) ?? error;
}

// Checks at the start whether a store behind a network is available. Otherwise only the first cut result would show it, and by
// then no person reads the log.

/** A tenant without entries: the store looks it up like any other, so the probe uses the same access as later reads. */
const PROBE_TENANT = "waybill:start";
const PROBE_HASH = "0".repeat(64);

async function probe(address: string): Promise<void> {
  const { openStore } = await import("../../engine/archive/open-store.ts");
  const store = await openStore(address);
  try {
    await store.has(PROBE_TENANT, PROBE_HASH);
  } finally {
    await store.close();
  }
}

/** Why a store in Redis or PostgreSQL cannot be used now, in one line without its password; undefined otherwise. */
export async function remoteProblem(store: string | undefined): Promise<string | undefined> {
  if (store === undefined || remoteKindOf(store) === undefined) return undefined;
  try {
    await probe(store.trim());
    return undefined;
  } catch (error) {
    const isKnown = ArchiveError.isInstance(error) || ContractError.isInstance(error);
    const [line = ""] = (isKnown ? error.message : "The store failed for a reason that is not known.").split(
      "\n",
    );
    return `${line} The gateway goes on, but what it cuts cannot be kept until then.`;
  }
}
