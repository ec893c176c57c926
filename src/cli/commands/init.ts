import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { type CliIo, CliError, exitCodes, readPackage } from "../cli-io.ts";
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

/** Writes a new project: into a new folder if a name is given, else into this folder if it is empty. */
export function init(name: string | undefined, { cwd }: CliIo): CommandReport {
  const project = name === undefined ? nameOfFolder(basename(cwd)) : projectName(name);
  const folder = name === undefined ? cwd : join(cwd, project.serverName);
  refuseContents(folder, name !== undefined);
  const files = projectFiles(project);
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
    data: { name: project.packageName, folder, files: [...files.keys()], next },
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

/** How to install while the package is not on npm. */
function fromFile(): string {
  const archive = `waybill-${readPackage().version}.tgz`;
  return `If npm does not find waybill, install it from a file in place of \`npm install\`: \`npm install <folder>/${archive}\`, which \`npm pack\` writes in a copy of its repository.`;
}

// The seven files of a new project. Versions are this package's own: its tests run with them.

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

${fromFile()}

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
function projectFiles(name: ProjectName): ReadonlyMap<string, string> {
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

test("withstands arguments that no client should send", async () => {
  const { findings, summary } = await fuzzTool(taskGet);
  assert.deepEqual(findings, [], summary);
});
`;

// The name of a new project: a name that npm accepts; the server and its folder are named after it.

interface ProjectName {
  /** As in package.json: `demo` or `@acme/demo`. */
  readonly packageName: string;
  /** Without the scope: the name of the folder and of the server. */
  readonly serverName: string;
}

/** npm's own limit. */
const MAX_CHARACTERS = 214;
const part = "[a-z0-9~-][a-z0-9._~-]*";
const allowed = new RegExp(`^(?:@${part}/)?${part}$`);
/** npm refuses the first two as names, and a project with the name of a package that it installs. */
const taken: ReadonlySet<string> = new Set([
  "node_modules",
  "favicon.ico",
  "waybill",
  "zod",
  "tsx",
  "typescript",
  "@types/node",
  "@modelcontextprotocol/server",
]);

/** The nearest name that npm accepts; undefined if no character is left. */
function nearest(text: string): string | undefined {
  const name = text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9._~-]+/g, "-")
    .replaceAll(/^[._-]+|[._-]+$/g, "")
    .slice(0, MAX_CHARACTERS);
  return allowed.test(name) && !taken.has(name) ? name : undefined;
}

function refuse(text: string, why: string): CliError {
  const meant = nearest(text);
  const hint = meant === undefined || meant === text ? "" : ` Did you mean ${meant}?`;
  return new CliError(`${JSON.stringify(text.slice(0, 80))} is no name for a project: ${why}.${hint}`, {
    remediation: "Write small letters, digits and hyphens, as in `waybill init demo`.",
  });
}

/** Checks a typed name. */
function projectName(text: string): ProjectName {
  if (text.length > MAX_CHARACTERS) throw refuse(text, `it has more than ${MAX_CHARACTERS} characters`);
  if (/[/\\]/.test(text.startsWith("@") ? text.replace("/", "") : text))
    throw refuse(text, "it is a path, and the project is made in the folder you are in");
  if (!allowed.test(text)) throw refuse(text, "npm takes small letters, digits, and - . _ ~ inside of it");
  if (taken.has(text))
    throw refuse(text, "a package of this name is needed by the project, or npm refuses it");
  return { packageName: text, serverName: text.replace(/^@[^/]*\//, "") };
}

/** A name for an existing folder, whatever it is called. */
function nameOfFolder(folder: string): ProjectName {
  const name = nearest(folder) ?? "server";
  return { packageName: name, serverName: name };
}
