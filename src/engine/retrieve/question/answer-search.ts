import type { JsonValue } from "../../../core/json/json-value.ts";
import { findText } from "./find-text.ts";
import { compilePattern } from "./line-pattern.ts";
import type { AnswerHead } from "./question-messages.ts";
import { searchLines } from "./search-lines.ts";
import type { TextSearch } from "./text-search.ts";

/**
 * Searches a value for lines of its text. Separate from search-lines.ts, so that only the worker loads the
 * pattern engine.
 */
export function answerSearch(
  value: JsonValue,
  search: TextSearch,
): AnswerHead & { readonly value: JsonValue } {
  const pattern = search.pattern === undefined ? undefined : compilePattern(search.pattern);
  const { pointer, text } = findText(value, search.pointer);
  const found = searchLines(text, pointer, search, pattern);
  return { value: found as unknown as JsonValue, records: found.totalLines, note: undefined };
}
