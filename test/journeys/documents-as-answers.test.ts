import { describe, expect, it } from "vitest";
import { readResult } from "../../src/doors/client/read-result.ts";
import { dialectIds } from "../../src/core/contract/dialect-id.ts";
import type { Outcome } from "../../src/core/contract/outcome.ts";
import { ResponseError } from "../../src/core/contract/response-error.ts";
import { canonicalCode } from "../../src/core/contract/error-data.ts";
import { type JsonObject, isJsonObject } from "../../src/core/json/json-value.ts";
import { forget } from "../../src/core/pipeline/dialect/dialect.ts";
import { dialects } from "../../src/core/pipeline/dialect/dialects.ts";
import { readResponse } from "../../src/core/pipeline/dialect/translate.ts";
import { someOf } from "../arbitrary/law-runs.ts";
import { type Said, answers, doors, leavesOf } from "./documents-as-answers.fixture.ts";

const targets = ["auto", ...dialectIds] as const;
type Target = (typeof targets)[number];
const choices = (Object.keys(doors) as (keyof typeof doors)[]).flatMap((door) =>
  targets.map((target) => ({ door, target })),
);

/** What a document's example says, read as the document means it. One page is printed without `error`: it has none. */
function meantBy({ envelope, dialect }: Said): Outcome {
  const isPage = isJsonObject(envelope) && envelope["success"] === true && !("error" in envelope);
  return readResponse(isPage ? { ...envelope, error: null } : envelope, dialect);
}

/** What of it the dialect of the answer can carry. Errors of scalpel repeat no value that was sent: it may be code. */
function carried(outcome: Outcome, target: Target): Outcome {
  const left = target === "auto" ? outcome : forget(outcome, dialects[target].losses);
  if (left.ok || target !== "scalpel") return left;
  const { received: _, ...details } = left.fault.details ?? {};
  return { ...left, fault: { ...left.fault, details } };
}

async function readBack(result: JsonObject): Promise<Outcome> {
  const called = { tool: "say", args: {} };
  return readResult(result, called).then(
    ({ data }) => ({ ok: true, data: data as never, notes: {} }),
    (error: unknown) => {
      if (error instanceof ResponseError) return { ok: false, fault: error.fault, notes: error.notes };
      throw error;
    },
  );
}

/** Words that say how something is said, not what: versions and severities follow from the rest. */
const manner = new Set(["response-v2", "1.0", "info", "warning", "error"]);

/** Code, type and advice of a failure are compared where the document has them, and where the dialect has a place for them. */
function wordsOf({ notes, ...said }: Outcome): readonly (string | number)[] {
  const { requestId: _, provenance: __, authored: ___, ...told } = notes as Record<string, unknown>;
  if (said.ok) return leavesOf({ data: said.data, told });
  const { message, details } = said.fault;
  return leavesOf({ message, details, told });
}

/** The words of an outcome that are nowhere in a result. */
function lostFrom(outcome: Outcome, result: JsonObject): readonly (string | number)[] {
  const there = leavesOf(result);
  const texts = there.filter((leaf) => typeof leaf === "string").join("\n");
  return wordsOf(outcome).filter(
    (leaf) => !manner.has(String(leaf)) && !there.includes(leaf) && !texts.includes(String(leaf)),
  );
}

/** What must be the same: the data, or the message and the code that a failure names. */
function gistOf(outcome: Outcome, hasCode: boolean): object {
  if (outcome.ok) return { data: outcome.data };
  return { message: outcome.fault.message, code: hasCode ? canonicalCode(outcome.fault.code) : undefined };
}

const PREFIX = "Error executing tool: ";
const carriesCodes: readonly Target[] = ["auto", "response-v2", "response-v2-draft", "scalpel"];

describe.each(choices)(
  "the documents' examples as answers of a server, through $door in $target,",
  ({ door, target }) => {
    const ask = doors[door]({ dialect: target, profile: "debug", requestIds: () => "req_own" });

    it.each(someOf(answers, 8))(
      "$file as $channel is read, never wrapped again, and no word of it is lost",
      async (said) => {
        const meant = meantBy(said);
        const result = await ask(said);
        const isNamed =
          carriesCodes.includes(target) && JSON.stringify(said.envelope).includes('"error_code"');
        expect(gistOf(await readBack(result), isNamed)).toEqual(gistOf(meant, isNamed));
        expect(lostFrom(carried(meant, target), result)).toEqual([]);
        const prefixes = leavesOf(result).map((leaf) => String(leaf).split(PREFIX).length - 1);
        expect(Math.max(0, ...prefixes)).toBeLessThanOrEqual(1);
      },
    );
  },
);
