import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { storeSeenFrom } from "../../engine/archive/open-store.ts";
import type { Launcher } from "../../doors/gateway/wrap/gateway-command.ts";
import { planWrap, selectServers, planUnwrap } from "../../doors/gateway/wrap/plan-change.ts";
import { CliError, type CliIo } from "../cli-io.ts";
import type { ToolChoiceOptions } from "./gateway.ts";
import { printable } from "../output/format-values.ts";
import type { CommandReport } from "../report.ts";
import {
  type ChangeOptions,
  changeConfigs,
  checkChoice,
  chooseConfigs,
  openRecords,
} from "../wrap/change-configs.ts";

export interface WrapCommandOptions extends ChangeOptions, ToolChoiceOptions {
  readonly status?: boolean | undefined;
  readonly measure?: boolean | undefined;
  readonly timeout?: number | undefined;
  readonly config?: string | undefined;
  readonly budget?: number | "off" | undefined;
  readonly profile?: string | undefined;
  readonly dialect?: string | undefined;
  readonly store?: string | undefined;
  readonly select?: boolean | undefined;
  readonly lean?: boolean | undefined;
  readonly untrusted?: boolean | undefined;
  readonly redactSuccesses?: boolean | undefined;
  /** One entry in place of many. */
  readonly merge?: boolean | undefined;
}

/** Puts the gateway in front of the servers of client configs, or shows their status. */
export async function wrap(
  file: string | undefined,
  options: WrapCommandOptions,
  io: CliIo,
): Promise<CommandReport> {
  if (options.status === true && options.measure === true) {
    throw new CliError("--status and --measure exclude each other.", { remediation: "Give one of them." });
  }
  if (options.status === true) {
    const { wrapStatus } = await import("../wrap/show-status.ts");
    return wrapStatus(file, io);
  }
  if (options.measure === true) {
    const { wrapMeasure } = await import("../wrap/show-costs.ts");
    return wrapMeasure(file, options, io);
  }
  checkChoice(file, options);
  const { merge = false } = options;
  if (merge && options.config !== undefined)
    throw new CliError("--merge writes a configuration of its own, so --config has no place beside it.");
  const launcher = launcherOf(await gatewayOptionsOf(options, io));
  const selection = selectServers(options.server);
  const records = openRecords(io);
  const planned = merge ? (await import("../../doors/gateway/wrap/plan-merge.ts")).planMerge : planWrap;
  const plan = (path: string) => planned(path, { launcher, selection, records });
  return changeConfigs(
    chooseConfigs(file, io),
    plan,
    "wrap",
    { ...options, isNamed: file !== undefined },
    io,
  );
}

/** The program that stands for each server while the options are checked: it is never started. */
const STAND_IN = [process.execPath];

/** The options as any folder sees them, once the gateway has checked them: what it refuses is not written. */
async function gatewayOptionsOf(options: WrapCommandOptions, io: CliIo): Promise<WrapCommandOptions> {
  const { config, store } = options;
  const { checkGatewayLine } = await import("./gateway.ts");
  checkGatewayLine(STAND_IN, options, io);
  return {
    ...options,
    config: config === undefined ? undefined : resolve(io.cwd, config),
    store: store === undefined ? undefined : storeSeenFrom(io.cwd, store),
  };
}

/**
 * This Node and this installation, by absolute paths: a client may lack PATH, and npx would load the newest version.
 */
function launcherOf(options: WrapCommandOptions): Launcher {
  const { config, budget, profile, dialect, store, select, lean, untrusted, redactSuccesses } = options;
  const main = mainFile();
  if (/[\\/]_npx[\\/]/.test(main)) {
    throw new CliError("Waybill runs from the cache of npx, which npm may clear at any time.", {
      remediation: "Install it first, as with `npm install -g waybill`; then run `waybill wrap`.",
    });
  }
  const settings = { config, budget, profile, dialect, store };
  const given = Object.entries(settings).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, String(value)],
  );
  const asked = { select, lean, untrusted, "redact-successes": redactSuccesses };
  const switches = Object.entries(asked).flatMap(([name, isOn]) => (isOn === true ? [`--${name}`] : []));
  return { program: process.execPath, args: [main, "gateway", ...given, ...switches, ...toolWords(options)] };
}

/** The options for tools as the gateway takes them. They are about the tools of one server. */
function toolWords({
  server,
  allowTool = [],
  hideTool = [],
  renameTool = {},
  describeTool = {},
}: WrapCommandOptions): string[] {
  const words = [
    ...allowTool.flatMap((name) => ["--allow-tool", name]),
    ...hideTool.flatMap((name) => ["--hide-tool", name]),
    ...Object.entries(renameTool).flatMap(([from, to]) => ["--rename-tool", `${from}=${to}`]),
    ...Object.entries(describeTool).flatMap(([name, text]) => ["--describe-tool", `${name}=${text}`]),
  ];
  if (words.length > 0 && server?.length !== 1)
    throw new CliError("Options for tools are about the tools of one server.", {
      remediation: "Name it with --server.",
    });
  return words;
}

/** The file of the command line, found by the package's name. */
function mainFile(): string {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve("waybill/package.json");
  const { bin } = require(manifest) as { readonly bin?: { readonly waybill?: string } };
  if (bin?.waybill === undefined) throw new Error(`${printable(manifest)} names no command`);
  return join(dirname(manifest), bin.waybill);
}

/** Removes the gateway from entries that `wrap` changed, and changes nothing else. */
export async function unwrap(
  file: string | undefined,
  options: ChangeOptions,
  io: CliIo,
): Promise<CommandReport> {
  checkChoice(file, options);
  const selection = selectServers(options.server);
  const records = openRecords(io);
  const plan = (path: string) => planUnwrap(path, { selection, records });
  return changeConfigs(
    chooseConfigs(file, io),
    plan,
    "unwrap",
    { ...options, isNamed: file !== undefined },
    io,
  );
}
