// The files of a new project: what every project has, and the code of its template. Versions are this package's own: its
// tests run with them.

import { readPackage } from "../cli-io.ts";
import { httpCode, httpNotes } from "./http-code.ts";
import type { ProjectName } from "./project-name.ts";
import { resourcesCode, resourcesNotes } from "./resources-code.ts";
import { stdioCode } from "./stdio-code.ts";
import type { Template } from "./templates.ts";

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function packageFile({ packageName }: ProjectName, template: Template): string {
  const { version, engines, peerDependencies, devDependencies } = readPackage();
  const from = (name: string): string => `^${devDependencies[name] ?? ""}`;
  return json({
    name: packageName,
    version: "0.1.0",
    private: true,
    type: "module",
    scripts: {
      start: "node --import tsx src/server.ts",
      dev: "waybill dev src/server.ts --http 3000",
      test: "node --import tsx --test src/*.test.ts",
      types: "tsc",
      lint: "waybill lint src/server.ts",
    },
    dependencies: {
      "@modelcontextprotocol/server": peerDependencies["@modelcontextprotocol/server"],
      tsx: from("tsx"),
      waybill: `^${version}`,
      zod: peerDependencies["zod"],
    },
    devDependencies: {
      // The test of the resources is a client.
      ...(template === "resources" && {
        "@modelcontextprotocol/client": peerDependencies["@modelcontextprotocol/server"],
      }),
      "@types/node": from("@types/node"),
      typescript: from("typescript"),
    },
    engines,
    // esbuild, a dependency of tsx, works without its script; npm asks about scripts that are not listed here.
    allowScripts: { esbuild: false },
  });
}

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

/** How to install while the package is not on npm. */
export function fromFile(): string {
  const archive = `waybill-${readPackage().version}.tgz`;
  return `If npm does not find waybill, install it from a file in place of \`npm install\`: \`npm install <folder>/${archive}\`, which \`npm pack\` writes in a copy of its repository.`;
}

/** The first call in the README; one of our tests sends it. */
function firstCall(template: Template): string {
  const params =
    template === "resources"
      ? '"resources/read","params":{"uri":"guides://guide/first-call"}'
      : '"tools/call","params":{"name":"task_get","arguments":{"id":"task-1"}}';
  return `curl http://127.0.0.1:3000/mcp \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  -d '{"jsonrpc":"2.0","id":1,"method":${params}}'`;
}

/** How a client is told where the server is. */
function clientEntry(serverName: string, template: Template): string {
  const name = JSON.stringify(serverName);
  if (template === "http") return `${name}: { "type": "http", "url": "http://127.0.0.1:3000/mcp" }`;
  return `${name}: { "command": "npm", "args": ["--silent", "--prefix", "/path/to/${serverName}", "start"] }`;
}

const notes: Readonly<Record<Template, string>> = {
  stdio:
    "To add a tool, write it as `src/task-get.ts` is written, and name it in `tools` of `src/server.ts`.",
  http: httpNotes,
  resources: resourcesNotes,
};

function readmeFile({ serverName }: ProjectName, template: Template): string {
  const overHttp = template === "http" ? "npm start" : "npm start -- --http 3000";
  const started =
    template === "http"
      ? "| `npm start` | serves over HTTP on 127.0.0.1:3000; `-- --http 8080` chooses another port |"
      : `| \`npm start\` | speaks MCP on stdin and stdout, as clients that start a server want it |
| \`npm start -- --http 3000\` | serves over HTTP on 127.0.0.1 |`;
  return `# ${serverName}

An MCP server, made with [Waybill](https://github.com/waybill-mcp/waybill).

\`\`\`sh
npm install
npm test
${overHttp}
\`\`\`

${fromFile()}

Then, in a second terminal, the first call:

\`\`\`sh
${firstCall(template)}
\`\`\`

| command | does |
| --- | --- |
| \`npm run dev\` | serves on port 3000, starts again when a file changes, and prints each call as it travels |
${started}
| \`npm test\` | runs the tests in \`src/*.test.ts\` |
| \`npm run types\` | checks the types |
| \`npm run lint\` | says what could be better about the tools |

A client is told this:

\`\`\`json
{
  "mcpServers": {
    ${clientEntry(serverName, template)}
  }
}
\`\`\`

${notes[template]}
`;
}

type Code = readonly (readonly [path: string, text: string])[];

const codeOf: Readonly<Record<Template, (serverName: string) => Code>> = {
  stdio: stdioCode,
  http: httpCode,
  resources: resourcesCode,
};

/** Every file of the project, by path. */
export function projectFiles(name: ProjectName, template: Template): ReadonlyMap<string, string> {
  return new Map([
    ["package.json", packageFile(name, template)],
    ["tsconfig.json", tsconfigFile],
    [".gitignore", "node_modules/\n"],
    ["README.md", readmeFile(name, template)],
    ...codeOf[template](name.serverName),
  ]);
}
