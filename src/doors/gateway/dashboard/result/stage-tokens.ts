// The six stages of a call with the tokens of what each handed on. While calls pass nobody counts: they are counted
// here, from what was kept, and left out where that says too little.

import type { Outcome } from "../../../../core/contract/outcome.ts";
import { isDialectId } from "../../../../core/contract/dialect-id.ts";
import { profiles } from "../../../../core/contract/profile.ts";
import { readableOf } from "../../../../engine/call/read-answer.ts";
import { type JsonObject, isJsonObject } from "../../../../core/json/json-value.ts";
import { dialects } from "../../../../core/pipeline/dialect/dialects.ts";
import type { StageView } from "../protocol/result.ts";
import type { CallRow } from "../protocol/traffic.ts";
import type { KeptCall } from "../traffic/kept-calls.ts";
import { arrivedParcel, endedParcel, saidBy, wholeOf } from "./kept-parcel.ts";

function wordsOf(outcome: Outcome | undefined): string | undefined {
  if (outcome === undefined) return undefined;
  return JSON.stringify(outcome.ok ? outcome.data : outcome.fault);
}

/** What a model reads; each text is counted for itself, as in the list of calls. */
type Words = readonly string[];

/** The words of the dialect in a delivered result: the envelope, or the texts where there is no envelope. */
function dialectWords(result: JsonObject, { dialect }: CallRow): Words {
  const isEnvelope = isDialectId(dialect) && dialects[dialect].level === "envelope";
  const texts = readableOf(result);
  if (!isEnvelope) return texts;
  const { structuredContent } = result;
  return structuredContent === undefined ? texts.slice(0, 1) : [JSON.stringify(structuredContent)];
}

/** What a tool of ours gave, which no server had sent. */
function valueOf({ contents }: KeptCall): string | undefined {
  return contents?.before?.isHead === false ? contents.before.text : undefined;
}

/** Of a success what the server sent, not the same once more as JSON: it is not read by anybody. */
function arrivedWords(kept: KeptCall, outcome: Outcome | undefined): Words | undefined {
  const result = wholeOf(kept.contents?.before);
  if (outcome?.ok === true && isJsonObject(result)) return readableOf(result);
  return asWords(wordsOf(outcome));
}

function asWords(text: string | undefined): Words | undefined {
  return text === undefined ? undefined : [text];
}

/** What each stage handed on where it is known. */
function handedOn(kept: KeptCall, row: CallRow): Readonly<Record<string, Words | undefined>> {
  const { contents } = kept;
  if (contents === undefined) return {};
  const form = { dialect: "plain", profile: profiles.standard } as const;
  const arrived = arrivedParcel(kept, row, form);
  const final = wordsOf(endedParcel(kept, row, form)?.parcel.outcome);
  const isUnshaped = saidBy(kept, "shape").startsWith("nothing to leave out");
  const isUncut = /^(?:full(?!: page)|no budget)/.test(saidBy(kept, "fit"));
  // What a tool of ours gave may be an envelope: what is in it is known where no stage changed it.
  const given = isUnshaped && isUncut ? final : valueOf(kept);
  const outcome = arrived === undefined ? asWords(given) : arrivedWords(kept, arrived.outcome);
  const isUnchanged = final !== undefined && final === wordsOf(arrived?.outcome);
  const ended = isUnchanged ? outcome : asWords(final);
  const after = wholeOf(contents.after);
  const result = isJsonObject(after) ? after : undefined;
  return {
    outcome,
    shape: isUncut ? ended : isUnshaped ? outcome : undefined,
    fit: ended,
    archive: ended,
    dialect: result && dialectWords(result, row),
    deliver: result && readableOf(result),
  };
}

/** Empty where the result left untouched, or nothing is kept of its way. */
export async function stagesOf(kept: KeptCall, row: CallRow): Promise<readonly StageView[]> {
  if (kept.trace.length === 0) return [];
  const { state } = kept.upstream;
  const words = handedOn(kept, row);
  const counter = await state.counter();
  const isUnshaped = saidBy(kept, "shape").startsWith("nothing to leave out");
  return kept.trace.map(({ stage, says }) => {
    const texts = words[stage];
    const said = { stage, says: state.mask(says) };
    if (texts !== undefined)
      return { ...said, tokens: texts.reduce((sum, text) => sum + counter.count(text), 0) };
    // Of a result too long to be kept whole, what was estimated when it passed: the cut is what people come to see.
    const isEstimated = stage === "outcome" || (stage === "shape" && isUnshaped);
    return isEstimated ? { ...said, tokens: row.tokensIn, isEstimated } : said;
  });
}
