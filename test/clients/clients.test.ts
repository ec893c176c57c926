import { basename } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aiSdk } from "./adapters/ai-sdk.ts";
import { codex, codexCode, codexSearch } from "./adapters/codex.ts";
import { langchain } from "./adapters/langchain.ts";
import { openaiAgents } from "./adapters/openai-agents.ts";
import { auditRuns } from "./histories.ts";
import { folderOf, install } from "./install.ts";
import { endAll, runClient } from "./laboratory.ts";
import { brokenBy, rowOf } from "./row-holds.ts";

const INSTALL_LIMIT_MS = 60_000;
const RUN_LIMIT_MS = 60_000;
const clients = [aiSdk, openaiAgents, langchain, codex, codexSearch, codexCode];
/** Those that tell clients apart; `npm run clients` runs all. */
const telling = [
  "thin_text",
  "structure_alone",
  "failure_outside_schema",
  "success_outside_schema",
  "text_60k",
];

/** Why a client cannot be run, by its folder. */
const problems = new Map<string, string>();

// Libraries take more memory than time, so one client runs after the other.
beforeAll(async () => {
  await Promise.all(
    // One of each folder: two installs would be in each other's way.
    [...new Map(clients.map((client) => [folderOf(client), client])).values()].map(async (client) => {
      const problem = await install(client, INSTALL_LIMIT_MS);
      if (problem !== undefined) problems.set(folderOf(client), problem);
    }),
  );
  if (problems.size > 0)
    process.stderr.write(
      `Skipped: ${[...problems].map(([folder, why]) => `${basename(folder)} is ${why}`).join("; ")}\n`,
    );
}, INSTALL_LIMIT_MS + 10_000);

afterAll(endAll);

describe.each(clients.map((client) => [client.name, client] as const))(
  "the model behind %s",
  (_name, client) => {
    it("is given what the row of its client says", { timeout: RUN_LIMIT_MS }, async ({ skip }) => {
      skip(problems.has(folderOf(client)), problems.get(folderOf(client)));
      const { outcomes } = await runClient(client, "direct", { shapes: telling });
      expect(brokenBy(rowOf(client), outcomes)).toEqual([]);
      expect(outcomes.some(({ lost, isCut }) => lost > 0 || isCut)).toBe(true);
    });

    it(
      "loses nothing behind the gateway, and nothing is cut again",
      { timeout: RUN_LIMIT_MS },
      async ({ skip }) => {
        skip(problems.has(folderOf(client)), problems.get(folderOf(client)));
        const { outcomes } = await runClient(client, "gateway", { shapes: telling, usesSource: true });
        const harmed = outcomes.filter(
          ({ lost, isCut, failure }) => lost > 0 || isCut || failure !== undefined,
        );
        expect(harmed.map(({ shape }) => shape)).toEqual([]);
      },
    );
  },
);

const recorded = ["plain_text", "thin_structure", "failure_both", "protocol_error", "picture", "text_60k"];
const failing = ["failure_both", "protocol_error"];

describe.each([codex, codexSearch, codexCode].map((client) => [client.name, client] as const))(
  "the history that %s leaves",
  (_name, client) => {
    it(
      "is read by an audit to its last call, with the whole of every result",
      { timeout: RUN_LIMIT_MS },
      async ({ skip }) => {
        skip(problems.has(folderOf(client)), problems.get(folderOf(client)));
        const { run, read } = await auditRuns(client, recorded);
        const inOrder = recorded.flatMap((shape) => read.filter(({ tool }) => tool === shape));
        const cut = run.outcomes.filter(({ isCut }) => isCut).map(({ shape }) => shape);
        expect(cut).toEqual(["text_60k"]);
        expect(inOrder).toEqual(
          recorded.map((tool) => ({
            tool,
            server: "lab",
            calls: 1,
            isCut: cut.includes(tool),
            isFailure: failing.includes(tool),
            isCompared: true,
            misses: 0,
          })),
        );
      },
    );
  },
);
