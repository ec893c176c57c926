// How each argument of `waybill_retrieve` is written, and the refusal of one.

import { faults } from "../../core/contract/faults.ts";
import type { ToolFault } from "../../core/contract/tool-fault.ts";

/**
 * What each argument of `waybill_retrieve` takes, with an example. `tools/list` has only a few words of it,
 * because every client pays for the list; the answer to a wrong call has the rest.
 */
export const argumentForms = {
  archive:
    "handle or hash from content_archive_hashes, e.g. 3f2a9c01b7de; over HTTP without sign-in the full hash; may be left out with ids of items, except without sign-in",
  ids: 'items by id, or entries of dropped_content_ids as they are, e.g. ["f-17", "/findings/3..9"]',
  pointer:
    "JSON Pointer to a value or list, e.g. /findings/17; ranges /findings/3..20, /findings/*, /body#char=0-2000; of a text, a locator: char:0-500; with lines, tail, around or grep, the text to look in",
  match: 'only items where each path equals its value exactly, e.g. {"user.login": "ada"}',
  query: 'words to look for, best item first, e.g. timeout "connection reset"; quotes need the exact phrase',
  select:
    "a JMESPath expression over the whole value, e.g. findings[?severity=='high'].id or count_by(findings, &rule); alone",
  lines:
    'lines of a text, the first is 1: "100-180", "100", "100-" to the end, "-20" for the last 20, "3-9,40-" several',
  tail: "how many of the last lines of a text, e.g. 20",
  around: 'a line of a text, and n lines before and after it (10): {"line": 368, "n": 5}',
  grep: 'lines of a text that match an RE2 pattern: {"pattern": "(?i)timeout", "context": 2}, or the pattern alone; together with lines, tail or around, only among those',
  cursor: "pagination.cursor of the last answer; repeat the other arguments",
  limit: "most items or lines in one answer, e.g. 5; 0 tells only what the archive holds and until when",
} as const;

export type RetrieveArgument = keyof typeof argumentForms;

export const retrieveArguments = Object.keys(argumentForms) as readonly RetrieveArgument[];

/** The most characters of one argument. */
export const MAX_TEXT_LENGTH = 4_096;

/** How an argument is written, in one sentence. */
export function explain(name: RetrieveArgument): string {
  return `${name}: ${argumentForms[name]}.`;
}

/** The refusal of one argument; it explains how to write the argument, because `tools/list` says little about it. */
export function refuseArgument(field: string, constraint: string, says: string): ToolFault {
  const isOurs = Object.hasOwn(argumentForms, field);
  return faults.validation(says, {
    ...(isOurs ? { remediation: explain(field as RetrieveArgument) } : {}),
    details: { field, constraint },
  });
}
