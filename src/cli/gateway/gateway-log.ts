import { type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import type { Logger } from "../../engine/observe/log-event.ts";
import type { LogForm } from "../choices.ts";
import type { CliIo } from "../cli-io.ts";
import { printable } from "../output/format-values.ts";
import { logLine, serverLine } from "./server-lines.ts";

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
