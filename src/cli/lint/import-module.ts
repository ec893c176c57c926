import { ContractError } from "../../contract/contract-error.ts";
import { CliError } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import { printable } from "../output/format-values.ts";

const MAX_LOAD_MS = 30_000;

/** A module that a contract refuses: what it says is about the author's tools. */
export class RefusedTools extends CliError {
  readonly reason: ContractError;

  constructor(shown: string, reason: ContractError) {
    super(`${shown} cannot be loaded: ${printable(reason.message)}`, { errorCode: "VALIDATION_ERROR" });
    this.reason = reason;
  }
}

/**
 * What a module exports. Whatever it does while it is loaded becomes one sentence: it throws, it ends the process, it
 * never comes to an end. What it prints goes to stderr, since stdout has the report.
 */
export async function importModule(
  url: string,
  shown: string,
  { env }: Pick<CliIo, "env">,
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
      import(/* @vite-ignore */ url) as Promise<Readonly<Record<string, unknown>>>,
      tooLong,
    ]);
  } catch (error) {
    throw explain(error, shown, env);
  } finally {
    clearTimeout(timer);
    restore();
  }
}

function explain(error: unknown, shown: string, env: CliIo["env"]): CliError {
  if (error instanceof CliError) return error;
  if (ContractError.isInstance(error) && error.code === "INVALID_OPTION")
    return new RefusedTools(shown, error);
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const [line = ""] = said.split("\n");
  const stack = env["WAYBILL_DEBUG"] === "1" && error instanceof Error ? (error.stack ?? "").split("\n") : [];
  return new CliError(`${shown} cannot be loaded: ${printable(line)}`, {
    remediation: `Run it by itself to see where: node ${shown}`,
    lines: stack.map(printable),
  });
}

/** A module that ends the process would end the command without a word, and with its own exit code. */
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
