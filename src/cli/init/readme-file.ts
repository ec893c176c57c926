// The README of a new project. Our tests send its first call.

import { readPackage } from "../cli-io.ts";
import { httpNotes } from "./http-code.ts";
import type { ProjectName } from "./project-name.ts";
import { resourcesNotes } from "./resources-code.ts";
import type { Template } from "./templates.ts";
import { workerNotes } from "./worker-code.ts";

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

/** What a README says of its template. */
interface TemplateWords {
  /** The command that listens on port 3000. */
  readonly listen: string;
  /** Rows of the table of commands: how it is started. */
  readonly commands: string;
  /** How a client is told where the server is. */
  readonly entry: (serverName: string) => string;
  /** The end of the README. */
  readonly notes: string;
}

const atAddress = (name: string): string =>
  `${JSON.stringify(name)}: { "type": "http", "url": "http://127.0.0.1:3000/mcp" }`;

const started = {
  listen: "npm start -- --http 3000",
  commands: `| \`npm run dev\` | serves on port 3000, starts again when a file changes, and prints each call as it travels |
| \`npm start\` | speaks MCP on stdin and stdout, as clients that start a server want it |
| \`npm start -- --http 3000\` | serves over HTTP on 127.0.0.1 |`,
  entry: (name: string) =>
    `${JSON.stringify(name)}: { "command": "npm", "args": ["--silent", "--prefix", "/path/to/${name}", "start"] }`,
};

const words: Readonly<Record<Template, TemplateWords>> = {
  stdio: {
    ...started,
    notes:
      "To add a tool, write it as `src/task-get.ts` is written, and name it in `tools` of `src/server.ts`.",
  },
  http: {
    listen: "npm start",
    commands: `| \`npm run dev\` | serves on port 3000, starts again when a file changes, and prints each call as it travels |
| \`npm start\` | serves over HTTP on 127.0.0.1:3000; \`-- --http 8080\` chooses another port |`,
    entry: atAddress,
    notes: httpNotes,
  },
  resources: { ...started, notes: resourcesNotes },
  worker: {
    listen: "npm run dev",
    commands: `| \`npm run dev\` | serves on port 3000 in the runtime of Cloudflare, and takes every change of a file |
| \`npm run deploy\` | makes it a Worker of your account |`,
    entry: atAddress,
    notes: workerNotes,
  },
};

export function readmeFile({ serverName }: ProjectName, template: Template): string {
  const { listen, commands, entry, notes } = words[template];
  return `# ${serverName}

An MCP server, made with [Waybill](https://github.com/waybill-mcp/waybill).

\`\`\`sh
npm install
npm test
${listen}
\`\`\`

${fromFile()}

Then, in a second terminal, the first call:

\`\`\`sh
${firstCall(template)}
\`\`\`

| command | does |
| --- | --- |
${commands}
| \`npm test\` | runs the tests in \`src/*.test.ts\` |
| \`npm run types\` | checks the types |
| \`npm run lint\` | says what could be better about the tools |

A client is told this:

\`\`\`json
{
  "mcpServers": {
    ${entry(serverName)}
  }
}
\`\`\`

${notes}
`;
}
