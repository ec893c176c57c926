import { describe, expect, it } from "vitest";
import type { CheckTarget } from "../../src/doors/check/check-options.ts";
import { checkServer } from "../../src/doors/check/check-server.ts";
import type { CheckReport } from "../../src/doors/check/report/check-report.ts";
import { runInProcess } from "../../src/cli/run-in-process.fixture.ts";
import { until } from "../../src/engine/transport/until.fixture.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { type BadServer, badServer } from "./bad-servers.ts";
import { failedRules } from "./check-each.ts";
import { listenOn } from "./http-server.ts";

const limits = {
  startMs: 1_500,
  callMs: 300,
  totalMs: 60_000,
  maxMessageBytes: 4 * 1024 * 1024,
  listPages: 10,
  tools: 20,
  restarts: 3,
} as const;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Checks a server, and waits until none of its processes is left. */
async function checkBad(target: CheckTarget): Promise<CheckReport> {
  const pids: number[] = [];
  const onStderr = (line: string): void => {
    const [, pid] = /^pid (\d+)$/.exec(line) ?? [];
    if (pid !== undefined) pids.push(Number(pid));
  };
  const report = await checkServer(target, { era: "legacy", limits, onStderr });
  await until(() => !pids.some(isAlive));
  return report;
}

const bad = (name: BadServer, env?: Readonly<Record<string, string>>): Promise<CheckReport> =>
  checkBad(badServer(name, env));

/** The tools that were called, whatever else went wrong. */
const calledTools = ({ tools }: CheckReport): readonly string[] =>
  tools.filter(({ calls }) => calls > 0).map(({ name }) => name);

describe("a server that cannot be spoken to", () => {
  it("is reported when it ends before its first answer", async () => {
    const report = await bad("dies at start");
    expect(report.isReachable).toBe(false);
    expect(failedRules(report)).toContain("protocol/reachable");
  });

  it("is reported when its command does not exist", async () => {
    const report = await checkBad({ command: "/no/such/waybill-server" });
    expect(report.isReachable).toBe(false);
    expect(failedRules(report)).toContain("protocol/reachable");
  });

  it.runIf(isFullRun)("is reported when it never answers, and is ended", async () => {
    const report = await bad("hangs");
    expect(report.isReachable).toBe(false);
    expect(failedRules(report)).toContain("protocol/reachable");
  });

  it("is reported when no server listens at its URL", async () => {
    const listening = await listenOn(() => undefined);
    await listening.close();
    const report = await checkBad({ url: listening.url });
    expect(report.isReachable).toBe(false);
    expect(failedRules(report)).toContain("protocol/reachable");
  });

  it.each([401, 403, 404, 500, 503])("is reported when its URL refuses with %i", async (status) => {
    const listening = await listenOn((_, response) => response.writeHead(status).end("no"));
    const report = await checkBad({ url: listening.url });
    await listening.close();
    expect(report.isReachable).toBe(false);
    expect(failedRules(report)).toContain("protocol/reachable");
    expect(JSON.stringify(report.findings)).toContain(String(status));
  });

  it("is reported when its URL sends the client elsewhere, which is not followed", async () => {
    let visits = 0;
    const elsewhere = await listenOn((_, response) => {
      visits += 1;
      response.end();
    });
    const listening = await listenOn((_, response) =>
      response.writeHead(307, { Location: elsewhere.url }).end(),
    );
    const report = await checkBad({ url: listening.url });
    await listening.close();
    await elsewhere.close();
    expect(failedRules(report)).toContain("protocol/redirect");
    expect(visits).toBe(0);
  });

  it("is reported when its URL is a web page", async () => {
    const listening = await listenOn((_, response) =>
      response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Hello</h1>"),
    );
    const report = await checkBad({ url: listening.url });
    await listening.close();
    expect(report.isReachable).toBe(false);
  });

  it.runIf(isFullRun)("is reported when its URL takes the request and never answers", async () => {
    const listening = await listenOn(() => undefined);
    const report = await checkBad({ url: listening.url });
    await listening.close();
    expect(report.isReachable).toBe(false);
    expect(failedRules(report)).toContain("protocol/reachable");
  });
});

/** What a server does, the rule that tells of it, and the tools that are called all the same. */
const rows: readonly [server: BadServer, rule: string, tools: readonly string[]][] = [
  ["dies in a call", "call/survives", ["calm", "deadly", "calm_too"]],
  ["sends megabytes", "size/message", ["calm", "huge"]],
  ["sends without end", "call/time-limit", ["calm", "endless"]],
  ["lists in a circle", "list/cursor-advances", ["calm"]],
  ["hangs in a call", "call/time-limit", ["calm", "stuck"]],
  ["spins in a call", "call/time-limit", ["calm", "spin"]],
  ["talks on stdout", "protocol/stray-output", ["calm"]],
  ["has a catastrophic pattern", "definition/schema-usable", ["calm", "slow_output"]],
  ["has a catastrophic pattern", "result/output-schema", ["calm", "slow_output"]],
  ["sends bytes that are no text", "json/encoding", ["calm"]],
  ["nests without end", "json/depth", ["calm", "nested"]],
];

describe("the command", () => {
  const exits: readonly [server: BadServer, exitCode: number][] = [
    ["dies at start", 3],
    ["dies in a call", 1],
    ["talks on stdout", 1],
  ];

  it.runIf(isFullRun).each(exits)("of a server that %s exits with %i", async (server, expected) => {
    const { command, args } = badServer(server);
    const { exitCode } = await runInProcess(["check", "--era", "legacy", "--", command, ...args]);
    expect(exitCode).toBe(expected);
  });
});

describe("a server that misbehaves while it is probed", () => {
  it.runIf(isFullRun).each(rows)("%s: %s, and the check goes on", async (server, rule, tools) => {
    const report = await bad(server);
    expect(failedRules(report)).toContain(rule);
    expect(calledTools(report)).toEqual(tools);
  });

  it.runIf(isFullRun)("and never ends its list is listed up to a limit", async () => {
    const report = await bad("lists without end");
    expect(failedRules(report)).toContain("list/pages-end");
    expect(report.list.tools).toBe(limits.listPages);
  });

  it.runIf(isFullRun)("and lists ten thousand tools is measured, and some are called", async () => {
    const report = await bad("lists ten thousand tools");
    expect(report.list.tools).toBe(10_000);
    expect(calledTools(report)).toHaveLength(limits.tools);
  });

  it.runIf(isFullRun)("and never ends the pages of a tool is left after a few", async () => {
    const report = await bad("pages without end");
    expect(calledTools(report)).toEqual(["pages"]);
    expect(report.calls).toBeLessThan(100);
  });

  it.runIf(isFullRun)("and whose schemas are recursive is called all the same", async () => {
    const report = await bad("has recursive schemas");
    expect(report.isComplete).toBe(true);
    expect(calledTools(report)).toContain("tree");
  });

  it.runIf(isFullRun)("and whose schemas are absurd is called where it can be", async () => {
    const report = await bad("has absurd schemas");
    expect(report.isComplete).toBe(true);
  });

  it.runIf(isFullRun)("and whose schema is elsewhere is reported, and nothing is fetched", async () => {
    let visits = 0;
    const elsewhere = await listenOn((_, response) => {
      visits += 1;
      response.end("{}");
    });
    const report = await bad("has a schema elsewhere", { SCHEMA_URL: elsewhere.url });
    await elsewhere.close();
    expect(visits).toBe(0);
    expect(failedRules(report)).toContain("definition/schema-ref-network");
    // No arguments can be judged by a schema that is not here.
    expect(calledTools(report)).toEqual(["calm"]);
  });
});
