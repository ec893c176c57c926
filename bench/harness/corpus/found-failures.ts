// How many of the labelled failures are read as failures: test/corpus has the labels, and says how they were made.

import { figuresFor, wayNames } from "../../../test/corpus/recorded-figures.ts";
import { hasRecorded } from "../../../test/corpus/recorded-results.ts";

export interface FoundFailures {
  readonly half: string;
  readonly way: string;
  readonly failures: number;
  readonly found: number;
  readonly recall: number;
  readonly noted: number;
  readonly precision: number;
  readonly falseInvitations: number;
}

/** The figures of both halves; none if the recorded results are not there. */
export function foundFailures(): readonly FoundFailures[] {
  if (!hasRecorded) return [];
  return [false, true].flatMap((isHeldOut) =>
    wayNames.map((way) => {
      const figures = figuresFor(isHeldOut, way);
      const { failures, found, recall, noted, precision } = figures;
      const falseInvitations = figures.falseInvitations.length;
      const half = isHeldOut ? "held out" : "tuning";
      return { half, way, failures, found, recall, noted, precision, falseInvitations };
    }),
  );
}
