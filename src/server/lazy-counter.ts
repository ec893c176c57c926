import type { Encoding, TokenCounter } from "../tokens/token-counter.ts";

export type LazyCounter = () => TokenCounter | Promise<TokenCounter>;

/** The counter, loaded when the first result is too long to be sure of; the same one from then on. */
export function lazyCounter(given: Encoding | TokenCounter = "o200k_base"): LazyCounter {
  if (typeof given === "object") return () => given;
  let loaded: TokenCounter | undefined;
  let loading: Promise<TokenCounter> | undefined;
  return () => {
    if (loaded !== undefined) return loaded;
    loading ??= import("../tokens/load-counter.ts")
      .then(({ loadCounter }) => loadCounter(given))
      .then((counter) => (loaded = counter));
    return loading;
  };
}
