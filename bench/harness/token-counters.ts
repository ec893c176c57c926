import type * as LoadCounter from "../../src/core/tokens/token-counter.ts";
import { loadModule } from "./built.ts";

interface BenchCounter {
  readonly name: string;
  readonly count: (text: string) => number;
  /** Whether a text is over a limit, where the library can answer that without counting it all. */
  readonly isOver?: (text: string, limit: number) => boolean;
}

export const counterNames = ["waybill", "gpt-tokenizer", "ai-tokenizer"] as const;
export type CounterName = (typeof counterNames)[number];

async function loadOurs(): Promise<BenchCounter> {
  // The counter alone: a bench measures what loading it takes, without the rest of the server.
  const { loadCounter } = await loadModule<typeof LoadCounter>("core/tokens/token-counter");
  const counter = await loadCounter("o200k_base");
  return {
    name: "waybill",
    count: (text) => counter.count(text),
    isOver: (text, limit) => counter.count(text, limit) > limit,
  };
}

async function loadGpt(): Promise<BenchCounter> {
  const { countTokens, isWithinTokenLimit } = await import("gpt-tokenizer/encoding/o200k_base");
  // As it comes, it throws on text that looks like a special token.
  const options = { disallowedSpecial: new Set<string>() };
  return {
    name: "gpt-tokenizer",
    count: (text) => countTokens(text, options),
    isOver: (text, limit) => isWithinTokenLimit(text, limit, options) === false,
  };
}

async function loadAi(): Promise<BenchCounter> {
  const [{ Tokenizer }, encoding] = await Promise.all([
    import("ai-tokenizer"),
    import("ai-tokenizer/encoding/o200k_base"),
  ]);
  const tokenizer = new Tokenizer(encoding);
  return { name: "ai-tokenizer", count: (text) => tokenizer.count(text) };
}

/** A counter of o200k_base, loaded when it is asked for. */
export async function loadBenchCounter(name: CounterName): Promise<BenchCounter> {
  return { waybill: loadOurs, "gpt-tokenizer": loadGpt, "ai-tokenizer": loadAi }[name]();
}
