import type { JsonObject } from "../../src/core/json/json-value.ts";

const words =
  "harbour crate ledger night valve copper ticket weather engine garden paper signal bridge orange winter market".split(
    " ",
  );

/** Draws that are the same on every machine: each number follows from the one before. */
function draws(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A mixing that no two places share, so that every reference is unique. */
function scatter(index: number): string {
  const low = Math.imul(index ^ 0x5bd1e995, 0x9e3779b1) >>> 0;
  return low.toString(36).padStart(7, "0");
}

/** Shipments of about 350 bytes each; `reference` and `number` belong to one record alone. */
export function generateRecords(count: number): JsonObject[] {
  const draw = draws(20_261_115);
  const word = (): string => words[draw(words.length)] ?? "";
  const phrase = (length: number): string => Array.from({ length }, word).join(" ");
  return Array.from({ length: count }, (_, index) => ({
    reference: `WB-${scatter(index)}`,
    number: 1_000_000 + index,
    status: ["open", "moving", "held", "delivered"][draw(4)] ?? "",
    sender: { name: `${word()} ${word()}`, city: word(), contact: `desk-${draw(500)}@example.test` },
    receiver: { name: `${word()} ${word()}`, city: word() },
    remark: phrase(10 + draw(8)),
    weight_grams: draw(90_000),
    is_fragile: draw(2) === 1,
    tags: [word(), word()],
  }));
}

/** A hundred places in a list of 100,000, one in each thousand. */
export const hundredPlaces: readonly number[] = Array.from(
  { length: 100 },
  (_, index) => index * 1_000 + ((index * 37) % 1_000),
);
