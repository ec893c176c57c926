// A server in one call: a contract, the MCP SDK's server objects, and a way to reach them. All of it can be done by
// hand with `createContract` and the SDK. Parts that only Node has are loaded when they are needed.

import { ContractError } from "../../core/contract/contract-error.ts";
import type { ConfigSource } from "../../engine/settings/contract-options.ts";
import { isDevelopment } from "../../engine/runtime/edge-runtime.ts";
import type { AnyTool } from "../../engine/settings/tool-definition.ts";
import { type Contract, createContract, stateOf } from "./create-contract.ts";
import {
  type ContractRest,
  type ServeOptions,
  type Served,
  checkServeOptions,
  contractOptionsOf,
  wantsStdio,
} from "./serve-options.ts";
import type { Reached, Sdk, ServeParts } from "./serve-parts.ts";
import { serverBuilder } from "./build-server.ts";
import { ServedTools } from "./serve-reload.ts";
import { type HttpWay, chooseWay } from "./serve-way.ts";
import { serveWatch } from "./serve-watch.ts";
import type { InstalledReaders } from "../../engine/digest/sources/installed-readers.ts";
import { packagesFor } from "../../engine/digest/sources/reader-packages.ts";
import { isDigestTool } from "./digest-tool.ts";
import { didYouMean } from "../../core/text/did-you-mean.ts";
import type { Log } from "../../engine/observe/log-event.ts";
import { lintTools } from "./lint-tools.ts";

async function loadSdk(): Promise<Sdk> {
  try {
    return await import("@modelcontextprotocol/server");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    const message = "serve: The MCP SDK is not installed. Run npm install @modelcontextprotocol/server.";
    throw new ContractError("INVALID_OPTION", message, {}, { cause });
  }
}

/** The configuration file that is found and followed, unless the code gives a source or refuses one. */
async function configOpener({
  config,
  dialect,
}: Pick<ServeOptions, "config" | "dialect">): Promise<() => ConfigSource | undefined> {
  if (config !== undefined) return () => (config === false ? undefined : config);
  const { followConfig } = await import("../../engine/settings/watch-config.ts");
  return () => followConfig({ followScalpel: dialect === undefined });
}

async function reach(way: HttpWay | undefined, sdk: Sdk, parts: ServeParts): Promise<Reached> {
  if (way === undefined) return (await import("./serve-stdio.ts")).openStdio(parts);
  return (await import("./serve-http.ts")).listenHttp(way, sdk, parts);
}

const nothing = (): Promise<void> => Promise.resolve();

/** If the contract is refused, the configuration file is no longer watched. */
function makeContract<const Tools extends readonly AnyTool[]>(
  rest: ContractRest<Tools>,
  config: ConfigSource | undefined,
): Contract<Tools> {
  if (config === undefined) return createContract(rest);
  try {
    return createContract({ ...rest, config });
  } catch (error) {
    if ("close" in config) void config.close();
    throw error;
  }
}

/**
 * Serves tools over stdio, or over HTTP with `{ http }`, `--http`, `PORT` or `WAYBILL_HTTP`.
 *
 * @example
 * await serve({ name: "tasks", version: "1.0.0", tools: [taskGet] });
 */
export async function serve<const Tools extends readonly AnyTool[]>(
  options: ServeOptions<Tools>,
): Promise<Served<Tools>> {
  try {
    return await start(options);
  } catch (error) {
    await tellUncaught(error);
    throw error;
  }
}

/** A runtime that imitates Node may fail to load this module; the original error is the one to report. */
async function tellUncaught(error: unknown): Promise<void> {
  if (!isNode()) return;
  await import("./serve-process.ts").then(
    ({ tellRefusal }) => tellRefusal(error),
    () => undefined,
  );
}

function isNode(): boolean {
  return globalThis.process?.versions?.node !== undefined;
}

