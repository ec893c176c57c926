import { retrieveNameFor, toolWord } from "../../../core/contract/retrieve-name.ts";
import type { ServerEntry } from "./config-text.ts";

/** How a wrapped entry starts the gateway: `program` with `args`, then what it stands in front of. */
export interface Launcher {
  /** The absolute path of Node. */
  readonly program: string;
  /** The absolute path of the command line, `gateway`, and its options. */
  readonly args: readonly string[];
}

/** Stands in every command that `wrap` writes, and only there: `unwrap` knows its own work by it. */
const WRAPPED_MARK = "--wrapped";

/** Where a wrapped entry keeps the headers for its server: not on a command line, which every user of a machine can read. */
export const HEADERS_VARIABLE = "WAYBILL_UPSTREAM_HEADERS";

/** What a wrapped entry runs behind the gateway. */
export type WrappedTarget =
  | {
      readonly kind: "command";
      /** How many arguments stand before the server's own program. */ readonly before: number;
    }
  | { readonly kind: "url"; readonly url: string };

/** The option that says which server a gateway stands in front of; its tool for what was cut is named after it. */
const NAME_OPTION = "--name";

/** The arguments in front of a server's own program. */
export function argsBeforeCommand({ args }: Launcher, name: string): string[] {
  return [...args, NAME_OPTION, name, WRAPPED_MARK, "--"];
}

export function argsForUrl({ args }: Launcher, name: string, url: string): string[] {
  return [...args, NAME_OPTION, name, WRAPPED_MARK, "--upstream", url];
}

/** What an older `wrap` left out of an entry's arguments, and where it belongs: before our mark. */
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

/** The name under which an entry runs through the gateway; undefined for one that has none there. */
function gatewayName({ launch }: ServerEntry): string | undefined {
  const args = textsOf(launch.get("args")?.value) ?? [];
  const end = args.indexOf(WRAPPED_MARK);
  return end === -1 ? undefined : ownName(args, end);
}

/** Longer names would be cut where they stand in front of a tool, and two of them could then be one. */
const MAX_NAME = 50;

/**
 * What each entry is called on its gateway's command line: its own name in the characters of tools. No two entries that
 * a client uses together have one name, since it may show the tools of all of them in one list.
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
export function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
}

/** What `wrap` made of an entry, read back from its arguments; undefined for one that it did not write. */
export function wrappedTarget({ launch }: ServerEntry): WrappedTarget | undefined {
  const args = textsOf(launch.get("args")?.value);
  if (args === undefined || !args.slice(0, 2).includes("gateway")) return undefined;
  const mark = args.indexOf(WRAPPED_MARK);
  const end = args.indexOf("--");
  if (mark === -1 || (end !== -1 && end < mark)) return undefined;
  if (end === mark + 1 && args.length > end + 1) return { kind: "command", before: end + 1 };
  const url = args[mark + 2];
  return args[mark + 1] === "--upstream" && url !== undefined ? { kind: "url", url } : undefined;
}

/** Whether an entry runs through the gateway because a person wrote it so: it is neither wrapped nor unwrapped. */
export function isBehindGateway({ launch, programKey }: ServerEntry): boolean {
  const program = launch.get(programKey)?.value;
  const args = textsOf(launch.get("args")?.value) ?? [];
  if (typeof program !== "string") return false;
  const at = args.indexOf("gateway");
  if (at === -1) return false;
  const words = [program, ...args.slice(0, at)].map((word) => word.replaceAll("\\", "/"));
  return words.some((word) =>
    /(^|\/)waybill(@[^/]*|\.cmd|\.exe)?$|\/waybill\/.*\.js$|\/cli\/main\.[jt]s$/.test(word),
  );
}
