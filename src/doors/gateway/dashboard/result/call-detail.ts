import type { ContractState } from "../../../../engine/call/contract-state.ts";
import { readableOf } from "../../../../engine/call/read-answer.ts";
import { type JsonValue, isJsonObject } from "../../../../core/json/json-value.ts";
import { bodyOf } from "../body.ts";
import type { Body, CallBodies, CallDetail } from "../protocol/result.ts";
import type { CallRow } from "../protocol/traffic.ts";
import type { KeptCall, KeptContents } from "../traffic/kept-calls.ts";
import type { KeptText } from "../traffic/kept-text.ts";
import { keptLinks } from "./call-archives.ts";
import { wholeOf } from "./kept-parcel.ts";
import { stagesOf } from "./stage-tokens.ts";

const nothing: Body = { text: "", chars: 0, tokens: 0, isHead: false };

function readIn(value: JsonValue | undefined, text: string): readonly string[] {
  if (!isJsonObject(value) || (value["content"] === undefined && value["structuredContent"] === undefined))
    return [text];
  return readableOf(value);
}

/** A text that was kept; of one that is not whole the tokens are those that were estimated when it passed. */
export async function keptBody(
  state: ContractState,
  kept: KeptText | undefined,
  estimated: number,
): Promise<Body> {
  if (kept === undefined) return nothing;
  const { text, chars, isHead } = kept;
  const body = await bodyOf(state, text, isHead ? [] : readIn(wholeOf(kept), text));
  return isHead ? { ...body, chars, tokens: estimated, isHead: true, isEstimated: true } : body;
}

async function bodiesOf(contents: KeptContents, { upstream }: KeptCall, row: CallRow): Promise<CallBodies> {
  const { state } = upstream;
  return {
    arguments: await keptBody(state, contents.arguments, Math.round(contents.arguments.chars / 4)),
    before: await keptBody(state, contents.before, row.tokensIn),
    after: await keptBody(state, contents.after, row.tokensOut),
  };
}

/** Tokens are estimated while calls pass; of a call that somebody looks at they are counted. */
function countedRow(row: CallRow, { before, after }: CallBodies): CallRow {
  if (row.isCounted || row.ending === "abandoned") return row;
  const isCounted = before.isEstimated !== true && after.isEstimated !== true;
  // What a tool of ours gave did not come from the server.
  const tokensIn = row.tokensIn === 0 ? 0 : before.tokens;
  return { ...row, tokensIn, tokensOut: after.tokens, isCounted };
}

/** Messages may quote what a call carried; codes never do. */
function warningsOf({ notes, upstream }: KeptCall, hasBodies: boolean): readonly string[] {
  return (notes?.warnings ?? []).map(({ code, message }) => {
    if (!hasBodies) return code ?? "a warning without a code";
    return upstream.state.mask(code === undefined ? message : `${code}: ${message}`);
  });
}

/** A call as it travelled. Secrets are masked everywhere, also where the model was told them. */
export async function callDetail(
  row: CallRow,
  kept: KeptCall | undefined,
  hasBodies: boolean,
): Promise<CallDetail> {
  const whyNoBodies = hasBodies ? "not-kept" : "bodies-off";
  if (kept === undefined) return { row, stages: [], warnings: [], droppedIds: [], archives: [], whyNoBodies };
  const { notes, fault, contents, upstream } = kept;
  const { mask } = upstream.state;
  const bodies = contents === undefined ? undefined : await bodiesOf(contents, kept, row);
  return {
    row: bodies === undefined ? row : countedRow(row, bodies),
    stages: await stagesOf(kept, row),
    warnings: warningsOf(kept, hasBodies),
    failure: hasBodies
      ? fault && { message: mask(fault.message), remediation: mask(fault.remediation ?? "") }
      : undefined,
    droppedIds: hasBodies ? (notes?.fidelity?.dropped ?? []).map(mask) : [],
    archives: await keptLinks(kept),
    bodies,
    whyNoBodies: bodies === undefined ? whyNoBodies : undefined,
  };
}
