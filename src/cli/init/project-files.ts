// The files of a new project: what every project has, and the code of its template.

import { httpCode } from "./http-code.ts";
import { packageFile } from "./package-file.ts";
import type { ProjectName } from "./project-name.ts";
import { readmeFile } from "./readme-file.ts";
import { resourcesCode } from "./resources-code.ts";
import { stdioCode } from "./stdio-code.ts";
import type { Template } from "./templates.ts";
import { workerCode } from "./worker-code.ts";

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const tsconfigFile = json({
  compilerOptions: {
    target: "es2023",
    module: "nodenext",
    types: ["node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
  },
  include: ["src"],
});

/** Not for the repository: wrangler keeps its state and the secrets of this machine beside the code. */
const ignored: Readonly<Partial<Record<Template, string>>> = {
  worker: "node_modules/\n.wrangler/\n.dev.vars\n",
};

type Code = readonly (readonly [path: string, text: string])[];

const codeOf: Readonly<Record<Template, (serverName: string) => Code>> = {
  stdio: stdioCode,
  http: httpCode,
  resources: resourcesCode,
  worker: workerCode,
};

/** Every file of the project, by path. */
export function projectFiles(name: ProjectName, template: Template): ReadonlyMap<string, string> {
  return new Map([
    ["package.json", json(packageFile(name, template))],
    ["tsconfig.json", tsconfigFile],
    [".gitignore", ignored[template] ?? "node_modules/\n"],
    ["README.md", readmeFile(name, template)],
    ...codeOf[template](name.serverName),
  ]);
}