async function start<const Tools extends readonly AnyTool[]>(
  options: ServeOptions<Tools>,
): Promise<Served<Tools>> {
  checkServeOptions(options);
  const rest = contractOptionsOf(options);
  const watch = serveWatch();
  if (watch?.called?.(options) === "hold")
    return { contract: createContract(rest), reload: nothing, close: nothing };
  if (!isNode())
    throw new ContractError(
      "INVALID_OPTION",
      "serve: This runtime is not Node. Use serveFetch of waybill/web here.",
    );
  const { argv, env: environment } = process;
  const args = argv.slice(2);
  const way = chooseWay(options, { args, environment });
  const [sdk, { runInProcess, reloadOnSignal }, openConfig] = await Promise.all([
    loadSdk(),
    import("./serve-process.ts"),
    configOpener(options),
  ]);
  const contract = makeContract(rest, openConfig());
  const { log } = stateOf(contract);
  if (!wantsStdio(options) && options.logLevel !== "silent")
    for (const sentence of strayWords(args)) process.stderr.write(`${sentence}\n`);
  if (contract.tools.some(isDigestTool)) void tellReaders(log);
  let reached: Reached | undefined;
  let reload: () => Promise<void>;
  let callOffLint: (() => void) | undefined;
  let stopReloading: (() => void) | undefined;
  let closing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    try {
      stopReloading?.();
      callOffLint?.();
      await reached?.close();
      await contract.close();
    } finally {
      release();
    }
  };
  const close = (): Promise<void> => (closing ??= closeAll());
  const release = runInProcess(close, log);
  try {
    const tools = new ServedTools(options, serverBuilder(options, contract, sdk));
    const parts = { options, contract, build: () => tools.server(), log, end: () => void close() };
    const reachedNow = await reach(way, sdk, parts);
    reached = reachedNow;
    reload = () => tools.reload((next) => reachedNow.reload(next), log);
  } catch (error) {
    await close();
    throw error;
  }
  // A stop during the start could not close a server that was not open yet.
  if (closing !== undefined) await reached.close();
  else if (isDevelopment()) callOffLint = lintSoon(contract, log);
  if (options.reload !== undefined && closing === undefined) stopReloading = reloadOnSignal(reload, log);
  const served: Served<Tools> = { contract, url: reached.url, reload, close };
  watch?.started?.(served);
  return served;
}

async function tellReaders(log: Log): Promise<void> {
  const { installedReaders } = await import("../../engine/digest/sources/installed-readers.ts");
  logReaders(log, installedReaders());
}

/** Says which kinds of documents the digest tool can read, before the first call finds out. */
export function logReaders(log: Log, readers: InstalledReaders | undefined): void {
  if (readers === undefined) return;
  const { present, missing } = readers;
  if (missing.length === 0) return log.info("digest-readers", { present });
  const hint = `The digest tool reads plain text without them. For these: npm i ${packagesFor(...missing).join(" ")}`;
  log.warn("digest-readers", { present, missing, hint });
}

const flags = ["http", "stdio"] as const;

/** Names that other programs use for this flag. They are not misspellings, so the edit distance does not find them. */
const otherNames: ReadonlySet<string> = new Set(["port", "http-port", "https"]);

/**
 * Warnings about words on the command line that look as if they were meant for `serve`, which does not read them. All
 * other flags belong to the program, and so does everything after `--`.
 */
export function strayWords(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  const words = (end === -1 ? args : args.slice(0, end)).filter((word) => word.startsWith("-"));
  const names = words.map((word) => word.replace(/=.*$/s, ""));
  const strays = names.flatMap((name) => {
    const bare = name.replace(/^--?/, "").toLowerCase();
    if (name === "--http" || name === "--stdio") return [];
    const meant = otherNames.has(bare) ? "http" : didYouMean(bare, flags);
    return meant === undefined ? [] : [`serve: ${name} is not read. Did you mean --${meant}?`];
  });
  const isBoth = flags.every((flag) => names.includes(`--${flag}`));
  const last = names.findLast((name) => name === "--http" || name === "--stdio");
  return isBoth ? [...strays, `serve: --http and --stdio are both given. The last counts: ${last}.`] : strays;
}

/** Clients that wait for their first answer are served first. */
const DELAY_MS = 1_000;

/** `waybill lint` shows more than this. */
const MAX_LINES = 20;

/** Logs lint findings, one line each. Advice has the level info, so it is not written by default. */
export async function logFindings(contract: Contract, log: Log): Promise<void> {
  try {
    const findings = await lintTools(contract.tools, { contract });
    const grave = findings.filter(({ severity }) => severity !== "info");
    for (const finding of grave.slice(0, MAX_LINES)) log.warn("tool-finding", { ...finding });
    const rest = grave.length - MAX_LINES;
    if (rest > 0) log.warn("tool-findings-more", { count: rest, hint: "waybill lint shows all of them." });
    for (const finding of findings) if (finding.severity === "info") log.info("tool-finding", { ...finding });
  } catch (error) {
    log.warn("tool-lint-failed", { err: error });
  }
}

/** Lints the tools one second after the start. Returns a function that cancels it. */
export function lintSoon(contract: Contract, log: Log): () => void {
  const timer = setTimeout(() => void logFindings(contract, log), DELAY_MS).unref();
  return () => clearTimeout(timer);
}
