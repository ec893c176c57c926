import { readFileSync } from "node:fs";
import { typeOfCode } from "../../src/core/contract/error-data.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { fromResult } from "../../src/core/pipeline/outcome/from-result.ts";

/** A failure as a server sent it: its text, or an object as the JSON of its text. */
interface ErrorRow {
  /** What a careful reader expects; `OPERATION_FAILED` means that no code is to be given. */
  readonly code: string;
  readonly text?: string;
  readonly json?: JsonObject;
  /** MCP was not told that it is a failure. */
  readonly unmarked?: true;
}

interface ErrorSource {
  readonly server: string;
  readonly source: string;
  readonly rows: readonly ErrorRow[];
  /** Texts of failures that the server does not mark as such. */
  readonly unmarked?: readonly string[];
}

export function readCorpus(name: "tuning" | "first-held-out" | "held-out"): readonly ErrorSource[] {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), "utf8")) as readonly ErrorSource[];
}

export function resultOf({ text, json, unmarked }: ErrorRow): JsonObject {
  const content = [{ type: "text", text: text ?? JSON.stringify(json, undefined, 2) }];
  return unmarked === true ? { content } : { content, isError: true };
}

export interface Judged {
  readonly server: string;
  readonly said: string;
  readonly expected: string;
  readonly given: string;
  readonly rule: string;
  readonly isRight: boolean;
  readonly isFalseInvitation: boolean;
}

/** Both ask the caller to send other arguments; where the line between them runs is a matter of taste. */
const sameAnswer: ReadonlySet<string> = new Set(["VALIDATION_ERROR", "INVALID_FORMAT", "MISSING_REQUIRED"]);
const inviting: ReadonlySet<string | undefined> = new Set(["rate_limit", "unavailable"]);

/** What the rules make of a row, beside what was expected. README.md says how it is judged. */
function judge(server: string, row: ErrorRow): Judged {
  const { outcome, reading } = fromResult(resultOf(row));
  const given = outcome.ok ? "SUCCESS" : outcome.fault.code;
  const isSame = given === row.code || (sameAnswer.has(given) && sameAnswer.has(row.code));
  return {
    server,
    said: (row.text ?? JSON.stringify(row.json)).slice(0, 100),
    expected: row.code,
    given,
    rule: reading?.rule ?? "",
    isRight: isSame,
    isFalseInvitation: inviting.has(typeOfCode(given)) && !inviting.has(typeOfCode(row.code)),
  };
}

export function judgeAll(sources: readonly ErrorSource[]): readonly Judged[] {
  return sources.flatMap(({ server, rows }) => rows.map((row) => judge(server, row)));
}

/** The codes of warnings that a success was noted with. */
export function notesOn(text: string): readonly (string | undefined)[] {
  const { outcome } = fromResult({ content: [{ type: "text", text }] });
  return outcome.ok ? (outcome.notes.warnings ?? []).map(({ code }) => code) : ["FAILURE"];
}
