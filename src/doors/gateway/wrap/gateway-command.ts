import { type ServerTransport, serverTransports } from "../../../core/protocol/names.ts";
import { retrieveNameFor, toolWord } from "../../../core/contract/wire-names.ts";
import type { ServerEntry } from "./config-text.ts";

/** How a wrapped entry starts the gateway: `program` with `args`, then the server's own command or URL. */
export interface Launcher {
  /** The absolute path of Node. */
  readonly program: string;
  /** The absolute path of the command line, `gateway`, and its options. */
  readonly args: readonly string[];
}

/** Part of every command that `wrap` writes, and of no other: `unwrap` recognises wrapped entries by it. */
const WRAPPED_MARK = "--wrapped";

/** Holds the headers for the server of a wrapped entry: a command line could be read by every user of the machine. */
export const HEADERS_VARIABLE = "WAYBILL_UPSTREAM_HEADERS";

/** What a wrapped entry runs behind the gateway. */
export type WrappedTarget =
  | {
      readonly kind: "command";
      /** How many arguments precede the server's own program. */ readonly before: number;
    }
  | { readonly kind: "url"; readonly url: string }
  /** Several servers, which a configuration of the gateway's own names. */
  | { readonly kind: "merged"; readonly config: string };

/** The option with the name of the gateway's server; the gateway's retrieval tool is named after it. */
const NAME_OPTION = "--name";
const TRANSPORT_OPTION = "--transport";

const CONFIG_OPTION = "--config";

/** The arguments before a server's own program. */
export function argsBeforeCommand({ args }: Launcher, name: string): string[] {
  return [...args, NAME_OPTION, name, WRAPPED_MARK, "--"];
}

/** `transport`: what the entry says of the server; undefined if the gateway is to find out. */
export function argsForUrl(
  { args }: Launcher,
  name: string,
  url: string,
  transport?: ServerTransport,
): string[] {
  const said = transport === undefined ? [] : [TRANSPORT_OPTION, transport];
  return [...args, NAME_OPTION, name, ...said, WRAPPED_MARK, "--upstream", url];
}

/** What a wrapped entry says of its server's transport. */
export function wrappedTransport({ launch }: ServerEntry): ServerTransport | undefined {
  const args = textList(launch.get("args")?.value) ?? [];
  const at = args.slice(0, args.indexOf(WRAPPED_MARK)).indexOf(TRANSPORT_OPTION);
  return at === -1 ? undefined : serverTransports.find((one) => one === args[at + 1]);
}

/** The arguments of a gateway in front of the servers of a configuration. */
export function mergedArgs({ args }: Launcher, config: string): string[] {
  return [...args, CONFIG_OPTION, config, WRAPPED_MARK];
}

/** The name option that an older `wrap` left out of an entry's arguments, and where it belongs: before our mark. */
export function missingName(
  args: readonly string[],
  name: string,
): { readonly at: number; readonly words: readonly string[] } | undefined {
  const at = args.indexOf(WRAPPED_MARK);
  return at === -1 || ownName(args, at) !== undefined ? undefined : { at, words: [NAME_OPTION, name] };
}

function ownName(args: readonly string[], end: number): string | undefined {
  const own = args.slice(0, end);
  const at = own.indexOf(NAME_OPTION);
  return at === -1
    ? own.find((word) => word.startsWith(`${NAME_OPTION}=`))?.slice(NAME_OPTION.length + 1)
    : own[at + 1];
}

/** The name that an entry has on its gateway's command line; undefined if it has none. */
function gatewayName({ launch }: ServerEntry): string | undefined {
  const args = textList(launch.get("args")?.value) ?? [];
  const end = args.indexOf(WRAPPED_MARK);
  return end === -1 ? undefined : ownName(args, end);
}

/** Longer names would be cut in front of a tool's name, and two of them could become equal. */
const MAX_NAME = 50;

/**
 * The name of each entry on its gateway's command line: its own name in characters allowed for tools. Entries that a
 * client uses together have different names, since the client may show all their tools in one list.
 */
export function namesFor(entries: readonly ServerEntry[]): ReadonlyMap<ServerEntry, string> {
  const names = new Map(
    entries.flatMap((entry) => {
      const name = gatewayName(entry);
      return name === undefined ? [] : [[entry, name] as const];
    }),
  );
  const taken = [...names].map(([{ project }, name]) => ({ project, tool: retrieveNameFor(name) }));
  for (const entry of entries) {
    if (names.has(entry)) continue;
    const { project } = entry;
    const isTaken = (name: string): boolean =>
      taken.some(
        (other) =>
          other.tool === retrieveNameFor(name) &&
          (other.project === project || other.project === undefined || project === undefined),
      );
    const word = (toolWord(entry.name)?.replace(/^[_-]+/, "") || "server").slice(0, MAX_NAME);
    let name = word;
    for (let number = 2; isTaken(name); number++) {
      const ending = `_${number}`;
      name = word.slice(0, MAX_NAME - ending.length) + ending;
    }
    taken.push({ project, tool: retrieveNameFor(name) });
    names.set(entry, name);
  }
  return names;
}

/** A list of texts, or undefined for anything else. */
export function textList(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
}

/** What `wrap` made of an entry, read back from its arguments; undefined if `wrap` did not write it. */
export function wrappedTarget({ launch }: ServerEntry): WrappedTarget | undefined {
  const args = textList(launch.get("args")?.value);
  if (args === undefined || !args.slice(0, 2).includes("gateway")) return undefined;
  const mark = args.indexOf(WRAPPED_MARK);
  const end = args.indexOf("--");
  if (mark === -1 || (end !== -1 && end < mark)) return undefined;
  if (end === mark + 1 && args.length > end + 1) return { kind: "command", before: end + 1 };
  const url = args[mark + 2];
  const config = args[mark - 1];
  if (mark === args.length - 1 && args[mark - 2] === CONFIG_OPTION && config !== undefined)
    return { kind: "merged", config };
  return args[mark + 1] === "--upstream" && url !== undefined ? { kind: "url", url } : undefined;
}

/** Whether a person put the entry behind the gateway by hand: it is neither wrapped nor unwrapped. */
export function isBehindGateway({ launch, programKey }: ServerEntry): boolean {
  const program = launch.get(programKey)?.value;
  const args = textList(launch.get("args")?.value) ?? [];
  if (typeof program !== "string") return false;
  const at = args.indexOf("gateway");
  if (at === -1) return false;
  const words = [program, ...args.slice(0, at)].map((word) => word.replaceAll("\\", "/"));
  return words.some((word) =>
    /(^|\/)waybill(@[^/]*|\.cmd|\.exe)?$|\/waybill\/.*\.js$|\/cli\/main\.[jt]s$/.test(word),
  );
}
