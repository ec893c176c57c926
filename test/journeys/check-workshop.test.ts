import { describe, expect, it, onTestFinished } from "vitest";
import type { CommandTarget, EraChoice } from "../../src/doors/check/check-options.ts";
import { checkServer } from "../../src/doors/check/check-server.ts";
import { createGateway } from "../../src/doors/gateway/create-gateway.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";

const root = new URL("../..", import.meta.url).pathname;
const tsx = [process.execPath, "--import", "tsx"] as const;
const workshop = [...tsx, "examples/workshop/stdio.ts"];
const gateway = [...tsx, "src/cli/main.ts", "gateway", "--", ...workshop];

function started([command = "", ...args]: readonly string[]): CommandTarget {
  return { command, args, cwd: root, env: { WORKSHOP_LOG: "off" } };
}

const ways: readonly [way: string, era: EraChoice, target: CommandTarget][] = [
  ["direct", "legacy", started(workshop)],
  ["direct", "modern", started(workshop)],
  ["behind the gateway", "legacy", started(gateway)],
  ["behind the gateway", "modern", started(gateway)],
];

describe("the workshop", () => {
  it.runIf(isFullRun).each(ways)("%s in the %s era breaks no rule", async (_, era, target) => {
    const { findings, isComplete, calls, counts } = await checkServer(target, { era });
    expect(findings).toEqual([]);
    expect(isComplete).toBe(true);
    // A check that tried little would find little.
    expect(calls).toBeGreaterThan(50);
    expect(counts.passed).toBeGreaterThan(120);
  });

  // The check calls some calls off, which over HTTP ends their streams and nothing else.
  it.runIf(isFullRun).each(["legacy", "modern"] as const)(
    "behind the gateway over HTTP in the %s era breaks no rule",
    async (era) => {
      const [command = "", ...args] = workshop;
      const gateway = createGateway({
        upstreams: { workshop: { command, args, cwd: root, env: { WORKSHOP_LOG: "off" }, inheritEnv: true } },
        http: { port: 0 },
        store: "memory",
        logLevel: "silent",
      });
      onTestFinished(() => gateway.close());
      const { urls } = await gateway.listen();
      const { findings, isComplete, calls } = await checkServer({ url: urls["workshop"] ?? "" }, { era });
      expect(findings).toEqual([]);
      expect(isComplete).toBe(true);
      expect(calls).toBeGreaterThan(50);
    },
  );
});
