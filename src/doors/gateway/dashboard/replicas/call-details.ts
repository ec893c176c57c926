// What is kept of a call besides its row stays with the replica that took it. A page that opens such a call asks that
// replica, through Redis; the answer is what the replica's own page would show, masked as there, and stands in Redis for
// the few seconds until it is read.

import { setTimeout as sleep } from "node:timers/promises";
import { type JsonValue, isJsonObject, jsonIn } from "../../../../core/json/json-value.ts";
import { randomHex } from "../../../../engine/runtime/random-text.ts";
import type { CallDetail } from "../protocol/result.ts";
import type { CallRow } from "../protocol/traffic.ts";
import type { Traffic } from "../traffic/traffic.ts";
import type { SharedPlace } from "./shared-place.ts";

/** A replica looks twice a second; one that has more to do may need some of them. */
const WAIT_MS = 4_000;
const POLL_MS = 100;
/** A longer answer is given without the content of the call. */
const MAX_ANSWER_CHARS = 4 * 1024 * 1024;

/** What this replica keeps of one of its calls, with or without its content. */
export type DescribeCall = (row: CallRow, hasBodies: boolean) => Promise<CallDetail>;

export class CallDetails {
  readonly #place: SharedPlace;
  readonly #traffic: Traffic;
  readonly #describe: DescribeCall;

  constructor(place: SharedPlace, traffic: Traffic, describe: DescribeCall) {
    this.#place = place;
    this.#traffic = traffic;
    this.#describe = describe;
  }

  /** Undefined for a call of this replica, and where the other one does not answer. */
  async ask(row: CallRow): Promise<CallDetail | undefined> {
    const taken = this.#traffic.takenBy(row);
    if (taken === undefined) return undefined;
    const id = randomHex(16);
    try {
      await this.#place.ask(
        taken.replica,
        JSON.stringify({ id, n: taken.n, bodies: this.#traffic.hasBodies }),
      );
      for (let waited = 0; waited < WAIT_MS; waited += POLL_MS) {
        await sleep(POLL_MS);
        const answer = await this.#place.answerTo(id);
        // The row is that of the list here: numbers of calls differ from replica to replica.
        if (answer !== undefined) return withRow(jsonIn(answer), row);
      }
    } catch {
      // Redis is away: the row alone is shown, and that the rest is elsewhere.
    }
    return undefined;
  }

  /** Answers what other replicas ask this one. */
  async answer(questions: readonly string[]): Promise<void> {
    for (const text of questions) {
      const question = jsonIn(text);
      if (!isJsonObject(question)) continue;
      const { id, n, bodies } = question;
      const row = typeof n === "number" ? this.#traffic.ownRow(n) : undefined;
      if (typeof id !== "string" || !/^[0-9a-f]{32}$/.test(id) || row === undefined) continue;
      await this.#place.answer(id, await this.#textOf(row, bodies === true && this.#traffic.hasBodies));
    }
  }

  async #textOf(row: CallRow, hasBodies: boolean): Promise<string> {
    const text = JSON.stringify(await this.#describe(row, hasBodies));
    if (text.length <= MAX_ANSWER_CHARS || !hasBodies) return text;
    return JSON.stringify(await this.#describe(row, false));
  }
}

/** An answer of another version may lack what is new; the page is drawn from the rest. */
function withRow(answer: JsonValue | undefined, row: CallRow): CallDetail | undefined {
  if (!isJsonObject(answer) || !isJsonObject(answer["row"])) return undefined;
  const told = answer["row"] as unknown as CallRow;
  return { ...(answer as unknown as CallDetail), row: { ...told, seq: row.seq, replica: row.replica } };
}
