import { mkdirSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientKinds } from "./clients/connect-client.ts";
import { JourneyTable } from "./clients/journey-table.ts";
import { Connections, HttpWorkshops, transports } from "./clients/open-workshop.ts";
import { replayExample } from "./clients/replay-example.ts";
import { exampleCalls, fixtures, otherExamples } from "./clients/seed-examples.ts";
import { someOf } from "../arbitrary/law-runs.ts";

const table = new JourneyTable();
const http = new HttpWorkshops();

const page = (): string => `# Journeys

Every example of the seeds that a tool result can be, produced by \`examples/workshop\` and read by the official
clients: equal to the seed after replacing ids, times, cursors, durations (also in remediations) and live quotas,
with empty keys of \`meta\` counted as absent, and without the keys we add: a draft failure's code in \`meta\`, and
\`rate_limit.period\` and \`rate_limit.retry_after\`. Of \`content_archive_hashes\` only the number of entries is
compared (\`workshop-fidelity.test.ts\` holds handle and hash to the content), and a warning's \`context\` only where
the seed shows one. 001 L6 and L84 are real cuts; 001 L55 a to d are levels that the tool itself gives; 001 L350 and L387 are digests
made elsewhere, which the tool hands on as they are. Written by
\`npx vitest run test/journeys/workshop-examples.test.ts\`. SDKs v1 have no modern era.

${table.toMarkdown()}
`;

afterAll(async () => {
  await http.stop();
  // A run of single tests says nothing about the rest.
  if (!table.isFull) return;
  mkdirSync(new URL("../../bench/results/", import.meta.url), { recursive: true });
  writeFileSync(new URL("../../bench/results/journeys.md", import.meta.url), page());
  process.stdout.write(`\n${table.toMarkdown()}\n`);
});

describe("the examples of the seeds", () => {
  it("are each replayed, or no tool result", () => {
    const listed = [...exampleCalls, ...otherExamples].map(({ file }) => file);
    expect(listed.toSorted()).toEqual(fixtures.map(({ file }) => file).toSorted());
  });
});

describe.each(transports)("over %s", (transport) => {
  // A process for each environment of each client: the full run meets every client.
  describe.each(someOf(clientKinds, 1))("client $version in the $era era", (kind) => {
    const connections = new Connections(kind, transport, http);
    const calls = transport === "memory" ? exampleCalls : someOf(exampleCalls, 3);
    beforeAll(async () => {
      await Promise.all(calls.map((example) => connections.to(example)));
    });
    afterAll(() => connections.close());

    it.each(calls)("reads $file as the seed shows it", async (example) => {
      const { got, expected } = await replayExample(await connections.to(example), example);
      expect(got).toEqual(expected);
      table.pass(kind, transport, example.file);
    });
  });
});
