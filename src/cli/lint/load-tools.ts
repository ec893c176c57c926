// The tools of a module: its exports, single, in lists or in a contract, and those that it gives to `serveFetch`, or to
// `serve`, which is kept from starting. No tool is called.

import { relative, resolve, sep } from "node:path";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import type { AnyTool } from "../../engine/settings/tool-definition.ts";
import type { Contract } from "../../doors/server/create-contract.ts";
import { type ServeOptions, contractOptionsOf } from "../../doors/server/serve-options.ts";
import { watchServe } from "../../doors/server/serve-watch.ts";
import { CliError, type CliIo } from "../cli-io.ts";
import { nodeArguments } from "../dev/node-arguments.ts";
import { pathToFileURL } from "node:url";
import { ContractError } from "../../core/contract/contract-error.ts";
import { printable } from "../output/format-values.ts";

/** The tools of some modules, and what they are judged with. */
export interface FoundTools {
  readonly tools: readonly AnyTool[];
  /** The contract of the tools, as far as the modules define it. */
  readonly contract: Contract | ContractOptions;
  /** The server's name and version, if a module calls `serve` or `serveFetch`. */
  readonly server: { readonly name: string; readonly version: string } | undefined;
}

/** A module may call `serve` some time after it was loaded, because it reads something first. */
const MAX_WAIT_MS = 1_000;
const POLL_MS = 20;

/** The tools of modules, each once. */
export async function loadTools(modules: readonly string[], io: CliIo): Promise<FoundTools> {
  const tools = new Set<AnyTool>();
  const served: ServeOptions[] = [];
  let contract: Contract | undefined;
  watchServe({
    called: (options) => {
      served.push(options);
      return "hold";
    },
  });
  try {
    for (const module of modules) {
      const before = served.length;
      const exported = await importTools(module, io);
      contract ??= exported.find(isContract);
      const own = exported.flatMap((value) => (isContract(value) ? value.tools : [value]));
      for (const tool of own) tools.add(tool);
      if (own.length === 0) await waitFor(() => served.length > before);
      const given = served.slice(before).flatMap((options) => options.tools);
      for (const tool of given) tools.add(tool);
      if (own.length + given.length === 0) throw withoutTools(module);
    }
  } finally {
    watchServe(undefined);
  }
  const [first] = served;
  return {
    tools: [...tools],
    contract: first === undefined ? (contract ?? {}) : await optionsOf(first, io),
    server: first === undefined ? undefined : { name: first.name, version: first.version },
  };
}

function withoutTools(module: string): CliError {
  return new CliError(`${module} has no tools.`, {
    errorCode: "NOT_FOUND",
    remediation:
      "Export what defineTool() returns, alone or in a list, or a contract made with { tools }, or call serve({ tools }) or serveFetch({ tools }).",
  });
}

/** The tools and contracts that a module exports. */
async function importTools(module: string, io: CliIo): Promise<readonly (AnyTool | Contract)[]> {
  const file = resolve(io.cwd, module);
  const [flag, loader = ""] = nodeArguments(file, io.cwd);
  // The project's own tsx; from here on it reads TypeScript.
  if (flag === "--import") await import(/* @vite-ignore */ loader);
  const exported = await importModule(file, relative(io.cwd, file) || module, {
    io,
    command: flag === "--import" ? "node --import tsx" : "node",
  });
  return Object.values(exported).flatMap((value) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.filter((one) => isTool(one) || isContract(one));
  });
}

function isTool(value: unknown): value is AnyTool {
  const { name, config, handler } = Object(value) as Readonly<Record<string, unknown>>;
  return typeof name === "string" && typeof config === "object" && typeof handler === "function";
}

function isContract(value: unknown): value is Contract {
  const { tools, server, onCall } = Object(value) as Readonly<Record<string, unknown>>;
  return Array.isArray(tools) && typeof server === "function" && typeof onCall === "function";
}

async function waitFor(isThere: () => boolean): Promise<void> {
  for (let waitedMs = 0; !isThere() && waitedMs < MAX_WAIT_MS; waitedMs += POLL_MS)
    await new Promise((done) => setTimeout(done, POLL_MS));
}

/** The options of the contract that `serve` would make, with the configuration that it would find. */
async function optionsOf(given: ServeOptions, { cwd, env }: CliIo): Promise<ContractOptions> {
  const { config } = given;
  const options = contractOptionsOf(given);
  if (config === false) return options;
  if (config !== undefined) return { ...options, config };
  const { loadConfig } = await import("../../engine/settings/load-config.ts");
  return { ...options, config: await loadConfig({ cwd, home: env["HOME"], environment: env }) };
}

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
async function importModule(
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
      remediation: "Name a module that exports its tools, or that calls serve() or serveFetch().",
    });
  };
  const toStderr = console.error.bind(console);
  Object.assign(console, { log: toStderr, info: toStderr, debug: toStderr });
  return () => {
    process.exit = exit;
    Object.assign(console, { log, info, debug });
  };
}
