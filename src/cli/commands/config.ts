import { describeConfig, describeToolConfig } from "../../config/describe-config.ts";
import { loadConfig } from "../../config/load-config.ts";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import { resolve } from "node:path";
import type { CliIo } from "../cli-io.ts";
import { exitCodes } from "../cli-error.ts";
import type { Paint, Report } from "../report.ts";
import { printable } from "../output/format-values.ts";
import { alignRows } from "../output/lay-out-text.ts";

export interface ConfigCommandOptions {
  readonly config?: string | undefined;
  readonly cwd?: string | undefined;
  readonly tool?: string | undefined;
}

/** Shows the settings in use and where each comes from. */
export async function config(options: ConfigCommandOptions, io: CliIo): Promise<Report> {
  const cwd = resolve(io.cwd, options.cwd ?? ".");
  // A file named on the command line is relative to the working directory, not to --cwd.
  const configPath = options.config === undefined ? undefined : resolve(io.cwd, options.config);
  const loaded = await loadConfig({ configPath, cwd, home: io.env["HOME"], environment: io.env });
  const { files, notices } = loaded;
  const { tool } = options;
  const settings = tool === undefined ? describeConfig(loaded) : describeToolConfig(loaded, tool);
  return {
    exitCode: exitCodes.fine,
    data: { ...(tool !== undefined && { tool }), settings, files, notices } as unknown as JsonObject,
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
        table(
          ["status", "file", "looked for in"],
          files.map(({ status, path, origin }) => [status, path, origin]),
          paint,
        ),
        ...notices.map((notice) => `${paint.yellow("notice")} ${printable(notice)}`),
      ].join("\n\n"),
  };
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
