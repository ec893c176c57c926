// Results that programs recorded from real servers, and what two people read in each before rules were written for them.
// The labels are committed by task and step; the texts are read where they are, and never copied.

import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { startOfFailures } from "../../src/core/rules/failure-start.ts";
import { ResponseError } from "../../src/core/contract/response-error.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../src/core/json/json-value.ts";
import { parseJson } from "../../src/core/json/parse-json.ts";
import { readsDocuments } from "../../src/engine/call/tool-schemas.ts";
import { fromResult } from "../../src/core/pipeline/outcome/from-result.ts";

type Verdict = "success" | "failure" | "partial";

interface RecordedRow {
  readonly task: string | number;
  readonly step: number;
  readonly tool: string;
  readonly server?: string;
  readonly arguments?: JsonObject;
  readonly isError?: boolean | null;
  readonly texts?: readonly string[];
  readonly text?: string;
}

export interface Recorded {
  readonly id: string;
  readonly tool: string;
  readonly isHeldOut: boolean;
  readonly verdict: Verdict;
  /** What the failure is about, as it was read. */
  readonly kind: string;
  readonly mayRetry: boolean;
  /** Whether the tool, by its name and the arguments of the call, gives documents that others wrote. */
  readonly isDocument: boolean;
  /** The result as the program got it: some got a server's whole result as the text of a router's. */
  readonly result: JsonObject;
}

const folder = new URL("../../../shared/data/results/", import.meta.url);
export const hasRecorded = existsSync(folder);
export const isRecordedRequired = process.env["WAYBILL_REQUIRE_DATA"] === "1";

function rowsOf(file: string): readonly RecordedRow[] {
  const text = gunzipSync(readFileSync(new URL(`${file}.jsonl.gz`, folder))).toString();
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as RecordedRow);
}

interface Labels {
  readonly heldOut: readonly string[];
  readonly results: readonly string[];
}

/** Every result on whose success or failure both readers agree. */
export function readRecorded(): readonly Recorded[] {
  const { heldOut, results } = JSON.parse(
    readFileSync(new URL("recorded-labels.json", import.meta.url), "utf8"),
  ) as Labels;
  const measuring = new Set(heldOut);
  const files = new Map<string, readonly RecordedRow[]>();
  return results.flatMap((label) => {
    const [place = "", id = "", first = "", second = "", kind = "", , retry = "", again = ""] =
      label.split(" ");
    const [file = "", index = ""] = place.split("#");
    const rows = files.get(file) ?? rowsOf(file);
    files.set(file, rows);
    const row = rows[Number(index)];
    if (row === undefined || `${row.task}/${row.step}` !== id)
      throw new Error(`${place} is not ${id}: the recorded results are not those that were labelled`);
    if (first !== second) return [];
    const content = (row.texts ?? [row.text ?? ""]).map((text) => ({ type: "text", text }));
    return {
      id: place,
      tool: `${row.server ?? ""} ${row.tool}`,
      isHeldOut: measuring.has(row.server ?? row.tool) || measuring.has(row.tool),
      verdict: first as Verdict,
      kind,
      // If one reader would not repeat the call, no caller should be invited to.
      mayRetry: retry === "retry" && again === "retry",
      isDocument: readsDocuments({ name: row.tool, inputSchema: { properties: row.arguments ?? {} } }),
      result: { content, ...(row.isError === true ? { isError: true } : {}) },
    };
  });
}

/** The server's own result, where a router wrote it as JSON into the text of its own. */
export function unpacked(result: JsonObject): JsonObject {
  const [only] = result["content"] as readonly JsonObject[];
  const text = only?.["text"];
  const parsed = parseJson(typeof text === "string" ? text : "");
  const value: JsonValue = parsed.ok ? parsed.value : null;
  return isJsonObject(value) && Array.isArray(value["content"]) ? value : result;
}

export function unmarked(result: JsonObject): JsonObject {
  return { content: result["content"] ?? [] };
}

function textOf(each: Recorded): string {
  const content = unpacked(each.result)["content"] as readonly JsonObject[];
  return content.map(({ text }) => (typeof text === "string" ? text : "")).join("\n");
}

/** What a check would have learnt of a tool from its other results, if it had seen them. */
export function learntOf(each: Recorded, half: readonly Recorded[]): readonly string[] | undefined {
  const others = half.filter(({ id, tool }) => tool === each.tool && id !== each.id);
  const textsOf = (verdict: Verdict) => others.filter((one) => one.verdict === verdict).map(textOf);
  const start = startOfFailures(textsOf("failure"), textsOf("success"));
  return start === undefined ? undefined : [start];
}

/** Which types answer to what a reader saw. Refusals are told apart by people more finely than by words. */
const typesOf: Readonly<Record<string, readonly string[]>> = {
  bad_arguments: ["validation"],
  not_found: ["not_found"],
  permission: ["authorization"],
  unauthenticated: ["authentication"],
  conflict: ["conflict"],
  rate_limit: ["rate_limit"],
  timeout: ["unavailable"],
  unavailable: ["unavailable"],
  internal: ["internal"],
};

export interface ReadAs {
  readonly id: string;
  readonly verdict: Verdict;
  readonly read: "success" | "noted" | "failure";
  readonly kind: string;
  readonly code: string;
  readonly isOfKind: boolean;
  readonly isInvitation: boolean;
  readonly isFalseInvitation: boolean;
}

/** What our rules make of a result, beside what people made of it. */
export function readAs(
  { id, verdict, kind, mayRetry }: Recorded,
  result: JsonObject,
  reading: { readonly failureStarts?: readonly string[]; readonly isDocument?: boolean } = {},
): ReadAs {
  const { outcome } = fromResult(result, reading);
  if (outcome.ok) {
    const read = (outcome.notes.warnings ?? []).length > 0 ? "noted" : "success";
    const none = { isOfKind: false, isInvitation: false, isFalseInvitation: false };
    return { id, verdict, read, kind, code: "", ...none };
  }
  const { retryRule } = new ResponseError(outcome.fault);
  const isInvitation = retryRule === "backoff" || retryRule === "after_delay";
  return {
    id,
    verdict,
    read: "failure",
    kind,
    code: outcome.fault.code,
    isOfKind: (typesOf[kind] ?? []).includes(outcome.fault.type),
    isInvitation,
    isFalseInvitation: isInvitation && (verdict !== "failure" || !mayRetry),
  };
}

export interface Figures {
  readonly failures: number;
  readonly found: number;
  readonly noted: number;
  readonly recall: number;
  readonly toldRecall: number;
  readonly falseFailures: readonly string[];
  readonly falseNotes: number;
  readonly precision: number;
  readonly ofKind: number;
  readonly falseInvitations: readonly string[];
}

export function figuresOf(all: readonly ReadAs[]): Figures {
  const failures = all.filter(({ verdict }) => verdict === "failure");
  const found = failures.filter(({ read }) => read === "failure");
  const noted = failures.filter(({ read }) => read === "noted");
  const successes = all.filter(({ verdict }) => verdict === "success");
  const falseFailures = successes.filter(({ read }) => read === "failure").map(({ id }) => id);
  return {
    failures: failures.length,
    found: found.length,
    noted: noted.length,
    recall: found.length / failures.length,
    toldRecall: (found.length + noted.length) / failures.length,
    falseFailures,
    falseNotes: successes.filter(({ read }) => read === "noted").length,
    precision: found.length / Math.max(1, found.length + falseFailures.length),
    ofKind: found.filter(({ isOfKind }) => isOfKind).length,
    falseInvitations: all.filter(({ isFalseInvitation }) => isFalseInvitation).map(({ id }) => id),
  };
}
