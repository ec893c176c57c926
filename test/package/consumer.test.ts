import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const node24 = fileURLToPath(new URL("../../scripts/node24.mjs", import.meta.url));
let project = "";

function run(command: string, args: readonly string[], cwd = project): string {
  return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

const program = `
import { successResponse, errorResponse, validateResponse, translate, faults, errorRegistry } from "waybill";
import { contractClient, hasCode, type ToolsOf } from "waybill/client";
import { loadConfig } from "waybill/config";
import { digestDocument, verifyDigest } from "waybill/digest";
import { createFetcher } from "waybill/fetching";
import { createContract, defineTool } from "waybill/server";
import { assertResponse, runTool } from "waybill/testing";
import schema from "waybill/schemas/response-v2.schema.json" with { type: "json" };

const response = successResponse({ tasks: [{ id: "task-001" }] }, { requestId: "req_1" });
const id: string = response.data.tasks[0]?.id ?? "";
const failure = errorResponse("Spec not found: x", { errorCode: "SPEC_NOT_FOUND" });
const verdict = validateResponse(response, { dialect: "response-v2" });
const echo = defineTool("echo", { description: "Echo" }, async () => ({ said: "hi" }));
const { result, outcome } = await runTool(echo, {}, { contract: createContract({ name: "consumer" }) });
assertResponse(result, { dialect: "response-v2" });
const contract = createContract({ name: "consumer", tools: [echo] });
const tools = contractClient<ToolsOf<typeof contract>>(async ({ name }) =>
  name === echo.name ? (await runTool(echo, {}, { contract })).result : { content: [] },
);
const read = await tools.call("echo", {}, { complete: true });
const lost = await contractClient(async () => ({ structuredContent: failure, content: [] })).tryCall("lost");
const page = "<title>Rivers</title>" + Array.from({ length: 30 }, (_, i) => \`<p>River \${i} is \${i + 100} km long and was measured twice.</p>\`).join("");
const digest = await digestDocument(new TextEncoder().encode(page), { query: "How long is river 12?" });
const verified = await verifyDigest(digest.payload, digest.document ?? "");
const refused: unknown = await createFetcher()("http://127.0.0.1/").catch((error: { code: string }) => error.code);
const { settings } = await loadConfig({ environment: {}, home: ".", cwd: "." });
console.log(JSON.stringify({
  id,
  valid: verdict.valid,
  code: failure.data.error_code,
  scalpel: translate(response, { from: "response-v2", to: "scalpel", profile: "minimal" }),
  fault: faults.notFound("spec", "x").message,
  codes: errorRegistry.entries.length > 20,
  dialect: settings.dialect,
  said: outcome.ok ? outcome.data : null,
  read: read.data,
  lost: !lost.ok && hasCode(lost.error, "SPEC_NOT_FOUND") ? lost.error.retryRule : null,
  schema: schema.title,
  digest: [digest.document?.title, verified.valid, digest.payload?.evidence_snippets[0]?.text.includes("112 km")],
  refused,
}));
`;

const expected = {
  id: "task-001",
  valid: true,
  code: "SPEC_NOT_FOUND",
  scalpel: { data: { tasks: [{ id: "task-001" }] } },
  fault: "Spec not found: x",
  codes: true,
  dialect: "response-v2",
  said: { said: "hi" },
  read: { said: "hi" },
  lost: "never",
  schema: "response-v2: the four-key envelope with typed errors and metadata",
  digest: ["Rivers", true, true],
  refused: "FORBIDDEN",
};

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "waybill-consumer-"));
  run("npm", ["pack", "--silent", "--pack-destination", project], root);
  const archive = readdirSync(project).find((file) => file.endsWith(".tgz")) ?? "";
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
  run("npm", [
    "install",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    `./${archive}`,
    "zod@4.6.7",
    "@types/node@20",
    // What reads HTML is an optional peer.
    "htmlparser2@12.0.0",
    "linkedom@0.18.12",
    "@mozilla/readability@0.6.0",
  ]);
  writeFileSync(join(project, "main.ts"), program);
  const options = {
    strict: true,
    target: "es2023",
    module: "nodenext",
    types: ["node"],
    resolveJsonModule: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    outDir: "out",
  };
  writeFileSync(
    join(project, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, files: ["main.ts"] }),
  );
});

afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

describe("a project that installs the package", () => {
  it("compiles against its types, library checks included", () => {
    expect(run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "."])).toBe("");
  });

  it("imports every entry under this Node", () => {
    const output = run(process.execPath, ["--no-warnings", "out/main.js"]);
    expect(JSON.parse(output)).toEqual(expected);
  });

  it("imports every entry under Node 24", () => {
    const output = run(process.execPath, [node24, "--", "--no-warnings", join(project, "out/main.js")]);
    expect(JSON.parse(output)).toEqual(expected);
  });

  it("can require the root entry from CommonJS", () => {
    const script = 'console.log(require("waybill").successResponse({}).success)';
    writeFileSync(join(project, "common.cjs"), script);
    expect(run(process.execPath, ["--no-warnings", "common.cjs"]).trim()).toBe("true");
  });

  it("reads HTML in a worker thread, whose file is in the package", () => {
    const script = `
      import { digestDocument } from "waybill/digest";
      const page = "<title>Rivers</title>" + "<p>The river is 112 km long, and nobody has measured it twice.</p>".repeat(30);
      await digestDocument(new TextEncoder().encode(page), { query: "How long?" });
      console.log(process.report.getReport().workers.length);`;
    writeFileSync(join(project, "worker.mjs"), script);
    expect(run(process.execPath, ["worker.mjs"]).trim()).toBe("1");
  });

  it("gets the examples, the counter's data and the licences of what others made, and no source", () => {
    const files = readdirSync(join(project, "node_modules/waybill"), { recursive: true, encoding: "utf8" });
    expect(files).toEqual(
      expect.arrayContaining([
        "LICENSE",
        "examples/workshop/server.ts",
        "examples/agent-loop/main.ts",
        "vocabulary/o200k_base.bin",
        "vocabulary/cl100k_base.bin",
        "vocabulary/LICENSE-gpt-tokenizer.txt",
        "dist/LICENSE-zod.txt",
        "dist/LICENSE-entities.txt",
        "dist/LICENSE-jsonc-parser.md",
      ]),
    );
    expect(files.filter((file) => file.startsWith("src") || file.endsWith(".map"))).toEqual([]);
  });

  it("has the command on its path", () => {
    expect(run("npx", ["--no-install", "waybill", "--version"]).trim()).toMatch(/^\d+\.\d+\.\d+/);
  });

  // Last, since it installs the SDK, which the entries above do without.
  it("runs the server and the client of the README as they are pasted", () => {
    const readme = readFileSync(join(project, "node_modules/waybill/README.md"), "utf8");
    const block = (mark: string): string =>
      new RegExp(`<!-- ${mark} -->\\n\`\`\`(?:ts)?\\n([^]*?)\`\`\``).exec(readme)?.[1] ?? "";
    const sdk = ["@modelcontextprotocol/server@2.4.0", "@modelcontextprotocol/client@2.4.0", "tsx@4.23.15"];
    run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...sdk]);
    writeFileSync(join(project, "server.mts"), block("quick-start:begin"));
    writeFileSync(join(project, "client.mts"), block("readme: client.mts"));
    expect(run("npx", ["--no-install", "tsx", "client.mts"])).toBe(block("readme-output: client.mts"));
  });
});
