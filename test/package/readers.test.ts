import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readerPackages } from "../../src/engine/digest/sources/reader-packages.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
let project = "";

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(command: string, args: readonly string[], cwd = project): Ran {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  return { status, stdout, stderr };
}

function install(...packages: readonly string[]): void {
  const ran = run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...packages]);
  if (ran.status !== 0) throw new Error(ran.stderr);
}

const command = (): string => join(project, "node_modules/waybill/dist/cli/main.js");
const waybill = (...args: readonly string[]): Ran => run(process.execPath, [command(), ...args]);

const sentences = Array.from({ length: 60 }, (_, id) => `River ${id} is ${id + 100} km long.`);
const html = Object.entries(readerPackages.html).map(([name, version]) => `${name}@${version}`);

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "waybill-readers-"));
  run("npm", ["pack", "--silent", "--pack-destination", project], root);
  const archive = readdirSync(project).find((file) => file.endsWith(".tgz")) ?? "";
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
  install(`./${archive}`);
  writeFileSync(
    join(project, "page.html"),
    `<!doctype html><title>Rivers</title><p>${sentences.join("</p><p>")}</p>`,
  );
  writeFileSync(join(project, "rivers.md"), `# Rivers\n\n${sentences.join("\n\n")}\n`);
  writeFileSync(join(project, "rivers.txt"), sentences.join("\n"));
  writeFileSync(join(project, "orders.json"), '[{"id":1,"name":"a"},{"id":2,"name":"b"}]');
});

afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

