import type { CliIo } from "./cli-io.ts";
import { type PrintOptions, type Report, createPaint, printReport } from "./report.ts";
import { createProgram } from "./program.ts";
import { reportError } from "./report-error.ts";

/** Runs one command line and gives its exit code; it never throws and never ends the process. */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  const args = argv.slice(2);
  const options = readGlobalOptions(args);
  const report = await runCommand(args, options, io);
  try {
    await printReport(report, io, options);
    return report.exitCode;
  } catch (error) {
    const failed = reportError(error, { args, commands: [], said: "", env: io.env });
    for (const line of failed.remarks ?? []) io.stderr.write(`${line}\n`);
    return failed.exitCode;
  }
}

async function runCommand(args: readonly string[], { color }: PrintOptions, io: CliIo): Promise<Report> {
  let given: Report | undefined;
  let said = "";
  let commands: readonly string[] = [];
  const hasColors = createPaint(io.isTTY.stdout, io.env, color).isColorSupported;
  try {
    const program = createProgram({
      io,
      hasColors,
      give: (report) => (given = report),
      say: (text) => (said += text),
    });
    commands = program.commands.map((command) => command.name());
    await program.parseAsync(args, { from: "user" });
    if (given === undefined) throw new Error("the command gave no report");
    return given;
  } catch (error) {
    return reportError(error, { args, commands, said, env: io.env });
  }
}

/** Read by hand, since they must hold as well when the rest of the line cannot be parsed. */
function readGlobalOptions(args: readonly string[]): PrintOptions {
  const end = args.indexOf("--");
  const own = end === -1 ? args : args.slice(0, end);
  return { json: own.includes("--json"), color: !own.includes("--no-color") };
}
