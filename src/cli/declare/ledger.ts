import type { Command } from "commander";
import type { LedgerCommandOptions } from "../commands/ledger.ts";
import { type DeclareContext, type Example, addManual } from "./declaration.ts";
import { DAY_MS, parseSince } from "./option-values.ts";

const DEFAULT_DAYS = 30;

export const ledgerExamples: readonly Example[] = [
  {
    args: "ledger --since 2026-11-01",
    output: [
      "The ledger has no call since 2026-11-01.",
      "Every gateway on stdio counts its calls there, unless it has --ledger off.",
    ].join("\n"),
  },
];

interface Given extends Omit<LedgerCommandOptions, "sinceMs"> {
  readonly since?: number | undefined;
}

export function declareLedger(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("ledger")
    .summary("show what each server cost and saved behind your gateways, by day")
    .description(
      "Every gateway on stdio counts its calls in one file of this user: by day and server, how many calls there were, " +
        "how many tokens the server sent and the client got, and what was cut, fetched again and repaired. The file " +
        "has no tool, argument or result. `waybill gateway --ledger off` does not count.",
    )
    .option(
      "--since <when>",
      `leave out what is older: days such as 7d, or a date (default: ${DEFAULT_DAYS}d)`,
      parseSince,
    )
    .option("--server <name>", "only this server")
    .action(async ({ since, server }: Given) => {
      const { ledger } = await import("../commands/ledger.ts");
      give(await ledger({ server, sinceMs: since ?? Date.now() - DEFAULT_DAYS * DAY_MS }, io));
    });
  addManual(command, [0, 1, 2], ledgerExamples);
}
