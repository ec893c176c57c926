import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { CheckTarget } from "../../src/doors/check/check-options.ts";
import { createPolicy } from "../../src/doors/check/policy/create-policy.ts";
import type { CheckReport } from "../../src/doors/check/report/check-report.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { behindGateway } from "./behind-gateway.ts";
import type { BrokenServer } from "./broken-server.ts";
import { brokenServers } from "./broken-servers.ts";
import { check } from "./check-each.ts";
import { findServer } from "./find-server.ts";
import { serverLink } from "./server-link.ts";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

interface Judged {
  /** Rules that the policy says it repairs. */
  readonly claimed: readonly string[];
  /** Those of them that are broken all the same. */
  readonly false: readonly string[];
}

function judge({ settings }: ReturnType<typeof createPolicy>, after: CheckReport): Judged {
  const claimed = settings.flatMap(({ repairs }) => repairs.map(({ rule }) => rule));
  const found = after.findings.map(({ rule }) => rule);
  return { claimed, false: claimed.filter((rule) => found.includes(rule)) };
}

async function inMemory({ rule, era = "legacy", dialect }: BrokenServer): Promise<Judged> {
  const link = serverLink(() => findServer(rule));
  const before = await check({ link }, era, dialect);
  // No server is started; the file only has to name something.
  const policy = createPolicy(before, { command: "server" }, { dialect });
  return judge(policy, await check({ link: behindGateway(link, policy.text) }, era, dialect));
}

/** With real processes: the gateway starts a server again that has ended. */
async function asProcesses({ rule, era = "legacy" }: BrokenServer): Promise<Judged> {
  const folder = mkdtempSync(join(tmpdir(), "repaired-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const target = { command: process.execPath, args: ["--import", "tsx", path("serve.ts"), rule] };
  const policy = createPolicy(await check(target, era), target);
  const file = join(folder, "policy.json");
  writeFileSync(file, policy.text);
  const main = path("../../src/cli/main.ts");
  const args = ["--import", "tsx", main, "gateway", "--store", "memory", "--config", file];
  const gateway: CheckTarget = { command: process.execPath, args };
  return judge(policy, await check(gateway, era));
}

const restarted = ["protocol/died", "call/survives"];
const inQuickRun = ["truth/success-flag"];
const tried = brokenServers.filter(
  ({ rule, transport }) =>
    transport === undefined && !restarted.includes(rule) && (isFullRun || inQuickRun.includes(rule)),
);

describe("a server that breaks a rule, behind the gateway with the policy of its check", () => {
  const claimed = new Set<string>();

  it.each(tried)("keeps every rule that the policy says it repairs: $rule", async (broken) => {
    const judged = await inMemory(broken);
    for (const rule of judged.claimed) claimed.add(rule);
    expect(judged.false).toEqual([]);
  });

  it.runIf(isFullRun).each(brokenServers.filter(({ rule }) => restarted.includes(rule)))(
    "is started again where it ended: $rule",
    async (broken) => {
      const judged = await asProcesses(broken);
      expect(judged).toEqual({ claimed: expect.arrayContaining([broken.rule]), false: [] });
    },
  );

  it("is repaired by budgets, dialects, masks, hidden tools, text alone, and by the gateway itself", () => {
    const some = isFullRun
      ? [
          "size/message",
          "truth/success-flag",
          "error/leaks-secret",
          "definition/hidden-characters",
          "result/output-schema",
          "protocol/stray-output",
        ]
      : inQuickRun;
    expect([...claimed]).toEqual(expect.arrayContaining(some));
  });
});
