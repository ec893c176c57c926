// Memory of cutting, as JSON on stdout: the peak over a held 100 MB value, and the slope over many cuts.
import { loadServer } from "./built.ts";
import { fitLine, keepIn } from "./fit-line.ts";
import { recordsOfSize } from "./records.ts";

const [what = "large", folder = "", cuts = "10000"] = process.argv.slice(2);
const { fileStore } = await loadServer();
const line = fitLine(8_000, keepIn(fileStore(folder, { maxBytes: 256 * 1024 * 1024 })));
const MB = 1024 * 1024;

function rss(): number {
  return process.memoryUsage.rss() / MB;
}

function settle(): number {
  for (let round = 0; round < 3; round++) globalThis.gc?.();
  return rss();
}

/** The highest RSS while `work` runs, looked at in every pause it makes. */
async function peakOf(work: Promise<unknown>): Promise<number> {
  let peak = rss();
  const watch = setInterval(() => {
    peak = Math.max(peak, rss());
  }, 2);
  await work;
  clearInterval(watch);
  return Math.max(peak, rss());
}

async function large() {
  const value = { records: recordsOfSize(100_000_000) };
  // A first, smaller cut loads everything that is loaded once.
  await line.run({ kind: "value", value: { records: recordsOfSize(1_000_000) } });
  const heldMb = settle();
  const peak = await peakOf(line.run({ kind: "value", value }));
  const textMb = value.records.reduce((sum, record) => sum + JSON.stringify(record).length + 1, 0) / MB;
  return { textMb, heldMb, peakExtraMb: peak - heldMb };
}

async function slope(count: number) {
  const records = recordsOfSize(1_000_000);
  const samples: number[] = [];
  for (let run = 0; run < count; run++) {
    await line.run({ kind: "value", value: { run, records } });
    if (run % 100 === 99) samples.push(rss());
  }
  const half = samples.slice(Math.floor(samples.length / 2));
  // Least squares over the second half: one sample alone carries the collector's mood.
  const mean = (half.length - 1) / 2;
  const average = half.reduce((sum, value) => sum + value, 0) / half.length;
  const top = half.reduce((sum, value, index) => sum + (index - mean) * (value - average), 0);
  const bottom = half.reduce((sum, _value, index) => sum + (index - mean) ** 2, 0);
  return { cuts: count, mbPer100Cuts: top / bottom, startMb: half[0] ?? 0, endMb: half.at(-1) ?? 0 };
}

process.stdout.write(JSON.stringify(what === "large" ? await large() : await slope(Number(cuts))));
