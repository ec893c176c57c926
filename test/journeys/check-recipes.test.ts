import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { isFullRun } from "../arbitrary/law-runs.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(join(root, "docs/check.md"), "utf8");

interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const action = parse(readFileSync(join(root, "action.yml"), "utf8")) as Action;
const [step = {}] = action.runs.steps;

function blockOf(name: string): unknown {
  const [, text = ""] =
    new RegExp(`<!-- ${name}:begin -->\n\`\`\`yaml\n([^]*?)\`\`\`\n<!-- ${name}:end -->`).exec(page) ?? [];
  return parse(text);
}

const workflow = blockOf("action") as {
  readonly jobs: { readonly check: { readonly steps: readonly Step[] } };
};
const hooks = blockOf("pre-commit") as {
  readonly repos: readonly [{ readonly hooks: readonly [{ readonly entry: string }] }];
};

/** A server of the repository under the name that the recipes use, and `npx` that runs the source. */
function makeProject(rule: string): { readonly folder: string; readonly env: NodeJS.ProcessEnv } {
  const folder = mkdtempSync(join(tmpdir(), "recipes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  buildSync({
    entryPoints: [join(root, "test/broken-servers/serve.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    // These servers read their fixtures from the root.
    banner: { js: `process.chdir(${JSON.stringify(root)}); process.argv[2] = ${JSON.stringify(rule)};` },
    outfile: join(folder, "server.js"),
  });
  const npx = join(folder, "npx");
  const main = join(root, "src/cli/main.ts");
  const loader = join(root, "node_modules/tsx/dist/loader.mjs");
  // Options of npx, and the package with its version, come before the words of the command.
  writeFileSync(
    npx,
    `#!/usr/bin/env bash
while [[ $1 == -* ]]; do shift; done
[[ $1 == waybill || $1 == waybill@latest ]] || { echo "npx $1?" >&2; exit 9; }
shift
exec node --import ${JSON.stringify(loader)} ${JSON.stringify(main)} "$@"
`,
  );
  chmodSync(npx, 0o755);
  return { folder, env: { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}` } };
}

/** What a runner does with a step: its variables are filled with the inputs, and the script is run by bash. */
function runStep(given: Readonly<Record<string, string>>, rule: string) {
  const { folder, env } = makeProject(rule);
  const inputOf = (name: string): string => given[name] ?? action.inputs[name]?.default ?? "";
  const filled = Object.fromEntries(
    Object.entries(step.env ?? {}).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{\{ inputs\.(\w+) \}\}/g, (_all, input: string) => inputOf(input)),
    ]),
  );
  const options = { cwd: folder, env: { ...env, ...filled }, encoding: "utf8" } as const;
  // As the runner starts bash.
  const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run ?? ""];
  return { ...spawnSync("bash", args, options), folder };
}

describe("action.yml", () => {
  it("is a composite action whose script sees inputs as variables only", () => {
    expect(action.runs.using).toBe("composite");
    expect(action.runs.steps).toHaveLength(1);
    expect(step.shell).toBe("bash");
    expect(step.run).not.toContain("${{");
    const used = Object.values(step.env ?? {}).flatMap((value) =>
      [...value.matchAll(/inputs\.(\w+)/g)].map(([, name]) => name ?? ""),
    );
    expect(used.toSorted()).toEqual(Object.keys(action.inputs).toSorted());
    for (const name of Object.keys(step.env ?? {})) expect(step.run).toContain(`$${name}`);
  });

  it("is used by the page with inputs that it has", () => {
    const uses = workflow.jobs.check.steps.find(({ uses: used }) => used?.startsWith("waybill-mcp/waybill@"));
    const names = Object.keys(uses?.with ?? {});
    expect(names).toContain("server");
    expect(names.filter((name) => action.inputs[name] === undefined)).toEqual([]);
    const upload = workflow.jobs.check.steps.at(-1);
    expect(upload?.with?.["sarif_file"]).toBe(action.inputs["sarif"]?.default);
  });

  it.runIf(isFullRun)("passes a good server and writes its three reports, in words with blanks too", () => {
    const { status, folder, stderr } = runStep(
      { server: "node './server.js'", options: "--timeout 5 --era legacy", html: "a page.html" },
      "good",
    );
    expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
    for (const file of ["waybill.sarif", "waybill-junit.xml", "a page.html"])
      expect(existsSync(join(folder, file))).toBe(true);
    expect(JSON.parse(readFileSync(join(folder, "waybill.sarif"), "utf8"))).toMatchObject({
      version: "2.1.0",
    });
  });

  it.runIf(isFullRun)("fails for a server with an error", () => {
    const { status, stdout, folder } = runStep({ server: "node server.js" }, "truth/success-flag");
    expect(status).toBe(1);
    expect(stdout).toContain("truth/success-flag");
    expect(readFileSync(join(folder, "waybill.sarif"), "utf8")).toContain("truth/success-flag");
  });
});

describe("the recipe for pre-commit", () => {
  const [{ hooks: list }] = hooks.repos;
  const [{ entry }] = list;

  it("is a local hook that checks the server", () => {
    expect(hooks).toMatchObject({
      repos: [{ repo: "local", hooks: [{ language: "system", pass_filenames: false }] }],
    });
    expect(entry).toMatch(/^npx waybill check /);
  });

  it.runIf(isFullRun).each([
    ["good", 0],
    ["truth/success-flag", 1],
  ])("ends as the check of a server does: %s", (rule, code) => {
    const { folder, env } = makeProject(rule);
    const [command = "", ...args] = entry.split(" ");
    expect(spawnSync(command, args, { cwd: folder, env }).status).toBe(code);
  });
});
