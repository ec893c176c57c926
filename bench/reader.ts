// What deciding for a reader costs: a result of 10 KB that fits, made whole for each kind of client and measured as that
// client shows it, against one JSON.stringify of the result. A file beside its field took 7.7 ms when every word of it was
// looked for in all of the structure. The goal is 30 µs for the decision.
import type * as ForReader from "../src/core/pipeline/deliver/for-reader.ts";
import type * as ReaderView from "../src/core/pipeline/deliver/reader-view.ts";
import type * as Readers from "../src/core/readers/readers.ts";
import type { JsonObject } from "../src/core/json/json-value.ts";
import { loadModule } from "./harness/built.ts";
import { race } from "./harness/race.ts";
import { recordsOfSize } from "./harness/records.ts";
import { printTable, writeResults } from "./harness/report.ts";

const { forReader } = await loadModule<typeof ForReader>("core/pipeline/deliver/for-reader");
const { shareFor } = await loadModule<typeof ReaderView>("core/pipeline/deliver/reader-view");
const { readerChosen, unknownReader } = await loadModule<typeof Readers>("core/readers/readers");

const measuring = { isTyped: true, byteLength: (text: string): number => Buffer.byteLength(text) };
const structuredContent = { records: recordsOfSize(10_000) } as unknown as JsonObject;
const mirror = JSON.stringify(structuredContent);
const said = (text: string, structure?: JsonObject): JsonObject => ({
  content: [{ type: "text", text }],
  ...(structure && { structuredContent: structure }),
});
const results: Readonly<Record<string, JsonObject>> = {
  "a text": said(mirror),
  "a structure and its mirror": said(mirror, structuredContent),
  "a file, and the field that repeats it": said(mirror, { content: mirror }),
  "a structure and a short text": said("30 records", structuredContent),
  "a structure and its words in another order": said(
    mirror.split(/\W+/).toReversed().join(" "),
    structuredContent,
  ),
};

const rows = Object.entries(results).flatMap(([shape, result]) => {
  const readers = ["opencode", "codex", "qwen-code", "cline", "unknown"].map(
    (id) => readerChosen(id) ?? unknownReader,
  );
  const timings = race([
    { name: "JSON.stringify", run: () => JSON.stringify(result) },
    ...readers.map((reader) => ({
      name: `whole for ${reader.name}`,
      run: () => forReader(result, reader, { isTyped: true, fits: () => true }),
    })),
    ...readers.map((reader) => ({
      name: `measured for ${reader.name}`,
      run: () => shareFor(result, reader, measuring),
    })),
  ]);
  return timings.map((timing) => ({ shape, ...timing }));
});
printTable(
  ["result", "work", "median µs", "x baseline"],
  rows.map(({ shape, name, medianUs, ratio }) => [shape, name, medianUs.toFixed(1), ratio.toFixed(2)]),
);
writeResults("reader", rows);
