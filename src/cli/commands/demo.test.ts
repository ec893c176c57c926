import { describe, expect, it } from "vitest";
import { stages } from "../../pipeline/pipeline.ts";
import { validateResponse } from "../../pipeline/dialect/validate-response.ts";
import { dialectChoices, profileChoices } from "../choices.ts";
import { runInProcess } from "../run-in-process.fixture.ts";

interface DemoStep {
  name: string;
  change: string;
  bytes: number;
  json: unknown;
}

const stepsOf = async (...args: string[]): Promise<DemoStep[]> =>
  JSON.parse((await runInProcess(["demo", "--json", ...args])).stdout).data.steps;

describe("waybill demo", () => {
  it("shows the handler and every stage of the pipeline, in its order", async () => {
    const { exitCode, stdout } = await runInProcess(["demo"]);
    expect(exitCode).toBe(0);
    const titles = stdout.match(/^\d\. \w+ {2}.*$/gm);
    expect(titles).toEqual([
      "0. handler  task_query returns",
      ...stages.map(({ name, does }, index) => `${index + 1}. ${name}  ${does}`),
    ]);
  });

  it("says which fields the shape stage removed", async () => {
    const { stdout } = await runInProcess(["demo"]);
    expect(stdout).toContain("removed /data/tasks/*/cost_cents, /data/query_plan");
  });

  it("counts the bytes of the JSON it shows", async () => {
    for (const { bytes, json } of await stepsOf()) expect(bytes).toBe(JSON.stringify(json).length);
  });

  it("says when a stage changes nothing", async () => {
    const { stdout } = await runInProcess(["demo", "--fail"]);
    expect(stdout).toMatch(/^2\. shape.*\n {3}.*nothing changed.*\n {3}\(as before\)$/m);
  });

  it("walks a thrown fault with --fail, and exits 0 since the demo worked", async () => {
    const { exitCode, stdout } = await runInProcess(["demo", "--fail"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("Task not found: task-404");
    expect(stdout).toContain("failure NOT_FOUND");
  });

  const ways = dialectChoices.flatMap((dialect) =>
    profileChoices.map((profile) => [dialect, profile] as const),
  );
  it.each(ways)("ends in a valid result in %s, profile %s", async (dialect, profile) => {
    for (const fail of [[], ["--fail"]]) {
      const result = (await stepsOf("--dialect", dialect, "--profile", profile, ...fail)).at(-1)?.json;
      const verdict = validateResponse(result, { dialect });
      expect(verdict).toMatchObject({ valid: true, level: "result" });
    }
  });

  it("answers a question in the stage shape, before anything is cut", async () => {
    const steps = await stepsOf("--select", "count_by(tasks, &status)");
    const shaped = steps.find(({ name }) => name === "shape");
    expect(shaped).toMatchObject({ json: { data: { completed: 1, pending: 2 } } });
    expect(shaped?.change).toContain("question answered");
    expect(validateResponse(steps.at(-1)?.json).valid).toBe(true);
    const wrong = await runInProcess(["demo", "--select", "count_by(tasks,"]);
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toMatch(/^waybill: The expression is wrong at character/);
  });

  it("ends with four commands to copy, each of which works", async () => {
    const { stdout } = await runInProcess(["demo"]);
    const commands = stdout.slice(stdout.indexOf("Try next:")).trim().split("\n").slice(1);
    expect(commands).toHaveLength(4);
    for (const command of commands) {
      let stdin: string | undefined;
      for (const part of command.split("|")) {
        const words = [...part.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
        const ran = await runInProcess(words.slice(1), stdin === undefined ? {} : { stdin });
        expect(ran.exitCode).toBe(0);
        stdin = ran.stdout;
      }
    }
  });

  it("is coloured on a terminal only, and never with NO_COLOR or --no-color", async () => {
    const hasColours = async (args: string[], options: Parameters<typeof runInProcess>[1]) =>
      (await runInProcess(["demo", ...args], options)).stdout.includes("\u001b[");
    expect(await hasColours([], { terminal: true })).toBe(true);
    expect(await hasColours([], {})).toBe(false);
    expect(await hasColours(["--no-color"], { terminal: true })).toBe(false);
    expect(await hasColours([], { terminal: true, env: { NO_COLOR: "1" } })).toBe(false);
    expect(await hasColours([], { terminal: true, env: { TERM: "dumb" } })).toBe(false);
  });

  it("fits a terminal of 110 columns", async () => {
    const { stdout } = await runInProcess(["demo"]);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(110);
  });
});
