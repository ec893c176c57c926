import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { runInThisContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { addProbes } from "../../scripts/walk/add-probes.ts";

interface Ended {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

async function walk(...args: readonly string[]): Promise<Ended> {
  return new Promise((done) => {
    const command = ["--import", "tsx", "scripts/walk/main.ts", ...args];
    execFile(process.execPath, command, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : (error.code ?? "signal"), stdout, stderr }),
    );
  });
}

describe("npm run walk", () => {
  it.runIf(isFullRun)(
    "prints the files of a journey in order of first entry, with their functions",
    async () => {
      const { code, stdout } = await walk("validate");
      expect(code).toBe(0);
      // Below the totals are the files that were entered more than once.
      const [above = ""] = stdout.split(/^\d+ files, /m);
      const files = [...above.matchAll(/^ +\d+ {2}(src\/\S+)$/gm)].map(([, file = ""]) => file);
      expect(files.length).toBeGreaterThan(10);
      expect(files.every((file) => existsSync(file))).toBe(true);
      const at = (file: string): number => files.indexOf(file);
      expect(at("src/cli/run.ts")).toBe(0);
      expect(at("src/cli/commands/validate.ts")).toBeGreaterThan(0);
      expect(at("src/core/pipeline/dialect/validate-response.ts")).toBeGreaterThan(
        at("src/cli/commands/validate.ts"),
      );
      expect(stdout).toContain("runCli, ");
      expect(stdout).toMatch(new RegExp(`^${files.length} files, \\d+ functions, \\d+ calls$`, "m"));
    },
  );

  it.runIf(isFullRun)("gives the same walk as JSON, or the files alone", async () => {
    const { stdout } = await walk("call", "--json", "--files");
    const { journey, files, totals } = JSON.parse(stdout) as {
      journey: string;
      files: string[];
      totals: { files: number };
    };
    expect(journey).toBe("call");
    expect(files).toHaveLength(totals.files);
    expect(files).toContain("src/core/pipeline/pipeline.ts");
    expect(files.filter((file) => !file.startsWith("src/") || file.startsWith("src/doors/client/"))).toEqual(
      [],
    );
  });

  it("refuses a journey or an option that it does not know with exit code 2", async () => {
    const [journey, option] = await Promise.all([walk("holiday"), walk("call", "--fast")]);
    expect(journey).toMatchObject({ code: 2, stdout: "" });
    expect(journey.stderr).toContain('There is no journey "holiday".');
    expect(journey.stderr).toContain("call|cut|complete|digest|validate");
    expect(option).toMatchObject({ code: 2, stdout: "" });
    expect(option.stderr).toContain("--fast");
  });
});

describe("a probe", () => {
  const source = `
    function named(a: number): number;
    function named(a: unknown) { return [1].map((x) => x)[0]; }
    class Box { #n = 1; get n() { return this.#n; } async read() { await null; await null; } }
    const short = () => ({ n: 1 });
  `;

  it("reports each function once a call, async ones too, and says where a nameless one is", async () => {
    const seen: string[] = [];
    Reflect.set(globalThis, "__probe", (file: string, name: string) => seen.push(`${file} ${name}`));
    const { transformWithOxc } = await import("vite");
    const { code } = await transformWithOxc(addProbes(source, "a.ts", "globalThis.__probe"), "a.ts");
    const { named, Box, short } = runInThisContext(
      `(() => { ${code}; return { named, Box, short }; })()`,
    ) as {
      named: (a: number) => number;
      Box: new () => { n: number; read: () => Promise<void> };
      short: () => object;
    };
    expect([named(1), new Box().n, short()]).toEqual([1, 1, { n: 1 }]);
    await new Box().read();
    expect(seen).toEqual(["a.ts named", "a.ts (inside named)", "a.ts get n", "a.ts short", "a.ts read"]);
    Reflect.deleteProperty(globalThis, "__probe");
  });
});
