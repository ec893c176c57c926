import { loadCounter } from "../../tokens/token-counter.ts";
import type { Check } from "./check.ts";

/** Known to tiktoken as 4 tokens. */
const KNOWN_TEXT = "Grüße 😀";
const KNOWN_TOKENS = 4;

/** Whether the vocabulary is there and counts a known text right. */
export async function checkCounter(load: typeof loadCounter = loadCounter): Promise<Check> {
  const id = "tokens";
  const advice = "The installation is incomplete: install waybill again.";
  const startMs = performance.now();
  try {
    const counter = await load();
    const tokens = counter.count(KNOWN_TEXT);
    const loadMs = Math.round(performance.now() - startMs);
    const details = { encoding: counter.encoding, load_ms: loadMs };
    if (tokens === KNOWN_TOKENS) {
      return {
        id,
        status: "ok",
        says: `${counter.encoding}, loaded in ${loadMs} ms, counts a known text right`,
        details,
      };
    }
    const says = `${counter.encoding} counts ${tokens} tokens in a text of ${KNOWN_TOKENS}`;
    return { id, status: "problem", says, advice, details };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    return { id, status: "problem", says: `the vocabulary cannot be loaded (${code})`, advice };
  }
}