describe("an install without the readers of documents", () => {
  it("has no package of theirs, and no TOON", () => {
    const installed = readdirSync(join(project, "node_modules"));
    const named = [
      "htmlparser2",
      "linkedom",
      "@mozilla",
      "markdown-it",
      "unpdf",
      "sharp",
      "@toon-format",
      "entities",
    ];
    expect(named.filter((name) => installed.includes(name))).toEqual([]);
  });

  it("digests a text", () => {
    const { status, stdout } = waybill("digest", "rivers.txt", "--query", "How long is river 12?");
    expect(stdout).toContain("River 12 is 112 km long.");
    expect(status).toBe(0);
  });

  it.each([
    ["page.html", "Reading HTML needs the packages htmlparser2, linkedom and @mozilla/readability", html],
    [
      "rivers.md",
      "Reading Markdown needs the packages markdown-it and htmlparser2",
      ["markdown-it@15.0.3", "htmlparser2@12.0.0"],
    ],
  ])("says of %s what to run, and ends with 2", (file, sentence, packages) => {
    const { status, stdout, stderr } = waybill("digest", file);
    expect(stderr).toBe(
      `waybill: ${file}: ${sentence}, which are not all installed.\nRun \`npm i ${packages.join(" ")}\`, then try again.\n`,
    );
    expect([status, stdout]).toEqual([2, ""]);
  });

  it("says the same of a PDF, as an envelope", () => {
    writeFileSync(join(project, "report.pdf"), "%PDF-1.4\n%%EOF\n");
    const { status, stdout } = waybill("digest", "report.pdf", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      success: false,
      data: { error_code: "NOT_IMPLEMENTED", remediation: "Run `npm i unpdf@1.7.0`, then try again." },
      error: "report.pdf: Reading PDF needs the package unpdf, which is not installed.",
    });
    expect(status).toBe(2);
  });

  it("gives the library a fault for the model, whose cause is for the author, from a worker and without one", () => {
    const script = `
      import { digestDocument } from "waybill/digest";
      const page = new TextEncoder().encode("<!doctype html><p>" + "Words of a page. ".repeat(90));
      for (const isolate of [true, false]) {
        const error = await digestDocument(page, { isolate }).catch((error) => error);
        console.log(JSON.stringify([error.name, error.code, error.message, error.cause.message]));
      }`;
    writeFileSync(join(project, "fault.mjs"), script);
    const [first, second] = run(process.execPath, ["fault.mjs"]).stdout.trim().split("\n");
    expect(JSON.parse(first ?? "")).toEqual([
      "ToolFault",
      "NOT_IMPLEMENTED",
      "HTML cannot be read here: its reader is not installed",
      `Reading HTML needs the packages htmlparser2, linkedom and @mozilla/readability, which are not all installed: run \`npm i ${html.join(" ")}\`.`,
    ]);
    expect(second).toBe(first);
  });

  it("is told by the doctor, with the command", () => {
    const { stdout } = waybill("doctor", "--json");
    const { data } = JSON.parse(stdout) as {
      data: { checks: { id: string; status: string; advice: string }[] };
    };
    const readers = data.checks.filter(({ id }) => id.startsWith("reader "));
    expect(readers.map(({ id, status }) => [id, status])).toEqual([
      ["reader html", "note"],
      ["reader markdown", "note"],
      ["reader pdf", "note"],
      ["reader pictures", "note"],
    ]);
    expect(readers[2]?.advice).toBe("Run `npm i unpdf@1.7.0`, then try again.");
  });

  it("compares payloads without TOON, and says how to get it", () => {
    const { status, stdout, stderr } = waybill("tokens", "--compare", "orders.json");
    expect(stdout).not.toContain("TOON");
    expect(stderr).toBe(
      "waybill: TOON is not compared: its package is not installed. Run `npm i @toon-format/toon@4.4.0`, then try again.\n",
    );
    expect(status).toBe(0);
  });

  it("is told in the start log of a server with a digest tool", () => {
    install("@modelcontextprotocol/server@2.4.0");
    const script = `
      import { digestTool, serve } from "waybill/server";
      await serve({ name: "library", version: "1.0.0", tools: [digestTool()], stdio: true });`;
    writeFileSync(join(project, "server.mjs"), script);
    const hello = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "test", version: "1.0.0" },
      },
    };
    const { stderr } = spawnSync(process.execPath, ["server.mjs"], {
      cwd: project,
      encoding: "utf8",
      input: `${JSON.stringify(hello)}\n`,
      timeout: 60_000,
    });
    const lines = stderr.split("\n").filter((line) => line.includes('"digest-readers"'));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { present: [], missing: ["html", "markdown", "pdf"], hint: expect.stringContaining("unpdf@1.7.0") },
    ]);
  });

  it("is bundled for a Worker without them: nothing fails, and what is left for the runtime is their imports", async () => {
    const { metafile, errors } = await build({
      stdin: {
        contents: 'export { createContract, digestTool } from "waybill/server";',
        resolveDir: project,
      },
      absWorkingDir: project,
      bundle: true,
      write: false,
      outfile: "worker.js",
      format: "esm",
      platform: "browser",
      conditions: ["workerd", "worker", "browser"],
      metafile: true,
      logLevel: "silent",
    });
    const [output] = Object.values(metafile.outputs);
    expect(errors).toEqual([]);
    expect(new Set(output?.imports.map(({ path }) => path))).toEqual(
      new Set(["htmlparser2", "linkedom/worker", "@mozilla/readability", "markdown-it", "unpdf"]),
    );
  });
});

describe("an install that gets a reader later", () => {
  // It follows the install above: what is missing there is here.
  it("reads what that reader is for, and nothing more", () => {
    install(...html);
    const page = waybill("digest", "page.html", "--query", "How long is river 12?");
    expect([page.status, page.stderr]).toEqual([0, ""]);
    expect(page.stdout).toContain("River 12 is 112 km long.");
    expect(waybill("digest", "rivers.md").status).toBe(2);
    const { stdout } = waybill("doctor");
    expect(stdout).toMatch(
      /ok +reader html +htmlparser2 12\.0\.0, linkedom 0\.18\.12, @mozilla\/readability 0\.6\.0/,
    );
  });
});
