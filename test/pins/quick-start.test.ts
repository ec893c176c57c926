import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { afterAll, describe, expect, it } from "vitest";
import { createContract } from "../../src/doors/server/create-contract.ts";
import type { ServeOptions } from "../../src/doors/server/serve-options.ts";
import { watchServe } from "../../src/doors/server/serve-watch.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = `${root}.cache/quick-start/`;

// A test has no standard input to serve: what the program hands to serve() is served over a link in memory.
let given: ServeOptions | undefined;
watchServe({
  called: (options) => {
    given = options;
    return "hold";
  },
});
afterAll(() => watchServe(undefined));

function blockOf(page: string, mark: string): string | undefined {
  const text = readFileSync(`${root}${page}`, "utf8");
  return new RegExp(`<!-- ${mark}:begin -->\\n\`\`\`ts\\n([^]*?)\`\`\`\\n<!-- ${mark}:end -->`).exec(
    text,
  )?.[1];
}

/** Files beside a configuration of their own: imports of the package by name lead to the source. */
function writeBlocks(blocks: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, code] of Object.entries(blocks)) writeFileSync(`${folder}${name}.ts`, code);
  const files = Object.keys(blocks).map((name) => `${name}.ts`);
  const config = { extends: "../../tsconfig.json", files, include: [] };
  writeFileSync(`${folder}tsconfig.json`, JSON.stringify(config));
}

const block = blockOf("docs/server.md", "quick-start") ?? "";
const blocks = {
  "quick-start": block,
  "by-hand": blockOf("docs/server.md", "by-hand") ?? "",
  resources: blockOf("docs/server.md", "resources") ?? "",
  "testing-vitest": blockOf("docs/testing.md", "testing-vitest") ?? "",
  "testing-node": blockOf("docs/testing.md", "testing-node") ?? "",
};
writeBlocks(blocks);

async function connect(): Promise<Client> {
  await import(/* @vite-ignore */ pathToFileURL(`${folder}quick-start.ts`).href);
  const { name = "", version = "", tools = [] } = given ?? {};
  const server = createContract({ name, version, tools }).server(new McpServer({ name, version }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "reader", version: "1.0.0" });
  await Promise.all([server.connect(far), client.connect(near)]);
  return client;
}

describe("the quick start of docs/server.md", () => {
  it("has ten lines of code", () => {
    expect(block.split("\n").filter((line) => line.trim() !== "")).toHaveLength(10);
  });

  it("is the one in the README, where that has one", () => {
    expect(blockOf("README.md", "quick-start") ?? block).toBe(block);
  });

  it.runIf(isFullRun)(
    "compiles, and so do the other programs of the page and the blocks of docs/testing.md",
    () => {
      const tsc = `${root}node_modules/typescript/bin/tsc`;
      const run = () =>
        execFileSync(process.execPath, [tsc, "-p", `${folder}tsconfig.json`], { encoding: "utf8" });
      expect(run()).toBe("");
    },
  );

  it("runs, and answers as the page says", async () => {
    const client = await connect();
    await client.listTools();
    const lines: string[] = [];
    for (const args of [{ id: "task-001" }, { id: "task-9" }, {}]) {
      const { structuredContent } = await client.callTool({ name: "task_get", arguments: args });
      lines.push(JSON.stringify(structuredContent).replace(/req_[0-9a-f]{12}/, "req_…"));
    }
    const page = readFileSync(`${root}docs/server.md`, "utf8");
    const shown = /<!-- quick-start-output -->\n```\n([^]*?)```/.exec(page)?.[1];
    expect(`${lines.join("\n")}\n`).toBe(shown);
    await client.close();
  });
});

describe("the server with resources of docs/server.md", () => {
  it("runs: it has a guide, completes its id in two places, and explains it", async () => {
    await import(/* @vite-ignore */ pathToFileURL(`${folder}resources.ts`).href);
    const { name = "", version = "", register } = given ?? {};
    const server = new McpServer({ name, version });
    register?.(server);
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "reader", version: "1.0.0" });
    await Promise.all([server.connect(far), client.connect(near)]);
    const uri = "guides://guide/install";
    expect((await client.listResources()).resources.map((each) => each.uri)).toContain(uri);
    expect((await client.readResource({ uri })).contents).toMatchObject([{ uri, text: "Run npm install." }]);
    const argument = { name: "id", value: "f" };
    const template = { type: "ref/resource", uri: "guides://guide/{id}" } as const;
    for (const ref of [template, { type: "ref/prompt", name: "explain" } as const])
      expect((await client.complete({ ref, argument })).completion.values).toEqual(["first-call"]);
    const { messages } = await client.getPrompt({ name: "explain", arguments: { id: "install" } });
    expect(messages[0]?.content).toEqual({ type: "text", text: "Explain this: Run npm install." });
    await client.close();
  });
});

describe("the blocks of docs/testing.md", () => {
  it.runIf(isFullRun)("pass with node:test, in a process with nothing else to wait for", () => {
    const run = () =>
      execFileSync(process.execPath, ["--import", "tsx", "--test", `${folder}testing-node.ts`], {
        cwd: root,
        encoding: "utf8",
        env: { ...process.env, TSX_TSCONFIG_PATH: `${folder}tsconfig.json`, NODE_OPTIONS: "" },
      });
    expect(run()).toMatch(/pass 1\b/);
  });

  it.runIf(isFullRun)("pass with vitest", () => {
    const config = `import base from "../../vitest.config.ts";
export default { ...base, root: "${folder}", test: { include: ["testing-vitest.ts"] } };
`;
    writeFileSync(`${folder}vitest.config.ts`, config);
    const vitest = `${root}node_modules/vitest/vitest.mjs`;
    const args = [vitest, "run", "--config", `${folder}vitest.config.ts`];
    const env = { ...process.env, NO_COLOR: "1", NODE_OPTIONS: "" };
    expect(execFileSync(process.execPath, args, { cwd: root, encoding: "utf8", env })).toMatch(/2 passed/);
  });
});
