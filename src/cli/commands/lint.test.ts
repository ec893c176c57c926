import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runInProcess } from "../run-in-process.fixture.ts";
import { tempFiles } from "../temp-files.fixture.ts";

const head =
  'import { createContract, defineTool, serve } from "waybill/server";\nimport * as z from "zod";\n';
const tool = (name: string, options = ""): string =>
  `defineTool("${name}", { description: "Gives ${name} of the shop.", inputSchema: z.object({ id: z.string() }), ${options} }, () => ({}))`;

/** Runs `waybill lint` on a module with this source. */
async function lint(source: string, ...more: readonly string[]) {
  const cwd = tempFiles({ "tools.mjs": head + source });
  return runInProcess(["lint", "tools.mjs", ...more], { cwd });
}

describe("waybill lint", () => {
  it.each([
    ["one tool", `export const a = ${tool("one")};`, 1],
    ["some", `export const a = ${tool("one")};\nexport const b = ${tool("two")};`, 2],
    ["a list", `export const all = [${tool("one")}, ${tool("two")}];`, 2],
    ["a default export", `export default [${tool("one")}];`, 1],
    ["one twice", `export const a = ${tool("one")};\nexport const all = [a];`, 1],
    ["a contract", `export const c = createContract({ tools: [${tool("one")}] });`, 1],
    ["what serve is given", `await serve({ name: "shop", version: "1.0.0", tools: [${tool("one")}] });`, 1],
    [
      "what serveFetch is given",
      `import { serveFetch } from "waybill/web"; export default { fetch: serveFetch({ name: "shop", version: "1.0.0", tools: [${tool("one")}] }) };`,
      1,
    ],
    [
      "a contract that serveFetch is given",
      `import { serveFetch } from "waybill/web"; serveFetch(createContract({ name: "shop", version: "1.0.0", tools: [${tool("one")}] }));`,
      1,
    ],
    [
      "what serve is given later",
      `setTimeout(() => void serve({ name: "shop", version: "1.0.0", tools: [${tool("one")}] }), 50);`,
      1,
    ],
  ])("finds the tools of %s", async (_, source, amount) => {
    const { exitCode, stdout, stderr } = await lint(source);
    expect(stderr).toBe("");
    expect(stdout).toBe(`${amount} ${amount === 1 ? "tool" : "tools"}: 0 errors, 0 warnings, 0 remarks\n`);
    expect(exitCode).toBe(0);
  });

  it("says what is wrong by tool, and how to mend it", async () => {
    const fields = "inputSchema: z.object({ a: z.string(), b: z.ulid() })";
    const { exitCode, stdout } = await lint(`export const a = ${tool("shop.list", fields)};`);
    expect(stdout.split("\n").filter((line) => !line.startsWith("    "))).toEqual([
      "shop.list (tools.mjs:3)",
      "  warning definition/name-portable at /name",
      "  remark definition/format-known at /inputSchema/properties/b/format",
      "  remark definition/field-description at /inputSchema/properties",
      "1 tool: 0 errors, 1 warning, 2 remarks",
      "",
    ]);
    expect(stdout).toContain('    The format is "ulid".\n    Say in the description');
    expect(exitCode).toBe(0);
  });

  it("fails for warnings with --strict, and shows and leaves out what it is told to", async () => {
    const source = `export const a = ${tool("shop.list", "annotations: { readOnlyHint: true }")};`;
    await expect(lint(source, "--strict")).resolves.toMatchObject({ exitCode: 1 });
    const ignored = await lint(source, "--strict", "--ignore", "definition/name-portable");
    expect(ignored).toMatchObject({ exitCode: 0, stdout: "1 tool: 0 errors, 0 warnings, 0 remarks\n" });
    const quiet = await lint(source, "--level", "error");
    expect(quiet.stdout).toBe("1 tool: 0 errors, 1 warning, 0 remarks\n");
    const misspelt = await lint(source, "--ignore", "definition/name");
    expect(misspelt).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("is no rule. Did you mean"),
    });
  });

  it("tells a refused option as a finding, with what was meant", async () => {
    const { exitCode, stdout, stderr } = await lint(`export const a = ${tool("one", "timeoutMS: 5")};`);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("one (tools.mjs:3)\n  error author/options at /timeoutMS\n");
    expect(stdout).toContain('Did you mean "timeoutMs"?');
    expect(stderr).toContain("its other tools were not seen");
  });

  it("says with --json too where a tool is named", async () => {
    const { stdout } = await lint(`export const a = ${tool("shop.list")};`, "--json");
    const [first] = JSON.parse(stdout).data.findings;
    expect(first).toMatchObject({ tool: "shop.list", place: { file: "tools.mjs", line: 3 } });
  });

  it("prints one envelope with --json, whatever the module prints", async () => {
    const source = `console.log("hello");\nexport const a = ${tool("shop.list")};`;
    const { stdout } = await lint(source, "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      success: true,
      data: {
        tools: 1,
        counts: { error: 0, warning: 1, info: 0 },
        findings: [
          { rule: "definition/name-portable", tool: "shop.list", severity: "warning", path: "/name" },
        ],
      },
    });
    const failed = await lint(source, "--json", "--strict");
    expect(JSON.parse(failed.stdout)).toMatchObject({ success: false, data: { findings: [{}] } });
  });

  it.each([
    ["export const a = 5;", "tools.mjs has no tools."],
    ["throw new Error('no database');", "tools.mjs cannot be loaded: Error: no database"],
    ["throw 'nothing';", "tools.mjs cannot be loaded: nothing"],
    ["process.exit(0);", "tools.mjs ends the process while it is loaded, with exit code 0."],
    ['import "./nowhere.mjs";', "tools.mjs cannot be loaded: "],
    ["createContract({ budgets: 1 });", 'cannot be loaded: createContract: "budgets" is not a known key.'],
    [
      `const a = ${tool("one")}; await serve({ name: "s", version: "1.0.0", tools: [a, a] });`,
      'Two tools are called "one".',
    ],
  ])("refuses %j with a sentence", async (source, sentence) => {
    const { exitCode, stdout, stderr } = await lint(source);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain("    at ");
  });

  it("judges the tools of several modules together, under the configuration that serve would find", async () => {
    const list = "outputSchema: z.object({ orders: z.array(z.string()) })";
    const cwd = tempFiles({
      "orders.mjs": `${head}export const a = ${tool("orders", list)};`,
      "server.mjs": `${head}await serve({ name: "shop", version: "1.0.0", tools: [${tool("Orders")}] });`,
      "waybill.config.json": JSON.stringify({ budget: { tokens: "off" } }),
    });
    const { stdout } = await runInProcess(["lint", "orders.mjs", "server.mjs", "--json"], { cwd });
    const { findings } = (JSON.parse(stdout) as { data: { findings: { rule: string }[] } }).data;
    expect(findings.map(({ rule }) => rule)).toContain("definition/name-ambiguous");
    expect(findings.map(({ rule }) => rule)).toContain("author/list-bounded");
  });
});

