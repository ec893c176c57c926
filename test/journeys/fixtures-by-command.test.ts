import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { listValidationRules } from "../../src/core/rules/result/contract-rules.ts";
import { runInProcess } from "../../src/cli/run-in-process.fixture.ts";

interface SeedFixture {
  readonly file: string;
  readonly dialect: string;
  readonly level: string;
  readonly method?: string;
}

interface Twin {
  readonly file: string;
  readonly rule: string;
  readonly dialect?: string;
  readonly level: string;
}

const fixtures = new URL("../fixtures/", import.meta.url);
const pathOf = (file: string): string => fileURLToPath(new URL(file, fixtures));
const read = (file: string): unknown => JSON.parse(readFileSync(pathOf(file), "utf8"));

const seeds = (read("seeds/index.json") as SeedFixture[]).filter(
  ({ level }) => level !== "config" && level !== "digest" && level !== "printed",
);
const rules = listValidationRules();
const listed = read("broken/index.json") as Twin[];
const messages: Twin[] = rules
  .filter(({ level }) => level === "message")
  .map(({ id }) => ({ file: `${id}.json`, rule: id, level: "message" }));

/** An initialize or tools/list result is judged as part of its message. */
function argsOf({ file, dialect, level, method }: SeedFixture): { args: string[]; stdin?: string } {
  const isProtocolResult = level === "result" && method !== undefined && method !== "tools/call";
  if (isProtocolResult) {
    const message = { jsonrpc: "2.0", id: 1, result: read(`seeds/${file}`) };
    return { args: ["--level", "message", "--method", method, "-"], stdin: JSON.stringify(message) };
  }
  const asked = level === "request" ? "message" : level;
  return { args: ["--dialect", dialect, "--level", asked, pathOf(`seeds/${file}`)] };
}

describe("waybill validate", () => {
  it.each(seeds)("accepts $file", async (fixture) => {
    const { args, stdin } = argsOf(fixture);
    const { exitCode, stdout } = await runInProcess(
      ["validate", ...args],
      stdin === undefined ? {} : { stdin },
    );
    expect(stdout).toContain("valid");
    expect(exitCode).toBe(0);
  });

  it.each([...listed, ...messages])(
    "refuses the twin of $rule for that rule alone, and without --strict only where it is a MUST",
    async ({ file, rule, dialect, level }) => {
      const asked = ["--level", level, ...(dialect === undefined ? [] : ["--dialect", dialect])];
      const strict = await runInProcess([
        "validate",
        "--json",
        "--strict",
        ...asked,
        pathOf(`broken/${file}`),
      ]);
      const { data } = JSON.parse(strict.stdout) as {
        data: { results: { violations: { rule: string }[] }[] };
      };
      const broken = data.results.flatMap(({ violations }) => violations.map((violation) => violation.rule));
      expect([...new Set(broken)]).toEqual([rule]);
      expect(strict.exitCode).toBe(1);
      const { exitCode } = await runInProcess(["validate", ...asked, pathOf(`broken/${file}`)]);
      expect(exitCode).toBe(rules.find(({ id }) => id === rule)?.severity === "MUST" ? 1 : 0);
    },
  );

  it("has a twin for every rule that text can break", () => {
    const twins = new Set([...listed, ...messages].map(({ rule }) => rule));
    expect(rules.map(({ id }) => id).filter((id) => !twins.has(id))).toEqual(["json/value"]);
  });
});
