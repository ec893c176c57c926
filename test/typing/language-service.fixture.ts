// What an editor says of a program that is being written: completions at a cursor, and the compiler's errors. The language
// service of TypeScript 7 runs as one process for all programs.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { API, type Diagnostic, type Project } from "typescript/unstable/async";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What every program imports; names that it does not use are no errors. */
const imports = `import { errorResponse, faults, successResponse } from "waybill";
import { contractClient, hasCode, type ToolsOf } from "waybill/client";
import { createContract, defineTool, serve, type ToolContext } from "waybill/server";
import * as z from "zod";
`;

/** Marks the cursor in a program. */
const CURSOR = "‸";

export interface Editor {
  /** The names that are offered at the cursor of a program, in the order of an editor. */
  readonly completions: (program: string) => Promise<readonly string[]>;
  /** The first line of the first error of a program; undefined if it compiles. */
  readonly firstError: (program: string) => Promise<string | undefined>;
  /** The same of a program whose declarations are written for others, as a package's are. */
  readonly firstDeclarationError: (program: string) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

/** Opens all programs at once: each is a file of one project. */
export async function openEditor(programs: readonly string[]): Promise<Editor> {
  const folder = join(root, ".cache", `typing-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const fileOf = new Map(programs.map((program, index) => [program, join(folder, `program-${index}.ts`)]));
  for (const [program, file] of fileOf) writeFileSync(file, imports + program.replace(CURSOR, ""));
  const config = join(folder, "tsconfig.json");
  writeFileSync(
    config,
    JSON.stringify({
      extends: "../../tsconfig.json",
      compilerOptions: { declaration: true },
      files: [...fileOf.values()],
      include: [],
    }),
  );
  const api = new API({ cwd: root });
  const snapshot = await api.updateSnapshot({ openProjects: [config] });
  const [project] = snapshot.getProjects();
  if (project === undefined) throw new Error("The language service opened no project.");
  return {
    completions: (program) => completionsIn(project, fileOf.get(program) ?? "", program),
    firstError: async (program) =>
      firstLine(await project.program.getSemanticDiagnostics(fileOf.get(program) ?? "")),
    firstDeclarationError: async (program) =>
      firstLine(await project.program.getDeclarationDiagnostics(fileOf.get(program) ?? "")),
    close: async () => {
      await api.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function firstLine([first]: readonly Diagnostic[]): string | undefined {
  return first?.text.split("\n", 1)[0];
}

async function completionsIn(project: Project, file: string, program: string): Promise<readonly string[]> {
  const position = imports.length + program.indexOf(CURSOR);
  const found = await project.checker.getCompletionsAtPosition(file, position);
  // Texts are offered with their quotes, optional keys with a question mark.
  return (found?.entries ?? []).map(({ name }) => name.replaceAll(/["?]/g, ""));
}
