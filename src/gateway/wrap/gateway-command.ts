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

/** The arguments in front of a server's own program. */
export function argsBeforeCommand({ args }: Launcher): string[] {
  return [...args, WRAPPED_MARK, "--"];
}

export function argsForUrl({ args }: Launcher, url: string): string[] {
  return [...args, WRAPPED_MARK, "--upstream", url];
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
