// Lean, the last part of the stage before tables: leaves out of a success what a model does not need.
// Promises that the whole is archived first, that every field that was left out is named and can be fetched, and that
// nothing changes where less than 100 tokens would be saved, or where the whole cannot be kept.

import { handleOf, archiveListing } from "../../../contract/wire-names.ts";
import type { Notes, Success } from "../../../contract/outcome.ts";
import { type WarningDetail, orderWarnings } from "../../../contract/warning.ts";
import { jsonChunks } from "../../../json/json-chunks.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../json/json-value.ts";
import { mainCollection } from "../../../json/main-collection.ts";
import { dropSpaces } from "../../../json/scan-json.ts";
import type { TokenCounter } from "../../../tokens/token-counter.ts";
import type { CutPart, KeptPart, LeanResult, Parcel } from "../../parcel.ts";
import type { LeanContext, PipelineContext } from "../../pipeline-context.ts";
import { type LeanValue, leanValue } from "./lean-value.ts";
import { nameFields, sayFields } from "./name-fields.ts";
import { ProtectedNames } from "./protected-names.ts";

/** With less to save, nothing is left out and nothing is archived. */
const LEAST_SAVED = 100;

interface Leaned {
  readonly outcome: Success;
  readonly lean: LeanResult;
  /** The server's JSON is sent without its spaces, and with all its fields. */
  readonly isDense: boolean;
}

/** What could be left out of a result, and how its reader is told. */
interface Plan extends LeanValue {
  /** Spaces of the server's JSON are left out, and no field. */
  readonly isSpaceOnly: boolean;
  readonly names: readonly string[];
}

/** The outcome without what a model does not need; undefined if it stays as it is. Never rejects. */
export async function leanOutcome(
  parcel: Parcel,
  outcome: Success,
  lean: LeanContext,
  context: PipelineContext,
): Promise<Leaned | undefined> {
  if (!mayBeLean(parcel, outcome, lean)) return undefined;
  const plan = planFor(outcome.data, lean);
  if (plan.dropped.length > 0 && lean.keepsSchema?.(plan.value) === false) return undefined;
  const counter = await lean.counter();
  const told = tellerFor(plan, lean);
  const cost = costOf(told(blank), context, counter);
  if (savedBy(plan, spacedText(parcel, outcome, context), counter) < LEAST_SAVED + cost) return undefined;
  const part = partFor(parcel, outcome.data);
  const kept = await keep(part, lean, context);
  if (kept === undefined) return undefined;
  const notes = withLean(outcome.notes, told(kept), plan.names, archiveListing(part.name, kept.hash));
  return {
    outcome: { ...outcome, data: plan.value, notes },
    lean: { before: outcome, part: { ...part, kept }, hasTexts: plan.hasTexts },
    isDense: plan.isSpaceOnly,
  };
}

/** Data that is text, a part of a larger whole, or a document stays as it is. */
function mayBeLean({ source }: Parcel, { data, notes }: Success, { isDocument }: LeanContext): boolean {
  if (typeof data !== "object" || data === null) return false;
  if ((notes.fidelity?.level ?? "full") !== "full") return false;
  const isFromText = source?.written?.value === data || source?.isTexts === true;
  return !(isFromText && isDocument);
}

function planFor(data: JsonValue, { server, required, opensTexts, isDocument, wrap }: LeanContext): Plan {
  const guarded = new ProtectedNames(server.arguments, required);
  const made = leanValue(data, {
    presets: server.presets,
    guarded,
    opensTexts: opensTexts && !isDocument,
  });
  const prefix = isJsonObject(data)
    ? ""
    : wrap === undefined
      ? undefined
      : wrap(data) === data
        ? ""
        : "/result";
  return { ...made, isSpaceOnly: made.dropped.length === 0, names: nameFields(made.dropped, prefix) };
}

const blank: KeptPart = { hash: "0".repeat(64), usedFallback: false };

