import { type Command, InvalidArgumentError, Option } from "commander";
import { historyIds } from "../../doors/gateway/audit/formats/history-format.ts";
import type { AuditCommandOptions } from "../commands/audit.ts";
import { type DeclareContext, type Example, addManual } from "./declaration.ts";
import { DAY_MS, parseSince, parseWhole } from "./option-values.ts";

const DEFAULT_DAYS = 30;
const DEFAULT_BYTES = 2 ** 30;

function addClient(word: string, before: readonly string[] = []): readonly string[] {
  if (historyIds.some((id) => id === word)) return [...before, word];
  throw new InvalidArgumentError(`Give one of ${historyIds.join(", ")}.`);
}

interface Given extends Omit<AuditCommandOptions, "sinceMs" | "maxBytes"> {
  readonly since?: number | undefined;
  readonly maxBytes?: number | undefined;
}

export const auditExamples: readonly Example[] = [
  {
    args: "audit --client cline --since 2026-11-01",
    output: [
      "No call of an MCP server is in the histories since 2026-11-01.",
      "",
      "Cline: no history (format tried with 3.0.65)",
    ].join("\n"),
  },
];

export function declareAudit(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("audit")
    .summary("show what MCP servers cost by your clients' histories, and what the gateway would change")
    .description(
      "Reads the histories of Claude Code, Codex, opencode, Gemini CLI and Cline on this machine, and prints for each " +
        "MCP server what its results cost in tokens, how often clients cut them, how often a session got the same one " +
        "again, and which failures were sent as successes. The results also pass the gateway, to say what it would " +
        "have sent.\n\n" +
        "It only reads, and nothing leaves this machine. Of calls it prints names and counts, never arguments or results.",
    )
    .addOption(
      new Option("--client <name>", "only the history of this client; may be repeated")
        .choices(historyIds)
        .argParser(addClient),
    )
    .option(
      "--since <when>",
      `leave out what is older: days such as 7d, or a date (default: ${DEFAULT_DAYS}d)`,
      parseSince,
    )
    .option(
      "--max-bytes <bytes>",
      `read no more than this, the newest files first (default: ${DEFAULT_BYTES})`,
      parseWhole,
    )
    .option("--html <file>", "also write a page that can be sent on")
    .action(async ({ since, maxBytes = DEFAULT_BYTES, ...options }: Given, own: Command) => {
      const { audit } = await import("../commands/audit.ts");
      const { json } = own.optsWithGlobals<{ json?: boolean }>();
      const sinceMs = since ?? Date.now() - DEFAULT_DAYS * DAY_MS;
      give(await audit({ ...options, sinceMs, maxBytes, json }, io));
    });
  addManual(command, [0, 1, 2], auditExamples);
}
