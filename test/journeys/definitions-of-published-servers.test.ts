import { describe, expect, test } from "vitest";
import { checkServer } from "../../src/doors/check/index.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { makeFolder, published } from "./published-servers.fixture.ts";

const judged = /^(?:protocol|jsonrpc|initialize|tools-list|modern|list|definition|meta)\//;

/** What servers that people use are told of their lists, besides fields without a description: each has its cause. */
const known: Readonly<Record<string, readonly string[]>> = {
  "server-sequential-thinking": ["definition/description-length sequentialthinking"],
  "server-pdf": ["definition/description-length interact", "definition/tokens interact"],
};

const servers = isFullRun ? published : published.filter(({ server }) => server === "server-memory");

describe.each(servers)("$server as it is on npm", ({ server, nodeArgs, env }) => {
  test("is told nothing of its protocol and its definitions without a cause", async () => {
    const folder = makeFolder();
    const target = { command: process.execPath, args: nodeArgs(folder), env: env?.(folder) };
    const { findings } = await checkServer(target, { limits: { callsPerTool: 1 } });
    const told = findings
      .filter(({ rule }) => judged.test(rule) && rule !== "definition/field-description")
      .map(({ rule, tool = "" }) => `${rule} ${tool}`);
    expect(told.toSorted()).toEqual(known[server] ?? []);
  }, 60_000);
});
