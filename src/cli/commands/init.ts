import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { type CliIo, CliError, exitCodes } from "../cli-io.ts";
import { projectFiles } from "../init/project-files.ts";
import { nameOfFolder, projectName } from "../init/project-name.ts";
import { fromFile } from "../init/readme-file.ts";
import type { Template } from "../init/templates.ts";
import { reasonOf, writeAll } from "../output/write-files.ts";
import type { CommandReport } from "../report.ts";

/** A repository without files counts as an empty folder. */
const beside: ReadonlySet<string> = new Set([".git"]);
const MAX_NAMED = 3;

/** The contents of the folder; it need not exist. */
function contentsOf(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  try {
    return readdirSync(folder).filter((name) => !beside.has(name));
  } catch (error) {
    const isFile = !statSync(folder).isDirectory();
    throw new CliError(
      isFile
        ? `${basename(folder)} is a file, not a folder.`
        : `The folder ${basename(folder)} cannot be read (${reasonOf(error)}).`,
      { errorCode: "CONFLICT", remediation: "Give another name." },
    );
  }
}

function refuseContents(folder: string, isNamed: boolean): void {
  const found = contentsOf(folder);
  if (found.length === 0) return;
  const named = found.slice(0, MAX_NAMED).join(", ");
  const more = found.length > MAX_NAMED ? ` and ${found.length - MAX_NAMED} more` : "";
  const where = isNamed ? `The folder ${basename(folder)}` : "This folder";
  throw new CliError(`${where} is not empty: it has ${named}${more}. Nothing was written.`, {
    errorCode: "CONFLICT",
    remediation: isNamed
      ? "Give another name, or remove what is there."
      : "Give a name, as in `waybill init demo`: the project gets a folder of its own.",
  });
}

export interface InitCommandOptions {
  readonly template?: Template | undefined;
}

/** Writes a new project: into a new folder if a name is given, else into this folder if it is empty. */
export function init(
  name: string | undefined,
  { template = "stdio" }: InitCommandOptions,
  { cwd }: CliIo,
): CommandReport {
  const project = name === undefined ? nameOfFolder(basename(cwd)) : projectName(name);
  const folder = name === undefined ? cwd : join(cwd, project.serverName);
  refuseContents(folder, name !== undefined);
  const files = projectFiles(project, template);
  writeAll(folder, files, { what: "The project" });
  const { serverName } = project;
  const next = [
    ...(name === undefined ? [] : [`cd ${serverName}`]),
    "npm install",
    "npm test",
    "npm run dev",
  ];
  return {
    exitCode: exitCodes.fine,
    data: { name: project.packageName, template, folder, files: [...files.keys()], next },
    text: ({ bold, dim }) =>
      [
        `Made the project ${bold(project.packageName)}:`,
        ...[...files.keys()].map((path) => dim(`  ${name === undefined ? path : join(serverName, path)}`)),
        "",
        "Next:",
        ...next.map((command) => `  ${command}`),
        "",
        fromFile(),
      ].join("\n"),
  };
}
