// The tools of a module: its exports, single, in lists or in a contract, and those that it gives to `serve`, which is
// kept from starting. No tool is called.

import { relative, resolve } from "node:path";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import type { AnyTool } from "../../engine/settings/tool-definition.ts";
import type { Contract } from "../../doors/server/create-contract.ts";
import type { ServeOptions } from "../../doors/server/serve-options.ts";
import { watchServe } from "../../doors/server/serve-watch.ts";
import { CliError } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import { nodeArguments } from "../dev/node-command.ts";
import { importModule } from "./import-module.ts";

/** The tools of some modules, and what they are judged with. */
export interface FoundTools {
  readonly tools: readonly AnyTool[];
  /** The contract of the tools, as far as the modules define it. */
  readonly contract: Contract | ContractOptions;
  /** The server's name and version, if a module calls `serve`. */
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
      "Export what defineTool() returns, alone or in a list, or a contract made with { tools }, or call serve({ tools }).",
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
  const { title: _t, instructions: _i, http: _h, stdio: _s, auth: _a, config, ...options } = given;
  if (config === false) return options;
  if (config !== undefined) return { ...options, config };
  const { loadConfig } = await import("../../engine/settings/load-config.ts");
  return { ...options, config: await loadConfig({ cwd, home: env["HOME"], environment: env }) };
}
