import type { Variant } from "./build-record-server.ts";
import { openHttpRecords } from "./http-records.ts";

export interface RequestMemory {
  readonly variant: Variant;
  readonly requests: number;
  readonly startMb: number;
  readonly endMb: number;
  /** Least squares over the second half: the first half fills caches and lets the heap find its size. */
  readonly mbPer1000: number;
  readonly samplesMb: readonly number[];
}

const sampleEvery = 250;

function slopeOf(samples: readonly number[]): number {
  const middle = (samples.length - 1) / 2;
  const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length;
  let above = 0;
  let below = 0;
  for (const [index, value] of samples.entries()) {
    above += (index - middle) * (value - mean);
    below += (index - middle) ** 2;
  }
  return above / below;
}

/** RSS of an HTTP server that makes a server object of 20 tools for each of many requests. */
export async function measureRequestMemory(variant: Variant, requests: number): Promise<RequestMemory> {
  const side = await openHttpRecords(variant, 20);
  try {
    const samples: number[] = [];
    for (let sent = 0; sent < requests; sent++) {
      await side.call();
      if (sent % sampleEvery === sampleEvery - 1) samples.push(await side.rssMb());
    }
    const half = samples.slice(Math.floor(samples.length / 2));
    return {
      variant,
      requests,
      startMb: samples[0] ?? Number.NaN,
      endMb: samples.at(-1) ?? Number.NaN,
      mbPer1000: (slopeOf(half) * 1_000) / sampleEvery,
      samplesMb: samples.map((value) => Math.round(value * 10) / 10),
    };
  } finally {
    await side.close();
  }
}
