import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckTarget } from "../../src/doors/check/check-options.ts";
import type { CheckReport } from "../../src/doors/check/report/check-report.ts";
import { serverRules } from "../../src/core/rules/server-rules.ts";
import { isFullRun, someOf } from "../arbitrary/law-runs.ts";
import type { BrokenServer } from "./broken-server.ts";
import { brokenServers } from "./broken-servers.ts";
import { check, failedRules } from "./check-each.ts";
import { findServer } from "./find-server.ts";
import { overHttp } from "./http-server.ts";
import { serverLink } from "./server-link.ts";

const root = new URL("../..", import.meta.url).pathname;
let bundle = "";

// One file without types starts in a third of the time that the sources take.
beforeAll(() => {
  if (!isFullRun) return;
  bundle = join(mkdtempSync("/tmp/waybill-broken-"), "serve.mjs");
  const entryPoints = [join(root, "test/broken-servers/serve.ts")];
  buildSync({ entryPoints, bundle: true, platform: "node", format: "esm", outfile: bundle });
});
afterAll(() => {
  if (bundle !== "") rmSync(join(bundle, ".."), { recursive: true });
});

const inMemory = (rule: string): CheckTarget => ({ link: serverLink(() => findServer(rule)) });
const asProcess = (rule: string): CheckTarget => ({
  command: process.execPath,
  args: [bundle, rule],
  cwd: root,
});

const eras = ["legacy", "modern"] as const;
const ids = serverRules.map(({ id }) => id).sort();

/** Those that wait for a time limit, or whose answers are large, are for the full run. */
const slow = new Set(["size/message", "call/cancel", "call/time-limit", "protocol/string-id", "list/tokens"]);
const quick = isFullRun ? brokenServers : brokenServers.filter(({ rule }) => !slow.has(rule));

async function findingsOf(broken: BrokenServer, target: CheckTarget): Promise<readonly string[]> {
  const { rule, era = "legacy", dialect, transport, listen = overHttp } = broken;
  if (transport !== "http") return failedRules(await check(target, era, dialect));
  const listening = await listen(findServer(rule));
  try {
    return failedRules(await check({ url: listening.url }, era, dialect));
  } finally {
    await listening.close();
  }
}

describe("the good server", () => {
  const reports: CheckReport[] = [];

  it.each(eras)("breaks no rule in the %s era", async (era) => {
    for (const name of ["good", "samples"]) {
      const report = await check(inMemory(name), era);
      expect(report.findings).toEqual([]);
      reports.push(report);
    }
  });

  it.runIf(isFullRun)("breaks no rule over HTTP", async () => {
    const listening = await overHttp(findServer("good"));
    for (const era of eras) {
      const report = await check({ url: listening.url }, era);
      expect(report.findings).toEqual([]);
      reports.push(report);
    }
    await listening.close();
  });

  it("lets every rule be tried", async () => {
    const elsewhere = await overHttp(findServer("samples"), { hasSessions: true });
    for (const era of eras) {
      const report = await check({ url: elsewhere.url }, era);
      expect(report.findings).toEqual([]);
      reports.push(report);
    }
    await elsewhere.close();
    const rules = reports.flatMap((report) => report.rules);
    const tried = new Set(rules.filter(({ status }) => status === "passed").map(({ id }) => id));
    expect(ids.filter((id) => !tried.has(id))).toEqual([]);
  });
});

describe("a broken server", () => {
  it("is there for every rule about servers, and for none that is gone", () => {
    expect(brokenServers.map(({ rule }) => rule).sort()).toEqual(ids);
  });

  it.each(someOf(quick, 25))("breaks $rule, and what that implies, and nothing else", async (broken) => {
    const { rule, implies = [] } = broken;
    expect(await findingsOf(broken, inMemory(rule))).toEqual([rule, ...implies].sort());
  });

  it.runIf(isFullRun).each(brokenServers)("breaks $rule as a process too", async (broken) => {
    const { rule, implies = [] } = broken;
    expect(await findingsOf(broken, asProcess(rule))).toEqual([rule, ...implies].sort());
  });
});
