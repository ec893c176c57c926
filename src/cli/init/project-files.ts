// The seven files of a new project. Versions are this package's own: its tests run with them.

import type { ProjectName } from "./project-name.ts";
import { readPackage } from "../version.ts";

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function packageFile({ packageName }: ProjectName): string {
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

/** The first call in the README; one of our tests sends it. */
const call = `curl http://127.0.0.1:3000/mcp \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"task_get","arguments":{"id":"task-1"}}}'`;

function readmeFile({ serverName }: ProjectName): string {
  return `# ${serverName}

An MCP server, made with [Waybill](https://github.com/waybill-mcp/waybill).

\`\`\`sh
npm install
npm test
npm start -- --http 3000
\`\`\`

Then, in a second terminal, the first call:

\`\`\`sh
${call}
\`\`\`

| command | does |
| --- | --- |
| \`npm run dev\` | serves on port 3000, starts again when a file changes, and prints each call as it travels |
| \`npm start\` | speaks MCP on stdin and stdout, as clients that start a server want it |
| \`npm start -- --http 3000\` | serves over HTTP on 127.0.0.1 |
| \`npm test\` | runs the tests in \`src/*.test.ts\` |
| \`npm run types\` | checks the types |
| \`npm run lint\` | says what could be better about the tools |

A client that starts servers itself is told this:

\`\`\`json
{
  "mcpServers": {
    ${JSON.stringify(serverName)}: { "command": "npm", "args": ["--silent", "--prefix", "/path/to/${serverName}", "start"] }
  }
}
\`\`\`

To add a tool, write it as \`src/task-get.ts\` is written, and name it in \`tools\` of \`src/server.ts\`.
`;
}

/** Every file of the project, by path. */
export function projectFiles(name: ProjectName): ReadonlyMap<string, string> {
  return new Map([
    ["package.json", packageFile(name)],
    ["tsconfig.json", tsconfigFile],
    [".gitignore", "node_modules/\n"],
    ["README.md", readmeFile(name)],
    ["src/server.ts", serverFile(name.serverName)],
    ["src/task-get.ts", toolFile],
    ["src/task-get.test.ts", testFile],
  ]);
}

// The code of a new project: a server, one tool and its test. One of our tests compiles and runs all three.

/** Starts the server, on stdio or over HTTP. */
function serverFile(name: string): string {
  return `import { serve } from "waybill/server";
import { taskGet } from "./task-get.ts";

await serve({ name: ${JSON.stringify(name)}, version: "0.1.0", tools: [taskGet] });
`;
}

const toolFile = `import { defineTool } from "waybill/server";
import * as z from "zod";

const tasks = new Map([
  ["task-1", { id: "task-1", title: "Read the README", status: "done" }],
  ["task-2", { id: "task-2", title: "Write a tool", status: "open" }],
]);

/** Handlers return plain data and fail in the ways that they declare. What the client gets is made of that. */
export const taskGet = defineTool(
  "task_get",
  {
    description: "One task by its id",
    inputSchema: z.object({ id: z.string().describe("The id of the task, such as task-1") }),
    annotations: { readOnlyHint: true },
    errors: { not_found: { code: "NOT_FOUND", when: "No task has this id" } },
  },
  ({ id }, ctx) => {
    const task = tasks.get(id);
    if (task === undefined) return ctx.fail("not_found", { id });
    return { task };
  },
);
`;

const testFile = `import assert from "node:assert/strict";
import { test } from "node:test";
import { assertResponse, fuzzTool, runTool } from "waybill/testing";
import { taskGet } from "./task-get.ts";

test("gives a task", async () => {
  const { outcome, result } = await runTool(taskGet, { id: "task-1" });
  assertResponse(result);
  assert.deepEqual(outcome.ok && outcome.data, {
    task: { id: "task-1", title: "Read the README", status: "done" },
  });
});

test("says that a task does not exist", async () => {
  const { outcome, result } = await runTool(taskGet, { id: "task-9" });
  assertResponse(result);
  assert.equal(outcome.ok ? undefined : outcome.fault.code, "NOT_FOUND");
});

test("withstands arguments that nobody should send", async () => {
  const { findings, summary } = await fuzzTool(taskGet);
  assert.deepEqual(findings, [], summary);
});
`;
