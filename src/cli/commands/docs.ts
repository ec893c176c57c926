import { basename, extname } from "node:path";
import type { AuthoredTool } from "../../core/rules/author/author-rules.ts";
import { examineTools } from "../../doors/server/examine-tools.ts";
import { CliError, exitCodes } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import { toolsPage } from "../docs/tools-page.ts";
import { loadTools } from "../lint/load-tools.ts";
import { refuseOwnSource, writeOutput } from "../output/write-output.ts";
import { count } from "../output/format-values.ts";
import type { Report } from "../report.ts";

export interface DocsCommandOptions {
  readonly out?: string | undefined;
}

/** A Markdown page of a module's tools, on stdout or in a file. Nothing is started and no tool is called. */
export async function docs(
  modules: readonly string[],
  { out }: DocsCommandOptions,
  io: CliIo,
): Promise<Report> {
  for (const module of out === undefined ? [] : modules)
    await refuseOwnSource("--out", out ?? "", module, io);
  const { tools, contract, server } = await loadTools(modules, io);
  const { examined, added } = await examineTools(tools, contract);
  for (const { authored } of examined) refuseUnlistable(authored);
  const [first = ""] = modules;
  const title = server === undefined ? basename(first, extname(first)) : `${server.name} ${server.version}`;
  const shown = tools.flatMap((tool, index) => {
    const known = examined[index];
    return known === undefined ? [] : [{ tool, examined: known }];
  });
  const page = toolsPage(title, shown, added);
  if (out === undefined)
    return { exitCode: exitCodes.fine, data: { page, tools: tools.length }, text: () => page.trimEnd() };
  await writeOutput(out, Buffer.from(page), io);
  return {
    exitCode: exitCodes.fine,
    data: { file: out, tools: tools.length },
    text: () => `${out}: ${count(tools.length, "tool")}`,
  };
}

/** A page with missing tools would be worse than no page. */
function refuseUnlistable({ name, wrongOptions, unlistable }: AuthoredTool): void {
  const reason = wrongOptions[0]?.message ?? unlistable;
  if (reason === undefined) return;
  throw new CliError(`The tool ${name} cannot be listed: ${reason}.`, {
    exitCode: exitCodes.violated,
    errorCode: "VALIDATION_ERROR",
    remediation: "`waybill lint` says all that is wrong with it.",
  });
}
