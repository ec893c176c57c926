import { type CliIo, readVersion } from "./cli-io.ts";
import { type PrintOptions, type CommandReport, createPaint, printReport } from "./report.ts";
import { Command } from "commander";
import picocolors from "picocolors";
import { declareArchive } from "./declare/archive.ts";
import { declareAudit } from "./declare/audit.ts";
import { declareCheck } from "./declare/check.ts";
import {
  declareClients,
  declareCompletion,
  declareConfig,
  declareDemo,
  declareDoctor,
  declareHelp,
} from "./declare/server-commands.ts";
import { type DeclareContext, addManual } from "./declare/declaration.ts";
import { declareLogin, declareLogins, declareLogout } from "./declare/logins.ts";
import { declareGateway } from "./declare/gateway.ts";
import { declareLedger } from "./declare/ledger.ts";
import {
  declareDigest,
  declareVerify,
  declareTokens,
  declareTranslate,
  declareValidate,
} from "./declare/envelope-commands.ts";
import { declareDeploy } from "./declare/deploy.ts";
import { declareDev, declareInit, declareDocs, declareLint } from "./declare/project-commands.ts";
import { declareUnwrap, declareWrap } from "./declare/wrap.ts";
import { reportError } from "./report-error.ts";

/** Runs one command line and returns its exit code; it never throws and never ends the process. */
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

async function runCommand(
  args: readonly string[],
  { color }: PrintOptions,
  io: CliIo,
): Promise<CommandReport> {
  let given: CommandReport | undefined;
  let said = "";
  const hasColors = createPaint(io.isTTY.stdout, io.env, color).isColorSupported;
  try {
    const give = (report: CommandReport): void => void (given = report);
    const say = (text: string): void => void (said += text);
    const program = createProgram({ io, hasColors, give, say }, commandAlone(args));
    await program.parseAsync(args, { from: "user" });
    if (given === undefined) throw new Error("the command gave no report");
    return given;
  } catch (error) {
    return reportError(error, { args, commands: [...commands.keys()], said, env: io.env });
  }
}

/** Parsed by hand, since they must also work if the rest of the line cannot be parsed. */
function readGlobalOptions(args: readonly string[]): PrintOptions {
  const end = args.indexOf("--");
  const own = end === -1 ? args : args.slice(0, end);
  return { json: own.includes("--json"), color: !own.includes("--no-color") };
}

interface ProgramContext extends DeclareContext {
  /** Receives the text of help and version, so that it is printed like all other output. */
  readonly say: (text: string) => void;
  readonly hasColors: boolean;
}

const DEFAULT_COLUMNS = 80;

type Declare = (program: Command, context: DeclareContext) => void;

/** In the order of the manual. */
const commands: ReadonlyMap<string, Declare> = new Map<string, Declare>([
  ["init", declareInit],
  ["dev", declareDev],
  ["lint", declareLint],
  ["docs", declareDocs],
  ["gateway", declareGateway],
  ["check", declareCheck],
  ["validate", declareValidate],
  ["translate", declareTranslate],
  ["tokens", declareTokens],
  ["digest", declareDigest],
  ["verify", declareVerify],
  ["archive", declareArchive],
  ["wrap", declareWrap],
  ["unwrap", declareUnwrap],
  ["login", declareLogin],
  ["logout", declareLogout],
  ["logins", declareLogins],
  ["deploy", declareDeploy],
  ["clients", declareClients],
  ["audit", declareAudit],
  ["ledger", declareLedger],
  ["config", declareConfig],
  ["doctor", declareDoctor],
  ["demo", declareDemo],
  ["completion", declareCompletion],
  ["help", declareHelp],
]);

/** Commands that show all others. */
const showsAll: ReadonlySet<string> = new Set(["completion", "help"]);

/** The command that a line runs, if no other command is needed for it: an option before it takes no value. */
function commandAlone(args: readonly string[]): string | undefined {
  const word = args.find((arg) => !arg.startsWith("-"));
  return word !== undefined && commands.has(word) && !showsAll.has(word) ? word : undefined;
}

/**
 * The tree of commands, or with `only` one command of it. It loads nothing heavy: each action imports its command when
 * it runs.
 */
export function createProgram(context: ProgramContext, only?: string): Command {
  const program = new Command("waybill")
    .description("The response contract for MCP: one honest envelope for every tool result.")
    .version(readVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "show this manual")
    .option("--json", "print one response-v2 envelope instead of text")
    .option("--no-color", "print without colours, as with NO_COLOR")
    .exitOverride();
  dressHelp(program, context);
  for (const [name, declare] of commands) if (only === undefined || only === name) declare(program, context);
  addManual(program, [0, 1, 2, 3], []);
  for (const command of program.commands) refuseMissingValues(command);
  return program;
}

/** Commander would take the `--` before a server's command as the value of an option without a value. */
function refuseMissingValues(command: Command): void {
  for (const option of command.options.filter(({ required }) => required)) {
    command.on(`option:${option.name()}`, (value: unknown) => {
      if (value === "--") command.error(`error: option '${option.flags}' argument missing`);
    });
  }
  for (const inner of command.commands) refuseMissingValues(inner);
}

function dressHelp(program: Command, { say, hasColors, io }: ProgramContext): void {
  const { bold } = picocolors.createColors(hasColors);
  const width = columnsOf(io);
  program.configureHelp({ showGlobalOptions: true, styleTitle: (title) => bold(title) }).configureOutput({
    writeOut: say,
    writeErr: say,
    // The message is printed from the exception, with the next step.
    outputError: () => undefined,
    getOutHelpWidth: () => width,
    getErrHelpWidth: () => width,
    getOutHasColors: () => hasColors,
    getErrHasColors: () => hasColors,
  });
}

function columnsOf({ columns }: CliIo): number {
  return columns !== undefined && columns >= 40 ? columns : DEFAULT_COLUMNS;
}
