// Which words of a result are ours. A gateway signs what it wrote in the result's mark, and removes such a
// signature from results that it passes on unchanged. Without a gateway nothing is signed: all words are the
// server's.

import { type OwnNotes, signMark, withoutSignature } from "../../core/contract/contract-mark.ts";
import type { Notes } from "../../core/contract/outcome.ts";
import { CONTRACT_META_KEY } from "../../core/contract/wire-names.ts";
import type { ContractState } from "../call/contract-state.ts";
import type { AnsweredCall } from "../call/run-call.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";

type Answered = Pick<AnsweredCall, "outcome" | "source">;

/** Whether a server's notes contain words that a reader could take for ours. */
function speaks({ warnings = [], fidelity }: Notes): boolean {
  return warnings.length > 0 || (fidelity !== undefined && fidelity.level !== "full");
}

export class Signature {
  readonly #state: ContractState;
  readonly #isGateway: boolean;

  constructor(state: ContractState, isGateway: boolean) {
    this.#state = state;
    this.#isGateway = isGateway;
  }

  /** A server's result that is passed on: the same object, unless it claims to be ours. */
  passed(result: JsonObject): JsonObject {
    const { _meta: meta } = result;
    if (!this.#isGateway || !isJsonObject(meta)) return result;
    const unsigned = withoutSignature(meta);
    return unsigned === meta ? result : { ...result, _meta: unsigned };
  }

  /** A result of ours; `foreign` is the result that its server sent. */
  written(result: JsonObject, foreign: JsonObject | undefined, answered: Answered): JsonObject {
    const { _meta: meta } = result;
    const mark = isJsonObject(meta) ? meta[CONTRACT_META_KEY] : undefined;
    if (!this.#isGateway || !isJsonObject(meta) || mark === undefined) return result;
    const theirs = isJsonObject(foreign?.["_meta"]) ? foreign["_meta"][CONTRACT_META_KEY] : undefined;
    const { name } = this.#state.options;
    const signed = signMark(mark, name, { own: this.#ownOf(answered), upstream: theirs });
    return { ...result, _meta: { ...meta, [CONTRACT_META_KEY]: signed } };
  }

  /** Which notes are ours; undefined if all are, because the server sent neither notes nor the failure. */
  #ownOf({ outcome, source }: Answered): OwnNotes | undefined {
    if (outcome === undefined || source === undefined) return undefined;
    const { notes: ownNotes, isEnvelope } = source;
    const isTheirFailure = isEnvelope && !outcome.ok;
    if (!isTheirFailure && !speaks(ownNotes)) return undefined;
    const theirs = (ownNotes.warnings ?? []).map(({ message }) => message);
    // A warning that was masked on its way is still the server's.
    const masked = theirs.map((message) => this.#state.mask(message));
    const said = new Set([...theirs, ...masked]);
    const { warnings = [], fidelity } = outcome.notes;
    const announced = new Set(Object.values(ownNotes.fidelity?.archives ?? {}));
    return {
      warnings: warnings.map(({ message }) => message).filter((message) => !said.has(message)),
      archives: Object.values(fidelity?.archives ?? {}).filter((hash) => !announced.has(hash)),
    };
  }
}
