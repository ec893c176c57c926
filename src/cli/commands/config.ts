import { describeConfig, describeToolConfig } from "../../engine/settings/describe-config.ts";
import { loadConfig } from "../../engine/settings/load-config.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import { didYouMean } from "../../core/text/did-you-mean.ts";
import { resolve } from "node:path";
import type { LoadedConfig } from "../../engine/settings/resolve-config.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import { fromContractError } from "../report-error.ts";
import { type CliIo, exitCodes } from "../cli-io.ts";
import { type GatewayView, describeGateway, gatewayToJson, viewGateway } from "../gateway/view-gateway.ts";
import type { Paint, CommandReport } from "../report.ts";
import { alignRows, printable } from "../output/format-values.ts";

export interface ConfigCommandOptions {
  readonly config?: string | undefined;
  readonly cwd?: string | undefined;
  readonly tool?: string | undefined;
}

/** Shows the settings in use and the origin of each. */
export async function config(options: ConfigCommandOptions, io: CliIo): Promise<CommandReport> {
  const cwd = resolve(io.cwd, options.cwd ?? ".");
  // A file named on the command line is relative to the working directory, not to --cwd.
  const configPath = options.config === undefined ? undefined : resolve(io.cwd, options.config);
  const loaded = await loadConfig({
    configPath,
    namedBy: "--config",
    cwd,
    home: io.env["HOME"],
    environment: io.env,
  });
  const { files } = loaded;
  const { tool } = options;
  const { view, problems } = tool === undefined ? tryView(loaded, io) : { view: undefined, problems: [] };
  const unnamed = noticeUnnamed(Object.keys(loaded.settings.tools), tool);
  const proposed = loaded.proposal === undefined ? [] : [loaded.proposal];
  const notices = [...loaded.notices, ...proposed, ...unnamed, ...problems];
  const settings = tool === undefined ? describeConfig(loaded) : describeToolConfig(loaded, tool);
  const rows = view === undefined ? [] : describeGateway(view, loaded);
  return {
    exitCode: exitCodes.fine,
    data: {
      ...(tool !== undefined && { tool }),
      settings,
      ...(view !== undefined && { gateway: gatewayToJson(view, rows) }),
      files,
      notices,
    } as unknown as JsonObject,
    text: (paint) =>
      [
        table(
          ["setting", "value", "source"],
          settings.map(({ setting, value, source, where }) => [
            setting,
            showValue(value),
            where === "" ? source : `${source}: ${where}`,
          ]),
          paint,
        ),
        ...(rows.length === 0
          ? []
          : [
              table(
                ["waybill gateway", "value", "source"],
                rows.map(({ setting, value, source }) => [setting, showValue(value), source]),
                paint,
              ),
            ]),
        table(
          ["status", "file", "looked for in"],
          files.map(({ status, path, origin }) => [status, path, origin]),
          paint,
        ),
        ...notices.map((notice) => `${paint.yellow("notice")} ${printable(notice)}`),
      ].join("\n\n"),
  };
}

/** Servers that cannot be used here, because a variable is not set, must not hide the rest. */
function tryView(
  loaded: LoadedConfig,
  io: CliIo,
): { readonly view: GatewayView | undefined; readonly problems: readonly string[] } {
  try {
    return { view: viewGateway(loaded, io), problems: [] };
  } catch (error) {
    const known = ContractError.isInstance(error) ? fromContractError(error) : undefined;
    if (known === undefined) throw error;
    return { view: undefined, problems: known.lines.map((line) => `waybill gateway: ${line}`) };
  }
}

/** A misspelt name would show the general settings as if they belonged to the tool. */
function noticeUnnamed(named: readonly string[], tool: string | undefined): readonly string[] {
  if (tool === undefined || named.includes(tool)) return [];
  const meant = didYouMean(tool, named);
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  return [`No configuration names the tool "${tool}", so these are the settings of every such tool.${hint}`];
}

function table(head: readonly string[], rows: readonly (readonly string[])[], paint: Paint): string {
  const [title = "", ...lines] = alignRows([head, ...rows]);
  return [paint.bold(title), ...lines].join("\n");
}

function showValue(value: JsonValue): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string"))
    return value.join(", ");
  return JSON.stringify(value);
}
