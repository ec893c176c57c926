import type { Command } from "commander";
import type { DeployCommandOptions } from "../commands/deploy.ts";
import { type DeclareContext, type Example, addManual } from "./declaration.ts";

export const deployExamples: readonly Example[] = [
  {
    args: "deploy containers",
    output: [
      "Wrote into containers:",
      "  Dockerfile: the gateway as an image",
      "…",
      "  cd containers",
      '  WAYBILL_TOKEN="$(openssl rand -hex 32)" docker compose up --build',
      "…",
    ].join("\n"),
  },
  {
    args: "deploy",
    output: ["waybill: missing required argument 'folder'", "See `waybill help deploy`."].join("\n"),
  },
];

export function declareDeploy(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("deploy")
    .summary("write the files that run the gateway in containers")
    .description(
      "Writes a Dockerfile, a compose file, Kubernetes manifests, load balancers, a configuration and alerts into a " +
        "folder, for this version of Waybill. It says what to do next, asks nothing and starts nothing. Files that " +
        "are there are not replaced, except with --force.",
    )
    .argument("<folder>", "where to write; it is made if it is not there")
    .option("--force", "replace files of the same names")
    .action(async (folder: string, options: DeployCommandOptions) => {
      const { deploy } = await import("../commands/deploy.ts");
      give(deploy(folder, options, io));
    });
  addManual(command, [0, 1, 2], deployExamples);
}
