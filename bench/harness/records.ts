export interface BenchRecord {
  readonly [key: string]:
    | string
    | number
    | null
    | readonly string[]
    | { readonly [key: string]: string | number | boolean };
}

/** A small linear congruential generator: equal seeds give equal data on every machine. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const words =
  "alpha beta gamma delta parcel harbour signal quiet river copper winter lantern meadow bridge".split(" ");

/** Deterministic catalogue records of about 520 bytes of compact JSON each. */
function makeRecords(count: number, seed = 1): BenchRecord[] {
  const random = generator(seed);
  const pick = (): string => words[Math.floor(random() * words.length)] ?? "alpha";
  const hex = (length: number): string =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join("");
  const sentence = (length: number): string => Array.from({ length }, pick).join(" ");
  return Array.from({ length: count }, (_, index) => ({
    id: `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
    sku: `SKU-${index.toString().padStart(6, "0")}`,
    title: sentence(6),
    description: sentence(24),
    price: Math.round(random() * 100_000) / 100,
    stock: Math.floor(random() * 500),
    discontinued_at: random() < 0.8 ? null : "2026-03-01T00:00:00Z",
    tags: [pick(), pick(), pick()],
    dimensions: {
      width_mm: Math.floor(random() * 900),
      height_mm: Math.floor(random() * 900),
      fragile: random() < 0.5,
    },
  }));
}

/** Records whose compact JSON is about `bytes` long. */
export function recordsOfSize(bytes: number, seed = 1): BenchRecord[] {
  const one = JSON.stringify(makeRecords(20)).length / 20;
  return makeRecords(Math.max(1, Math.round(bytes / one)), seed);
}
