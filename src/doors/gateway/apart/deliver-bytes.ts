// In the worker: the bytes of a message become the result to send, by the same steps as on the main thread. Archiving,
// logging and events are handed to the main thread.

import type { Bytes } from "../../../core/text/bytes.ts";
import type { Outcome } from "../../../core/contract/outcome.ts";
import type { ArchiveAccess } from "../../../engine/call/archive-access.ts";
import { CallEvents } from "../../../engine/call/call-events.ts";
import { type ContractState, createState } from "../../../engine/call/contract-state.ts";
import { deliverArrival } from "../../../engine/call/deliver-call.ts";
import { type AnsweredCall, type StandIn, standInFor } from "../../../engine/call/answered-call.ts";
import { type JsonObject, isJsonObject, jsonIn } from "../../../core/json/json-value.ts";
import { glance } from "../../../engine/transport/raw-message.ts";
import type { CutPart, KeptPart } from "../../../core/pipeline/parcel.ts";
import { encodeBlocks } from "../../../engine/archive/blocks.ts";
import { besideMask, Signature } from "../../../engine/session/foreign-tools.ts";
import {
  answerIn,
  arrivalOf,
  carryOriginal,
  withForeignKeys,
} from "../../../engine/session/foreign-result.ts";
import { type ServerAnswer, plainAnswer, noteStructures, writeResult } from "../message/server-answer.ts";
import {
  type ApartDelivery,
  type ApartMessage,
  type ApartRequest,
  asBuffer,
  ownBytes,
} from "./apart-messages.ts";
import { type PlainCall, callAgain } from "./plain-call.ts";

/** How a worker communicates with the thread that started it. */
export interface ApartPort {
  readonly tell: (message: ApartMessage, given?: readonly Bytes[]) => void;
  /** The result of keeping a part for the worker. */
  readonly kept: () => Promise<{ readonly kept: KeptPart | undefined }>;
}

/** A result up to this length is small enough to be inspected on the main thread. */
const MAX_SEEN_LENGTH = 1024 * 1024;
/** How many contract states are kept: a state knows what was already logged. */
const MAX_STATES = 64;
const states = new Map<number, ContractState>();

function keepThrough(port: ApartPort): (part: CutPart) => Promise<KeptPart> {
  return async ({ name, content, contentType }) => {
    for (const block of encodeBlocks(content)) {
      const bytes = block.slice();
      port.tell({ kind: "piece", bytes }, [bytes]);
    }
    port.tell({ kind: "keep", name, contentType });
    const { kept } = await port.kept();
    if (kept === undefined) throw new Error("The store did not keep it.");
    return kept;
  };
}

/** A state with what delivering needs; it forwards events to the main thread. */
function stateFor({ state, options, keeps }: PlainCall, port: ApartPort): ContractState {
  const known = states.get(state);
  if (known !== undefined) return known;
  const log =
    (level: "debug" | "info" | "warn" | "error") =>
    (fields: object, event: string): void =>
      port.tell({ kind: "log", level, event, fields });
  const logger = { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") };
  const events = new CallEvents(() => undefined);
  events.listen({ trouble: (event) => port.tell({ kind: "trouble", event }) });
  const keep = keepThrough(port);
  const archive = {
    isOn: keeps,
    // One state serves all tools of an upstream.
    keeps: (tool) => keeps && tool.archive !== "off",
    keepFor: () => keep,
  } satisfies Pick<ArchiveAccess, "isOn" | "keeps" | "keepFor">;
  const made = {
    ...createState({ ...options, logger }, { events }),
    archive: archive as unknown as ArchiveAccess,
  };
  if (states.size >= MAX_STATES) states.clear();
  states.set(state, made);
  return made;
}

/** Parses a message as an answer whose structure remembers its text; undefined if it is not an answer. */
function readAnswer(bytes: Bytes): ServerAnswer | undefined {
  const text = asBuffer(bytes).toString();
  const json = jsonIn(text);
  if (!isJsonObject(json)) return undefined;
  // The main thread waits for this answer under the id found at the ends of the message.
  const id = jsonIn(glance(asBuffer(bytes)).rawId);
  const answer = plainAnswer({ message: json, bytes: asBuffer(bytes) }, id, (one) => one === id);
  noteStructures(answer.message, () => text);
  return answer;
}

/** Drops large data from an outcome: the result contains it too, and the main thread does not need it. */
function seenOutcome(outcome: Outcome | undefined, isLarge: boolean): Outcome | undefined {
  return isLarge && outcome?.ok === true ? { ...outcome, data: null } : outcome;
}

function deliveryOf(
  answered: AnsweredCall,
  foreign: JsonObject,
  bytes: Bytes,
  { isModern }: PlainCall,
  state: ContractState,
): ApartDelivery {
  const { outcome, dialect, trace, isUntouched, source } = answered;
  const signature = new Signature(state, true);
  const arrived = standInFor(foreign);
  const said = {
    kind: "delivered",
    arrived,
    dialect,
    trace,
    source: source && seenSource(source),
    changes: answered.changes?.(),
  } as const;
  const finished = isUntouched
    ? signature.passed(foreign)
    : withForeignKeys(
        signature.written(answered.result, foreign, answered),
        foreign,
        isModern,
        besideMask(state, outcome),
      );
  if (finished === foreign)
    return { ...said, text: undefined, bytes, sent: arrived, outcome: seenOutcome(outcome, true) };
  const text = writeResult(finished);
  const isLarge = text.length > MAX_SEEN_LENGTH;
  const sent: StandIn = isLarge
    ? standInFor(finished)
    : { result: finished, texts: [], textBytes: undefined };
  const written = new TextEncoder().encode(text);
  return { ...said, text: written, bytes: undefined, sent, outcome: seenOutcome(outcome, isLarge) };
}

/** Without the data, which is in the result. */
function seenSource({ notes, isEnvelope }: NonNullable<AnsweredCall["source"]>): AnsweredCall["source"] {
  return { notes, isEnvelope };
}

/** Delivers one result, and reports how. */
export async function deliverBytes(
  { bytes, call: plain }: Extract<ApartRequest, { readonly kind: "deliver" }>,
  port: ApartPort,
): Promise<void> {
  const answer = readAnswer(bytes);
  const foreign = answer && answerIn(answer.message);
  if (answer === undefined || foreign === undefined) return port.tell({ kind: "unread", bytes }, [bytes]);
  try {
    const state = stateFor(plain, port);
    carryOriginal(foreign, { bytes: answer.bytes, rawId: "" });
    const arrival = arrivalOf(foreign, [], plain.tool);
    const answered = await deliverArrival(state, callAgain(plain), arrival);
    const delivery = deliveryOf(answered, foreign, ownBytes(answer.bytes), plain, state);
    const { text, bytes: same } = delivery;
    return port.tell(
      delivery,
      [text, same].filter((given) => given !== undefined),
    );
  } catch {
    // The main thread tries to read the message itself, and reports what is wrong.
    return port.tell({ kind: "unread", bytes }, [bytes]);
  }
}
