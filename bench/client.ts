// What `call` costs on a 100 KB envelope against JSON.parse of its text: from text alone, and with structuredContent.
// A bare function answers, so that nothing but reading is measured.
import type { CallFunction } from "../src/doors/client/index.ts";
import { loadBuilt, loadClient } from "./harness/built.ts";
import { raceAsync } from "./harness/race-async.ts";
import { recordsOfSize } from "./harness/records.ts";
import { printTable, writeResults } from "./harness/report.ts";

const { successResponse } = await loadBuilt();
const { contractClient } = await loadClient();

const limits = { text: 1.1, structured: 0.05 } as const;
const envelope = successResponse({ records: recordsOfSize(100_000) }, { requestId: "req_0123456789ab" });
const text = JSON.stringify(envelope);
const content = [{ type: "text", text }];

function answering(result: object): () => Promise<unknown> {
  const call: CallFunction = async () => result;
  const tools = contractClient(call);
  return () => tools.call("records");
}

const candidates = [
  { name: "JSON.parse of the text", run: async () => JSON.parse(text) as unknown },
  { name: "call, from text", run: answering({ content }) },
  { name: "call, structuredContent", run: answering({ content, structuredContent: envelope }) },
];

const figures = await raceAsync(candidates, { rounds: 41, warmUpRounds: 10, turnMs: 15 });
const allowed = [undefined, limits.text, limits.structured];
printTable(
  ["what", "median µs", "times JSON.parse", "p10 to p90", "limit"],
  figures.map(({ name, medianUs, ratio, ratioP10, ratioP90 }, index) => [
    name,
    medianUs.toFixed(1),
    ratio.toFixed(3),
    `${ratioP10.toFixed(3)} to ${ratioP90.toFixed(3)}`,
    allowed[index]?.toString() ?? "",
  ]),
);
writeResults("client", { bytes: text.length, limits, figures });
