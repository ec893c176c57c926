// The text that a tool's author writes for models, made of the data that is sent.

import type { JsonValue } from "../../core/json/json-value.ts";
import { decodeTables } from "../../core/json/table/decode-tables.ts";
import type { AuthorFormat } from "../../core/pipeline/parcel.ts";
import { isPromiseLike } from "../../core/pipeline/maybe-promise.ts";
import { factsOnlyInText } from "../../core/text/facts-in-text.ts";
import type { ToolCall } from "./called-tool.ts";
import type { ContractState } from "./contract-state.ts";
import { isDevelopment, isNews } from "./tell-call.ts";

function textOf(given: unknown): string {
  if (typeof given === "string" && given.trim() !== "") return given;
  if (isPromiseLike(given)) {
    given.then(undefined, () => undefined);
    throw new TypeError("format gave a promise: it has to give a text at once.");
  }
  throw new TypeError(given === "" ? "format gave an empty text." : "format gave no text.");
}

/** Readers of the structure alone do not learn what only the text says. */
function tellExtras(state: ContractState, { tool, identity }: ToolCall, text: string, data: JsonValue): void {
  if (!isDevelopment()) return;
  const facts = factsOnlyInText(text, data);
  if (facts.length === 0 || !isNews(state, `format ${tool.name}`)) return;
  const { requestId } = identity;
  const fields = { rule: "result/text-only-facts", facts: facts.slice(0, 5) };
  state.events.trouble({ event: "format-says-more", level: "warn", requestId, tool: tool.name, fields });
}

/** How a tool's `format` is used in one call. Whatever it does, the call has its answer. */
export function formatOf(state: ContractState, call: ToolCall): AuthorFormat {
  const { tool, identity, contract } = call;
  const { requestId } = identity;
  return {
    write: (data) => {
      try {
        // A copy: a list that is sorted for the text must not be sorted in the structure.
        const own = structuredClone(contract.encoding === "table" ? decodeTables(data) : data);
        const text = textOf(tool.config.format?.(own));
        tellExtras(state, call, text, data);
        return state.masksSuccesses ? state.mask(text) : text;
      } catch (error) {
        state.events.trouble({ event: "format-failed", level: "error", requestId, tool: tool.name, error });
        return undefined;
      }
    },
    onTooLong: () => {
      if (!isNews(state, `too long ${tool.name}`)) return;
      const fields = { budget: { ...contract.budget } };
      state.events.trouble({ event: "format-too-long", level: "warn", requestId, tool: tool.name, fields });
    },
  };
}
