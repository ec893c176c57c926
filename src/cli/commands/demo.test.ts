import { beforeAll, describe, expect, it } from "vitest";
import { stages } from "../../core/pipeline/pipeline.ts";
import { validateResponse } from "../../core/pipeline/dialect/validate-response.ts";
import { dialectIds } from "../../core/contract/dialect-id.ts";
import { profileNames } from "../../core/contract/choices.ts";
import { parcels } from "../demo/gateway-tour.ts";
import { type RunResult, runInProcess } from "../run-in-process.fixture.ts";

interface DemoStep {
  name: string;
  change: string;
  bytes: number;
  json: unknown;
}

const stepsOf = async (...args: string[]): Promise<DemoStep[]> =>
  JSON.parse((await runInProcess(["demo", "--json", ...args])).stdout).data.steps;

let plain: RunResult;
beforeAll(async () => {
  plain = await runInProcess(["demo"]);
});

describe("waybill demo", () => {
  it("shows the handler and every stage of the pipeline, in its order", () => {
    const { exitCode, stdout } = plain;
    expect(exitCode).toBe(0);
    const titles = stdout.match(/^\d\. \w+ {2}.*$/gm);
    expect(titles).toEqual([
      "0. handler  task_query returns",
      ...stages.map(({ name, does }, index) => `${index + 1}. ${name}  ${does}`),
    ]);
  });

  it("says which fields the shape stage removed", () => {
    expect(plain.stdout).toContain("removed /data/tasks/*/cost_cents, /data/query_plan");
  });

  it("counts the bytes of the JSON it shows", async () => {
    for (const { bytes, json } of await stepsOf("--dialect", "response-v2"))
      expect(bytes).toBe(JSON.stringify(json).length);
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

  const ways = dialectIds.flatMap((dialect) => profileNames.map((profile) => [dialect, profile] as const));
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
    const { stdout } = plain;
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
      (await runInProcess(["demo", "--fail", ...args], options)).stdout.includes("\u001b[");
    expect(await hasColours([], { terminal: true })).toBe(true);
    expect(await hasColours([], {})).toBe(false);
    expect(await hasColours(["--no-color"], { terminal: true })).toBe(false);
    expect(await hasColours([], { terminal: true, env: { NO_COLOR: "1" } })).toBe(false);
    expect(await hasColours([], { terminal: true, env: { TERM: "dumb" } })).toBe(false);
  });

  it("fits a terminal of 110 columns", () => {
    const { stdout } = plain;
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(110);
  });

  it("goes on with the gateway only where no option is about the walk", async () => {
    expect(plain.stdout).toContain("The gateway in front of a server with 600 parcels:");
    const walked = await runInProcess(["demo", "--profile", "minimal"]);
    expect(walked.stdout).not.toContain("The gateway");
    const both = await runInProcess(["demo", "--gateway", "--fail"]);
    expect(both.exitCode).toBe(2);
    expect(both.stderr).toContain("--gateway shows the gateway alone, so --fail has no effect beside it.");
  });
});

interface DemoScene {
  readonly title: string;
  readonly tokens: number;
  readonly json: {
    readonly announced?: string;
    readonly found?: string;
    readonly data?: Readonly<Record<string, unknown>>;
    readonly meta?: { readonly content_archive_hashes?: Readonly<Record<string, string>> };
  };
}

describe("waybill demo --gateway", () => {
  let scenes: ReadonlyMap<string, DemoScene>;
  beforeAll(async () => {
    const { stdout } = await runInProcess(["demo", "--gateway", "--json"]);
    const { gateway } = JSON.parse(stdout).data as { readonly gateway: readonly DemoScene[] };
    scenes = new Map(gateway.map((scene) => [scene.title, scene]));
  });
  const jsonOf = (title: string): DemoScene["json"] => scenes.get(title)?.json ?? {};

  it("cuts a list that is over its budget, and the whole that comes back has the announced hash", () => {
    expect(scenes.get("without the gateway")?.tokens).toBeGreaterThan(10_000);
    expect(scenes.get("cut")?.tokens).toBeLessThanOrEqual(1_000);
    const [hash] = Object.values(jsonOf("cut").meta?.content_archive_hashes ?? {});
    expect(jsonOf("the whole")).toEqual({ announced: hash, found: hash });
  });

  it("fetches one record that was left out, verified", () => {
    expect(jsonOf("retrieval").data).toMatchObject({
      verified: true,
      items: [{ pointer: "/parcels/410", value: parcels[410] }],
    });
  });

  it("answers a question over the whole", () => {
    const countOf = (wanted: string) => parcels.filter(({ status }) => status === wanted).length;
    expect(jsonOf("question").data).toMatchObject({
      selected: { late: countOf("late"), delivered: countOf("delivered") },
      records: 600,
    });
  });

  it("gives a failure its code", () => {
    expect(jsonOf("a failure, without the gateway")).toBe("Parcel not found: P-4110");
    expect(jsonOf("a failure").data).toMatchObject({ error_code: "NOT_FOUND", error_type: "not_found" });
  });
});