/** The warning of a result, once it is known where the whole is. */
function tellerFor(
  plan: Plan,
  { retrieveTool: tool, namesFullHash }: LeanContext,
): (kept: KeptPart) => WarningDetail {
  const says = plan.isSpaceOnly ? undefined : sayFields(plan.dropped);
  const [one] = plan.names;
  return ({ hash }) => {
    const archive = namesFullHash ? hash : handleOf(hash);
    if (says === undefined)
      return {
        code: "WHITESPACE_DROPPED",
        severity: "info",
        message: `Written without spaces; the server's own text: ${tool} ${JSON.stringify({ archive, pointer: "" })}`,
      };
    const retrieve = { tool, arguments: { archive } };
    const alone = one === undefined ? "" : `; one of them alone: "ids":${JSON.stringify([one])}`;
    const message = `Lean: ${says}${alone}`;
    return { code: "FIELDS_DROPPED", severity: "info", message, context: { retrieve } };
  };
}

/** What the words about it cost: a line under a text; in an envelope the notes too. */
function costOf(warning: WarningDetail, context: PipelineContext, counter: TokenCounter): number {
  const line = counter.count(`${warning.message} ${JSON.stringify(warning.context ?? {})}`);
  return staysText(context) ? line : line + ENVELOPE_TOKENS;
}

/** Whether the data is sent as a text with a line below it, and not in an envelope. */
function staysText({ delivery, dialect }: PipelineContext): boolean {
  return dialect === "auto" && delivery === "text";
}

/** The server's own JSON, if its spaces would be sent. */
function spacedText({ source }: Parcel, { data }: Success, context: PipelineContext): string | undefined {
  return staysText(context) && source?.written?.value === data ? source.written.text : undefined;
}

/** Level, hash and names in the notes of an envelope, and under `auto` the envelope itself. */
const ENVELOPE_TOKENS = 120;

/** The tokens of what is left out, counted piece by piece until there are enough. */
function savedBy({ dropped }: Plan, text: string | undefined, counter: TokenCounter): number {
  let saved = 0;
  for (const { key, value } of dropped) {
    saved += counter.count(`${JSON.stringify(key)}:${JSON.stringify(value)},`, ENOUGH);
    if (saved > ENOUGH) return saved;
  }
  return saved + savedSpaces(text, counter);
}

/** More than any line costs: the rest need not be counted. */
const ENOUGH = 1_000;
/** The spaces of a longer text are counted in its first part. */
const SAMPLE_LENGTH = 65_536;

function savedSpaces(text: string | undefined, counter: TokenCounter): number {
  if (text === undefined) return 0;
  const sample = text.slice(0, SAMPLE_LENGTH);
  const dense = dropSpaces(sample);
  return dense === sample ? 0 : counter.count(sample) - counter.count(dense);
}

/** The longest key that an archive's name begins with. */
const MAX_NAME_LENGTH = 32;

function partFor({ source }: Parcel, whole: JsonValue): CutPart {
  const { name = "data" } = mainCollection(whole) ?? {};
  const isWrapped = source?.isWrapped === true && typeof whole === "object";
  const kept = isWrapped ? ((whole as JsonObject)["result"] ?? whole) : whole;
  return {
    name: /^[\w.-]+$/.test(name) && name.length <= MAX_NAME_LENGTH ? name : "data",
    content: { [Symbol.iterator]: () => jsonChunks(kept, undefined, source?.written) },
    contentType: "application/json",
  };
}

async function keep(
  part: CutPart,
  lean: LeanContext,
  context: PipelineContext,
): Promise<KeptPart | undefined> {
  try {
    return await lean.keep(part);
  } catch (error) {
    context.log?.({ requestId: context.requestId, tool: context.tool.id, error, event: "archive-failed" });
    return undefined;
  }
}

function withLean(
  notes: Notes,
  warning: WarningDetail,
  names: readonly string[],
  [key, hash]: readonly [string, string],
): Notes {
  const { archives = {} } = notes.fidelity ?? {};
  return {
    ...notes,
    warnings: orderWarnings([...(notes.warnings ?? []), warning]),
    // The whole comes first: a reader who wants it back looks there.
    fidelity: {
      level: names.length > 0 ? "partial" : "full",
      dropped: names,
      archives: { [key]: hash, ...archives },
    },
  };
}
