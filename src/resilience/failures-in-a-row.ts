import type { TripRule } from "./breaker.ts";

/**
 * For what is there or is not, such as a service behind a connection. One answer shows that it is there, whenever the
 * question was asked, so late reports count too.
 */
export function failuresInARow(limit: number): TripRule {
  let inARow = 0;
  return {
    hearsLate: true,
    add(_, ok) {
      inARow = ok ? 0 : inARow + 1;
      return inARow >= limit;
    },
    clear() {
      inARow = 0;
    },
  };
}
