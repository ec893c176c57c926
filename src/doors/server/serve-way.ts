// How a server is reached: stdio, or HTTP and its address. The order is that of every setting: the command line, then
// the environment, then code. A configuration file that was only found may not open a port, and `http` in a named file
// belongs to the gateway.

import { ContractError } from "../../core/contract/contract-error.ts";
import { type HttpServeOptions, type ServeOptions, wantsStdio } from "./serve-options.ts";

/** Everything needed to listen. */
export interface HttpWay {
  readonly port: number;
  readonly host: string;
  readonly path: string;
  readonly allowedHosts: readonly string[] | undefined;
  readonly allowedOrigins: readonly string[] | undefined;
}

/** What one layer says about HTTP; undefined if the layer does not mention it. */
interface Voice {
  readonly isOn: boolean;
  readonly port?: number | undefined;
  readonly host?: string | undefined;
}

const DEFAULT_PORT = 3000;
const MAX_PORT = 65_535;

/** `8080`, `0.0.0.0:8080`, `[::1]:8080`. */
function readAddress(given: string): Pick<Voice, "port" | "host"> | undefined {
  const [, host, digits = ""] = /^(?:([^\s:]+|\[[0-9A-Fa-f:.]+\]):)?(\d{1,5})$/.exec(given) ?? [];
  const port = Number(digits);
  return digits === "" || port > MAX_PORT ? undefined : { port, host };
}

const orAddress = ", or an address and a port such as 0.0.0.0:8080";

function refuse(place: string, given: string, more = ""): never {
  const message = `serve: ${place} is ${JSON.stringify(given)}. Write a port from 0 to ${MAX_PORT}${more}.`;
  throw new ContractError("INVALID_OPTION", message, { option: place });
}

/** `--http`, `--http 8080`, `--http=8080`, `--stdio`; the last one counts. Arguments after `--` are not ours. */
function fromCommandLine(args: readonly string[]): Voice | undefined {
  const end = args.indexOf("--");
  const words = end === -1 ? args : args.slice(0, end);
  const at = words.findLastIndex(
    (word) => word === "--stdio" || word === "--http" || word.startsWith("--http="),
  );
  const word = words[at];
  if (word === undefined) return undefined;
  if (word === "--stdio") return { isOn: false };
  const next = words[at + 1];
  const value = word.startsWith("--http=") ? word.slice("--http=".length) : next;
  if (value === undefined || (word === "--http" && value.startsWith("-"))) return { isOn: true };
  return { isOn: true, ...(readAddress(value) ?? refuse("--http", value, orAddress)) };
}

const switches: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["on", true],
  ["false", false],
  ["off", false],
]);

function fromVariable(given: string | undefined): Voice | undefined {
  const value = given?.trim().toLowerCase() ?? "";
  if (value === "") return undefined;
  const isOn = switches.get(value);
  if (isOn !== undefined) return { isOn };
  return {
    isOn: true,
    ...(readAddress(value) ?? refuse("WAYBILL_HTTP", value, `${orAddress}, or true or false`)),
  };
}

/** The variable that hosting platforms set. */
function fromPort(given: string | undefined): Voice | undefined {
  const value = given?.trim() ?? "";
  if (value === "") return undefined;
  const { port, host } = readAddress(value) ?? refuse("PORT", value);
  return host === undefined ? { isOn: true, port } : refuse("PORT", value);
}

function fromCode(http: ServeOptions["http"]): (Voice & HttpServeOptions) | undefined {
  if (http === undefined) return undefined;
  if (typeof http === "boolean") return { isOn: http };
  return typeof http === "number" ? { isOn: true, port: http } : { isOn: true, ...http };
}

/** Where a program gets settings besides its code. */
export interface ServeSurroundings {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Where to listen; undefined means stdio. With `stdio` in code nothing else is read. */
export function chooseWay(
  code: Pick<ServeOptions, "http" | "stdio">,
  { args, environment }: ServeSurroundings,
): HttpWay | undefined {
  if (wantsStdio(code)) return undefined;
  const voice = fromCode(code.http);
  const layers = [
    fromCommandLine(args),
    fromVariable(environment["WAYBILL_HTTP"]),
    fromPort(environment["PORT"]),
    voice,
  ];
  const isOn = layers.find((layer) => layer !== undefined)?.isOn ?? false;
  if (!isOn) return undefined;
  return {
    port: layers.find((layer) => layer?.port !== undefined)?.port ?? DEFAULT_PORT,
    host: layers.find((layer) => layer?.host !== undefined)?.host ?? "127.0.0.1",
    path: voice?.path ?? "/mcp",
    allowedHosts: voice?.allowedHosts,
    allowedOrigins: voice?.allowedOrigins,
  };
}
