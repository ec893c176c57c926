import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build as esbuild } from "esbuild";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { build as rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const BUDGET = 8_000;
const folder = mkdtempSync(join(tmpdir(), "waybill-bundled-"));
const project = join(folder, "project");
const alone = join(folder, "alone");

/** 50 KB in 500 findings: more tokens than the budget, and far more bytes. */
const source = `
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { followConfig } from "waybill/config";
import { createContract, defineTool } from "waybill/server";
import * as z from "zod";

const findings = Array.from({ length: 500 }, (_, id) => ({
  id,
  says: \`Finding \${id} of the audit: the valve was opened twice and closed once. \`.padEnd(80, "x"),
}));
const report = defineTool("report", { description: "All findings", inputSchema: z.object({}) }, () => ({ findings }));
const contract = createContract({ name: "audit", version: "1.0.0", budget: { tokens: ${BUDGET} }, config: followConfig() });
serveStdio(() => contract.server(new McpServer({ name: "audit", version: "1.0.0" })).add(report));
`;

const bundlers: Readonly<Record<string, (outfile: string) => Promise<unknown>>> = {
  esbuild: (outfile) => bundleByEsbuild(outfile, "esm"),
  "esbuild as CommonJS": (outfile) => bundleByEsbuild(outfile, "cjs"),
  rolldown: (file) =>
    rolldown({
      input: join(project, "server.js"),
      platform: "node",
      logLevel: "silent",
      output: { file, codeSplitting: false },
    }),
};
const endings: Readonly<Record<string, string>> = { "esbuild as CommonJS": "cjs" };
const bundleOf = (bundler: string): string =>
  join(project, "out", `${bundler.replaceAll(" ", "-")}.${endings[bundler] ?? "mjs"}`);

function bundleByEsbuild(outfile: string, format: "esm" | "cjs"): Promise<unknown> {
  return esbuild({
    entryPoints: [join(project, "server.js")],
    absWorkingDir: project,
    bundle: true,
    platform: "node",
    format,
    outfile,
    logLevel: "silent",
    // What esbuild's users write for CommonJS packages in a bundle of modules.
    ...(format === "esm"
      ? {
          banner: {
            js: 'import { createRequire as r } from "node:module"; const require = r(import.meta.url);',
          },
        }
      : {}),
  });
}

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** The Node binaries to try; Node 24 is fetched from npm. */
function findNodes(): Readonly<Record<string, string>> {
  const here = { [`Node ${process.versions.node}`]: process.execPath };
  try {
    const path = run(
      process.execPath,
      [join(root, "scripts/node24.mjs"), "--", "-p", "process.execPath"],
      root,
    );
    return { ...here, "Node 24": path.trim() };
  } catch (error) {
    if (process.env["WAYBILL_REQUIRE_SERVICES"] === "1") throw error;
    process.stderr.write("Node 24 cannot be fetched here: its bundles are not tried.\n");
    return here;
  }
}

interface Answer {
  readonly id: number;
  readonly result: { readonly content: readonly { readonly text: string }[]; readonly isError?: boolean };
}

interface Talk {
  readonly answers: readonly Answer["result"][];
  readonly logged: string;
}

const messages = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/call", params: { name: "report", arguments: {} } },
  { id: 3, method: "tools/call", params: { name: "report", arguments: {} } },
];

async function readAnswers(child: ChildProcess): Promise<Answer["result"][]> {
  const results: Answer["result"][] = [];
  if (child.stdout === null) return results;
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, result } = JSON.parse(line) as Answer;
    if (id > 1) results.push(result);
    if (results.length === 2) break;
  }
  return results;
}

/** Starts a bundle, calls its tool twice and lets it end. */
async function talk(node: string, file: string): Promise<Talk> {
  const child = spawn(node, [file], { cwd: join(file, ".."), stdio: "pipe" });
  try {
    let logged = "";
    child.stderr.on("data", (chunk: Buffer) => (logged += chunk.toString()));
    child.stdin.write(
      messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""),
    );
    const answers = await readAnswers(child);
    child.stdin.end();
    if (child.exitCode === null) await once(child, "close");
    return { answers, logged };
  } finally {
    child.kill("SIGKILL");
  }
}

const nodes = findNodes();
const cases = Object.keys(bundlers).flatMap((bundler) =>
  Object.entries(nodes).map(([name, binary]) => [bundler, name, binary] as const),
);

beforeAll(async () => {
  mkdirSync(join(project, "out"), { recursive: true });
  mkdirSync(alone);
  run("npm", ["pack", "--silent", "--pack-destination", folder], root);
  const archive = readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? "";
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
  const packages = [`../${archive}`, "zod@4.6.7", "@modelcontextprotocol/server@2.4.0"];
  run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...packages], project);
  writeFileSync(join(project, "server.js"), source);
  for (const [bundler, bundle] of Object.entries(bundlers)) {
    await bundle(bundleOf(bundler));
    copyFileSync(bundleOf(bundler), join(alone, basename(bundleOf(bundler))));
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a server that its author bundled into one file", () => {
  it.each(cases)("by %s counts and cuts 50 KB under %s", async (bundler, _name, binary) => {
    const { answers, logged } = await talk(binary, bundleOf(bundler));
    expect(logged).not.toContain("token-counter-missing");
    expect(answers).toHaveLength(2);
    for (const { content, isError } of answers) {
      const text = content[0]?.text ?? "";
      expect(isError).toBeUndefined();
      expect(text).toContain("CONTENT_TRUNCATED");
      expect(countTokens(text)).toBeLessThanOrEqual(BUDGET);
      // Cut by tokens: had a byte counted as a token, it would be no longer than the budget.
      expect(Buffer.byteLength(text)).toBeGreaterThan(2 * BUDGET);
    }
  });

  it.each(cases)(
    "by %s, copied without the package, cuts by bytes under %s and says so once",
    async (bundler, _name, binary) => {
      const { answers, logged } = await talk(binary, join(alone, basename(bundleOf(bundler))));
      expect(logged.match(/token-counter-missing/g)).toHaveLength(1);
      expect(answers).toHaveLength(2);
      for (const { content, isError } of answers) {
        const text = content[0]?.text ?? "";
        expect(isError).toBeUndefined();
        expect(text).toContain("CONTENT_TRUNCATED");
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(BUDGET);
      }
    },
  );
});
