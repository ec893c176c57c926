import { relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { ContractError } from "../../core/contract/contract-error.ts";
import { CliError } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import { printable } from "../output/format-values.ts";

const MAX_LOAD_MS = 30_000;

/** A module that a contract refuses: the message is about the author's tools. */
export class RefusedTools extends CliError {
  readonly reason: ContractError;

  constructor(shown: string, reason: ContractError) {
    super(`${shown} cannot be loaded: ${printable(reason.message)}`, { errorCode: "VALIDATION_ERROR" });
    this.reason = reason;
  }
}

/**
 * Imports a module and returns its exports. Every failure becomes one sentence: it throws, it ends the process, or it
 * never ends. Its output goes to stderr, since stdout has the report.
 */
export async function importModule(
  file: string,
  shown: string,
  { io, command }: { readonly io: Pick<CliIo, "cwd" | "env">; readonly command: string },
): Promise<Readonly<Record<string, unknown>>> {
  const restore = guardProcess(shown);
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new CliError(`${shown} was not loaded within ${MAX_LOAD_MS / 1_000} seconds.`)),
      MAX_LOAD_MS,
    );
  });
  try {
    return await Promise.race([
      import(/* @vite-ignore */ pathToFileURL(file).href) as Promise<Readonly<Record<string, unknown>>>,
      tooLong,
    ]);
  } catch (error) {
    throw explain(error, shown, command, io);
  } finally {
    clearTimeout(timer);
    restore();
  }
}

function explain(
  error: unknown,
  shown: string,
  command: string,
  { cwd, env }: Pick<CliIo, "cwd" | "env">,
): CliError {
  if (error instanceof CliError) return error;
  if (ContractError.isInstance(error) && error.code === "INVALID_OPTION")
    return new RefusedTools(shown, error);
  const line = withPlace(error, cwd);
  const stack = env["WAYBILL_DEBUG"] === "1" && error instanceof Error ? (error.stack ?? "").split("\n") : [];
  return new CliError(`${shown} cannot be loaded: ${printable(line)}`, {
    remediation: `Run it by itself to see more: ${command} ${shown}`,
    lines: stack.map(printable),
  });
}

/** The first line of an error's message, with its location if that is in the project. */
function withPlace(error: unknown, cwd: string): string {
  if (!(error instanceof Error)) return String(error).split("\n", 1).join();
  const [first = "", second = ""] = error.message.split("\n");
  const near = (text: string): string => text.replaceAll(`${cwd}${sep}`, "");
  // If a compiler's first line only counts the mistakes, the second line has the first mistake with its location.
  if (error.name === "TransformError" && second !== "") return near(second);
  const place = placeIn(error.stack ?? "", cwd);
  return near(`${error.name}: ${first}${place === undefined ? "" : ` (${place})`}`);
}

/** The first line of a stack that is in the project: a frame, or the head that Node writes above a syntax error. */
function placeIn(stack: string, cwd: string): string | undefined {
  for (const line of stack.split("\n")) {
    const [, url, path = "", at] =
      /^(?:\s+at .*?)?(file:\/\/)?(\/[^():]+|[A-Za-z]:[\\/][^():]+)((?::\d+){1,2})\)?$/.exec(line) ?? [];
    const file = url === undefined ? path : decodeURI(path);
    const own = relative(cwd, file);
    if (at !== undefined && !own.startsWith("..") && !own.includes("node_modules")) return `${own}${at}`;
  }
  return undefined;
}

/** A module that ends the process would end the command silently, and with its own exit code. */
function guardProcess(shown: string): () => void {
  const exit = Reflect.get(process, "exit");
  const { log, info, debug } = console;
  process.exit = (code) => {
    throw new CliError(`${shown} ends the process while it is loaded, with exit code ${code ?? 0}.`, {
      remediation: "Name a module that exports its tools, or that calls serve().",
    });
  };
  const toStderr = console.error.bind(console);
  Object.assign(console, { log: toStderr, info: toStderr, debug: toStderr });
  return () => {
    process.exit = exit;
    Object.assign(console, { log, info, debug });
  };
}
