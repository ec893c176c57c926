import type { Log } from "../observe/log-event.ts";
import type { FitOptions } from "../settings/contract-options.ts";
import { byteLength } from "../runtime/byte-length.ts";
import type { Encoding, TokenCounter } from "../../core/tokens/token-counter.ts";

export type LazyCounter = () => TokenCounter | Promise<TokenCounter>;

/** No token is shorter than a byte, so a result whose bytes are within the budget is within it in tokens too. */
function byteBound(encoding: Encoding): TokenCounter {
  return { encoding, count: byteLength };
}

/**
 * The counter, loaded by the first result that may be over the budget; the same one from then on. If it cannot be
 * loaded, the handler has run already: the answer is cut by the byte bound, shorter than it could be, and not lost.
 */
export function lazyCounter(chosen: FitOptions["counter"], log: Log): LazyCounter {
  const given = chosen ?? "o200k_base";
  if (typeof given === "object") return () => given;
  let loaded: TokenCounter | undefined;
  let loading: Promise<TokenCounter> | undefined;
  const without = (error: unknown): TokenCounter => {
    log.warn("token-counter-missing", {
      err: error,
      hint: "Budgets count a byte as a token. Install waybill where the server runs, or give fit.counter.",
    });
    return byteBound(typeof given === "string" ? given : "o200k_base");
  };
  const load = async (): Promise<TokenCounter> => {
    if (typeof given === "function") return given();
    const { loadCounter } = await import("../../core/tokens/token-counter.ts");
    return loadCounter(given);
  };
  return () => {
    if (loaded !== undefined) return loaded;
    loading ??= load()
      .catch(without)
      .then((counter) => (loaded = counter));
    return loading;
  };
}
