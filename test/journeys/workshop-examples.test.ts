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

    // shows 000.1, 000.7, 000.8 with 000-L010-standard-envelope.json
    // shows 000.13 with 000-L039-edge-empty-result.json
    // shows 000.14 with 000-L040-edge-missing-resource.json
    // shows 000.15 with 000-L041-edge-blocked-work.json
    // shows 000.16 with 000-L042-edge-multi-payload.json
    // shows 000.18 with 000-L049a-helper-success.json
    // shows 000.19 with 000-L049b-helper-error.json
    // shows 001.1 with 001-L006-standard-envelope.json
    // shows 001.24 with 001-L047-edge-empty-result.json
    // shows 001.25 with 001-L048-edge-missing-resource.json
    // shows 001.26 with 001-L049-edge-blocked-work.json
    // shows 001.27 with 001-L050-edge-multi-payload.json
    // shows 001.35 with 001-L055a-fidelity-full.json
    // shows 001.36 with 001-L055b-fidelity-partial.json
    // shows 001.37 with 001-L055c-fidelity-summary.json
    // shows 001.8, 001.38 with 001-L055d-fidelity-reference-only.json
    // shows 001.39 with 001-L084-partial-fidelity.json
    // shows 001.42 with 001-L116-warning-details-schema.json
    // shows 001.4, 001.46, 001.54 with 001-L159-warning-details.json
    // shows 001.69 with 001-L218-error-response.json
    // shows 001.84 with 001-L257-helper-success.json
    // shows 001.150 with 001-L272-helper-missing-required.json
    // shows 001.95 with 001-L296-helper-not-found.json
    // shows 001.96 with 001-L306-helper-feature-disabled.json
    // shows 001.97 with 001-L316-helper-rate-limit-exceeded.json
    // shows 001.111 with 001-L350-digest-payload.json
    // shows 002.6 with 002-L023-minimal-default.json
    // shows 002.7, 002.29 with 002-L086-success-minimal.json
    // shows 002.3, 002.7, 002.8, 002.9, 002.11, 002.12, 002.30 with 002-L097-success-debug.json
    // shows 002.20, 002.31 with 002-L116-error-minimal.json
    // shows 002.22, 002.32 with 002-L127-error-debug.json
    // shows 003.14 with 003-L064-call-tool-success.json
    // shows 003.19 with 003-L084-call-tool-error.json
    // shows 003.17, 003.32 with 003-L159-response-customers-list.json
    // shows 003.34 with 003-L192-response-customers-retrieve-missing.json
    // shows 004.2, 004.4, 004.5, 004.6 with 004-L012-standard-envelope.json
    // shows 004.14 with 004-L058a-task-query.json
    // shows 004.15 with 004-L058b-spec-get.json
    // shows 004.16 with 004-L058c-empty-data.json
    // shows 004.18 with 004-L087-error-field.json
    // shows 004.3, 004.8, 004.13, 004.23, 004.24 with 004-L101-metadata-fields.json
    // shows 004.31 with 004-L143-error-structure.json
    // shows 004.53, 004.89, 004.90, 004.91 with 004-L208-edge-empty-result.json
    // shows 004.54 with 004-L227-edge-partial-work.json
    // shows 004.56 with 004-L252-edge-blocked-work.json
    // shows 004.57 with 004-L274-pagination.json
    // shows 004.65 with 004-L335b-pagination-last-page.json
    // shows 004.66 with 004-L360-version-only-meta.json
    // shows 004.70 with 004-L380-legacy-error.json
    // shows 004.80 with 004-L411-task-query-success.json
    // shows 004.81 with 004-L439-validation-error.json
    // shows 004.82 with 004-L463-not-found-error.json
    it.each(calls)("reads $file as the seed shows it", async (example) => {
      const { got, expected } = await replayExample(await connections.to(example), example);
      expect(got).toEqual(expected);
      table.pass(kind, transport, example.file);
    });
  });
});