describe("waybill docs", () => {
  const source = `export const tools = [
  defineTool("find_orders", {
    title: "Find orders",
    description: "Finds the orders of a customer, newest first. One page at a time.",
    inputSchema: z.object({
      customer: z.string().describe("The customer's id | e.g. c-1."),
      status: z.enum(["open", "sent"]).default("open"),
      tags: z.array(z.string()).optional(),
    }),
    outputSchema: z.object({ orders: z.array(z.object({ id: z.string(), note: z.string().optional() })) }),
    paging: true,
    annotations: { readOnlyHint: true },
    errors: { no_customer: { code: "NOT_FOUND", when: "No customer has this id", remediation: "List customers." }, busy: { code: "UNAVAILABLE", when: "The shop is closed" } },
  }, () => ({ orders: [] })),
  defineTool("ping", { description: "Answers." }, () => ({})),
];`;

  it("writes a page of arguments, result, errors, pages and tokens", async () => {
    const cwd = tempFiles({ "shop.mjs": head + source });
    const { exitCode, stdout } = await runInProcess(["docs", "shop.mjs"], { cwd });
    expect(exitCode).toBe(0);
    for (const line of [
      "# shop",
      "| [`find_orders`](#find_orders) | Finds the orders of a customer, newest first. |",
      "**Find orders**",
      "- It changes nothing.",
      "- It gives its result in pages: send `cursor` of one page to get the next, and `limit` for the size.",
      "| `customer` | string | yes | The customer's id \\| e.g. c-1. |",
      '| `status` | "open" or "sent" | no | Default: "open". |',
      "| `tags` | list of string | no |  |",
      "| `limit` | integer | no | How many items the page has at most. |",
      "| `orders` | list of object |  |",
      "| `orders[].id` | string |  |",
      "| `orders[].note` | string, optional |  |",
      "| `no_customer` | `NOT_FOUND` | No customer has this id | List customers. | no |",
      "| `busy` | `UNAVAILABLE` | The shop is closed | Retry with backoff. | yes |",
      "None.",
      "The tool has no output schema.",
    ])
      expect(stdout.split("\n")).toContain(line);
    expect(stdout).toMatch(/^2 tools, \d+ tokens \(o200k_base\)\. /m);
  });

  it("says what the tool costs that the contract adds, where it adds one", async () => {
    const served = (more: string): string =>
      `${head}await serve({ name: "shop", version: "1.0.0", tools: [${tool("one")}]${more} });`;
    const cwd = tempFiles({ "keeps.mjs": served(""), "keeps-not.mjs": served(", store: false") });
    const { stdout } = await runInProcess(["docs", "keeps.mjs"], { cwd });
    const said =
      /^1 tool, (\d+) tokens \(o200k_base\)\. Waybill adds `waybill_retrieve` \((\d+) tokens\), by which callers fetch what was cut: (\d+) tokens in `tools\/list`\.$/m;
    const [, own, added, all] = (said.exec(stdout) ?? []).map(Number);
    expect(added).toBeGreaterThan(100);
    expect(all).toBe((own ?? 0) + (added ?? 0));
    const other = await runInProcess(["docs", "keeps-not.mjs"], { cwd });
    expect(other.stdout).toMatch(/^1 tool, \d+ tokens \(o200k_base\) in `tools\/list`\.$/m);
  });

  it("writes it to a file, and not over the module", async () => {
    const cwd = tempFiles({ "shop.mjs": head + source });
    const { stdout } = await runInProcess(["docs", "shop.mjs", "--out", "TOOLS.md"], { cwd });
    expect(stdout).toBe("TOOLS.md: 2 tools\n");
    expect(readFileSync(join(cwd, "TOOLS.md"), "utf8")).toMatch(/^# shop\n/);
    const over = await runInProcess(["docs", "shop.mjs", "--out", "shop.mjs"], { cwd });
    expect(over).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("overwrite") });
  });

  it("refuses a tool that cannot be listed", async () => {
    const plain = 'export const a = { name: "one", config: { timeoutMS: 1 }, handler: () => ({}) };';
    const cwd = tempFiles({ "shop.mjs": plain });
    const { exitCode, stderr } = await runInProcess(["docs", "shop.mjs"], { cwd });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('The tool one cannot be listed: "timeoutMS" is not a known key.');
  });
});
