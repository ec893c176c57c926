import type { Command } from "commander";
import type { DoctorCommandOptions } from "../commands/doctor.ts";
import { type DeclareContext, type Example, addManual } from "./declaration.ts";

export const doctorExamples: readonly Example[] = [
  {
    args: "doctor --client codex",
    output: ["…", "ok       budget                                8000 tokens", "…"].join("\n"),
  },
];

export function declareDoctor(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("doctor")
    .summary("check what a server relies on")
    .description(
      "Checks Node, the configuration, the store, the cursor key, the token counter, packages, and the budget " +
        "against the limits of known clients; says what to do where something is wrong. The store is tried with " +
        "a small entry that is removed again. No password or secret is printed.",
    )
    .option("--store <store>", "a directory or redis://…; the configured store if not given")
    .option("--config <file>", "use this file instead of looking for one")
    .option("--client <name>", "only the limit of this client")
    .action(async (options: DoctorCommandOptions) => {
      const { doctor } = await import("../commands/doctor.ts");
      give(await doctor(options, io));
    });
  addManual(command, [0, 1, 2], doctorExamples);
}
