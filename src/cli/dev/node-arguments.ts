// How Node starts a module: JavaScript directly; TypeScript with the project's own tsx, or by Node itself if it can.

import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { CliError } from "../cli-io.ts";

const typeScript: ReadonlySet<string> = new Set([".ts", ".mts", ".cts", ".tsx"]);
const javaScript: ReadonlySet<string> = new Set([".js", ".mjs", ".cjs"]);

/** The loader of the tsx installed beside the module, or undefined. */
function tsxBeside(module: string): string | undefined {
  try {
    return pathToFileURL(createRequire(module).resolve("tsx")).href;
  } catch {
    return undefined;
  }
}

/** Node from 22.18 on runs TypeScript itself. */
function readsTypeScript(): boolean {
  const { typescript } = process.features as { readonly typescript?: string | false };
  return typescript !== undefined && typescript !== false;
}

function refuseUnstartable(module: string, cwd: string): void {
  const shown = relative(cwd, module) || module;
  const found = statSync(module, { throwIfNoEntry: false });
  if (found === undefined) throw new CliError(`There is no file ${shown}.`, { errorCode: "NOT_FOUND" });
  if (!found.isFile())
    throw new CliError(`${shown} is not a file.`, { remediation: "Name the file that starts the server." });
  if (!typeScript.has(extname(module)) && !javaScript.has(extname(module)))
    throw new CliError(`${shown} is neither JavaScript nor TypeScript.`, {
      remediation: `Name a file that ends in ${[...typeScript, ...javaScript].join(", ")}.`,
    });
}

/** The arguments of `node` that start this module; throws if it cannot be started. */
export function nodeArguments(module: string, cwd: string): readonly string[] {
  refuseUnstartable(module, cwd);
  // JavaScript may be compiled: with its source maps, stacks lead to the file that its author edits.
  if (!typeScript.has(extname(module))) return ["--enable-source-maps", module];
  const loader = tsxBeside(module);
  if (loader !== undefined) return ["--import", loader, module];
  if (readsTypeScript()) return [module];
  throw new CliError(`Node ${process.versions.node} cannot read TypeScript by itself.`, {
    remediation: "Run `npm install tsx` in the project, or use Node 22.18 or newer.",
  });
}

// What a server under development prints if it cannot start because of its code or settings: one sentence. Node would
// print the line of our source that threw the error, and a stack trace into our code.

/** Runs in the server's process before its module, so it is text; it does not affect any other error. */
const program = `
process.on("uncaughtExceptionMonitor", (error) => {
  if (typeof error !== "object" || error === null || !(Symbol.for("waybill.ContractError") in error)) return;
  if (process.listenerCount("uncaughtException") > 0 || process.hasUncaughtExceptionCaptureCallback()) return;
  process.stderr.write(error.message + "\\n");
  process.exit(1);
});
`;

/** The arguments after `node` that reduce an error of a contract to one sentence. */
export const sentenceAlone = ["--import", `data:text/javascript,${encodeURIComponent(program)}`] as const;
