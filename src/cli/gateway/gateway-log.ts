import { type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import type { Logger } from "../../engine/observe/log-event.ts";
import { type LogForm, logLine, serverLine } from "../early-server.ts";
import type { CliIo } from "../cli-io.ts";
import { printable, alignRows } from "../output/format-values.ts";
import type { GatewaySummary } from "../../doors/gateway/gateway-options.ts";

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
