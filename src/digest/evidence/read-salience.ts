import { Centrality } from "./centrality.ts";
import type { Pacer } from "./pacer.ts";
import type { RunScorer } from "./run-scorer.ts";
import type { Units } from "./units.ts";

/** Without a query: how central passages are or, where no two sentences share a word, how early they stand. */
interface Salience {
  readonly scorer: RunScorer;
  readonly ranking: "salience" | "position";
}

/** Reads what a document is about. */
export async function readSalience(text: string, units: Units, pacer: Pacer): Promise<Salience> {
  const centrality = new Centrality(text.length);
  pacer.enter("count");
  for (let unit = 0; unit < units.count; unit++) {
    centrality.count(text, units, unit);
    if (pacer.isDue()) await pacer.pause(units.end(unit));
  }
  centrality.settle();
  if (!centrality.hasCentre) return { scorer: byPosition(units, text.length), ranking: "position" };
  pacer.enter("weigh");
  for (let unit = 0; unit < units.count; unit++) {
    centrality.weigh(text, units, unit);
    if (pacer.isDue()) await pacer.pause(units.end(unit));
  }
  return { scorer: byCentrality(units, centrality), ranking: "salience" };
}

/** A passage is as central as its sentences are, the longer ones counting more. */
function byCentrality(units: Units, centrality: Centrality): RunScorer {
  return {
    hasHits: () => true,
    score: (from, to) => {
      let sum = 0;
      let length = 0;
      for (let unit = from; unit < to; unit++) {
        const own = units.end(unit) - units.start(unit);
        sum += own * centrality.of(unit);
        length += own;
      }
      return sum / length;
    },
  };
}

function byPosition(units: Units, textLength: number): RunScorer {
  return { hasHits: () => true, score: (from) => 1 - units.start(from) / Math.max(1, textLength) };
}
