// What the contract costs: build + validate + render against one JSON.stringify of the same payload, and
// read + validate against one JSON.parse of the same text, for each dialect.
import { loadBuilt } from "./harness/built.ts";
import { recordsOfSize } from "./harness/records.ts";
import { type Timing, race } from "./harness/race.ts";
import { printTable, writeResults } from "./harness/report.ts";

const { dialectIds, dialects, profiles, successResponse, validateResponse } = await loadBuilt();
const profile = profiles.standard;
const sizes = [1_000, 100_000, 1_000_000];

type Row = Timing & { readonly size: string; readonly work: string; readonly dialect: string };

function label(bytes: number): string {
  return bytes >= 1_000_000 ? `${bytes / 1_000_000} MB` : `${bytes / 1_000} KB`;
}

function writing(bytes: number): Row[] {
  const payload = { records: recordsOfSize(bytes) };
  const builder = {
    name: "response-v2, by successResponse",
    run: () => {
      const response = successResponse(payload, { requestId: "req_0a1b2c3d4e5f" });
      if (!validateResponse(response, { dialect: "response-v2" }).valid) throw new Error("not valid");
      return JSON.stringify(response);
    },
  };
  const others = dialectIds.map((id) => ({
    name: id,
    run: () => {
      const outcome = { ok: true, data: payload, notes: { requestId: "req_0a1b2c3d4e5f" } } as const;
      const rendered = dialects[id].render(outcome, { profile });
      if (!validateResponse(rendered, { dialect: id }).valid) throw new Error("not valid");
      return JSON.stringify(rendered);
    },
  }));
  const timings = race([{ name: "JSON.stringify", run: () => JSON.stringify(payload) }, builder, ...others]);
  return timings.map((timing) => ({ ...timing, size: label(bytes), work: "write", dialect: timing.name }));
}

function reading(bytes: number): Row[] {
  const payload = { records: recordsOfSize(bytes) };
  const outcome = { ok: true, data: payload, notes: { requestId: "req_0a1b2c3d4e5f" } } as const;
  const texts = dialectIds.map((id) => JSON.stringify(dialects[id].render(outcome as never, { profile })));
  const bare = JSON.stringify(payload);
  const candidates = dialectIds.map((id, index) => ({
    name: id,
    run: () => {
      const json = JSON.parse(texts[index] ?? "") as never;
      if (!validateResponse(json, { dialect: id }).valid) throw new Error("not valid");
      return dialects[id].read(json);
    },
  }));
  const timings = race([{ name: "JSON.parse", run: () => JSON.parse(bare) as unknown }, ...candidates]);
  return timings.map((timing) => ({ ...timing, size: label(bytes), work: "read", dialect: timing.name }));
}

const rows = sizes.flatMap((bytes) => [...writing(bytes), ...reading(bytes)]);
printTable(
  ["work", "size", "dialect", "median µs", "x baseline", "p10-p90"],
  rows.map(({ work, size, dialect, medianUs, ratio, ratioP10, ratioP90 }) => [
    work,
    size,
    dialect,
    medianUs.toFixed(1),
    ratio.toFixed(2),
    `${ratioP10.toFixed(2)}-${ratioP90.toFixed(2)}`,
  ]),
);
writeResults("contract", rows);
