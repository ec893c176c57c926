// Texts and structure of a result: what a reader of each channel gets, and what both together cost.

import { isJsonObject } from "../../json/json-value.ts";
import { jsonOrText, textsOf } from "../../pipeline/dialect/result-rules.ts";
import { answeredIn, findingOf, judgeEach, noResults } from "../called.ts";
import type { Finding, ServerRule } from "../server-rule.ts";
import { defineServerRules } from "../server-rule.ts";
import { quoteOf } from "../quote.ts";
import { repeatedText, saysTwice } from "./said-twice.ts";
import { textOnlyFacts } from "./text-only-facts.ts";

/** Less is not worth reporting: about 500 tokens, and a fifth of what is sent. */
const MIN_BLANKS = 2_000;
const MIN_SHARE = 0.2;

/** More facts than this say nothing new. */
const MAX_SHOWN = 3;

/** How many characters of a text are only formatting. */
function blanksIn(text: string): number {
  if (text.length < MIN_BLANKS || !/^\s*[[{]/.test(text)) return 0;
  const json = jsonOrText(text);
  return typeof json === "object" && json !== null ? text.length - JSON.stringify(json).length : 0;
}

/** Rules about the two channels of a result. */
export const channelRules: readonly ServerRule[] = defineServerRules({
  "result/channels-repeat": {
    severity: "SHOULD",
    says: "Texts do not say at length, in other words or another format, what structuredContent says already. Its exact JSON as a text is no repetition.",
    fix: "Send the JSON of structuredContent as the text, or a short summary beside it: some clients show the model both channels.",
    source: "MCP 2025-06-18, tools, structured content; clients that show both channels (Copilot, ChatGPT)",
    judge: (record) =>
      judgeEach(record, answeredIn(record), noResults(record), (answered): readonly Finding[] => {
        const { structuredContent: structured } = answered.result;
        const texts = textsOf(answered.result);
        const [{ text, structured: cost }, length] = [answered.call.tokens, texts.join("\n").length];
        if (isJsonObject(structured) && saysTwice(texts, structured)) {
          const found = `The texts (${length} characters, ${text} tokens) say again what structuredContent (${cost} tokens) says`;
          return [findingOf(answered, "/content", found)];
        }
        const again = repeatedText(texts);
        return again === undefined
          ? []
          : [findingOf(answered, `/content/${again}`, "A long text stands in the content twice")];
      }),
  },
  "result/text-only-facts": {
    severity: "MAY",
    says: "Numbers, ids and quoted words of a text beside structuredContent stand in structuredContent too.",
    fix: "Put the fact into structuredContent, or leave it out of the text: some clients show their model the structure alone.",
    source: "MCP 2025-06-18, tools, structured content; clients that show one channel",
    judge: (record) =>
      judgeEach(record, answeredIn(record), noResults(record), (answered): readonly Finding[] => {
        const facts = textOnlyFacts(answered.result);
        if (facts.length === 0) return [];
        const shown = facts.slice(0, MAX_SHOWN).map(quoteOf).join(", ");
        return [findingOf(answered, "/content", `Only the text says ${shown}`)];
      }),
  },
  "result/indented-json": {
    severity: "MAY",
    says: "JSON in a text has no indentation that costs much.",
    fix: "Write the text with JSON.stringify(value), without spaces: a model reads it as well.",
    source: "measured: the indented text of server-memory has twice the tokens of its data",
    judge: (record) =>
      judgeEach(record, answeredIn(record), noResults(record), (answered) => {
        const texts = textsOf(answered.result);
        const blanks = texts.reduce((sum, text) => sum + blanksIn(text), 0);
        const length = texts.reduce((sum, text) => sum + text.length, 0);
        if (blanks < Math.max(MIN_BLANKS, MIN_SHARE * length)) return [];
        const found = `${blanks} of ${length} characters of the texts are indentation of JSON`;
        return [findingOf(answered, "/content", found)];
      }),
  },
});
