// Whose words a result has. A gateway signs what it wrote in the result's mark; of what passes as it is, it takes off a
// signature that only it could have given. Where no gateway is in between, nothing is signed: the words are the server's.

import { type OwnNotes, signMark, withoutSignature } from "../../core/contract/contract-mark.ts";
import type { Notes } from "../../core/contract/outcome.ts";
import { CONTRACT_META_KEY } from "../../core/contract/wire-names.ts";
import type { ContractState } from "../call/contract-state.ts";
import type { AnsweredCall } from "../call/run-call.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";

type Answered = Pick<AnsweredCall, "outcome" | "source">;

/** Notes with words of their own: what a server said that a reader could take for ours. */
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

  /** A server's result that passes as it is: the same object, unless it claims to be ours. */
  passed(result: JsonObject): JsonObject {
    const { _meta: meta } = result;
    if (!this.#isGateway || !isJsonObject(meta)) return result;
    const unsigned = withoutSignature(meta);
    return unsigned === meta ? result : { ...result, _meta: unsigned };
  }

  /** A result of ours, `foreign` being what its server sent. */
  written(result: JsonObject, foreign: JsonObject | undefined, answered: Answered): JsonObject {
    const { _meta: meta } = result;
    const mark = isJsonObject(meta) ? meta[CONTRACT_META_KEY] : undefined;
    if (!this.#isGateway || !isJsonObject(meta) || mark === undefined) return result;
    const theirs = isJsonObject(foreign?.["_meta"]) ? foreign["_meta"][CONTRACT_META_KEY] : undefined;
    const { name } = this.#state.options;
    const signed = signMark(mark, name, { own: this.#ownOf(answered), upstream: theirs });
    return { ...result, _meta: { ...meta, [CONTRACT_META_KEY]: signed } };
  }

  /** What of the notes is ours; undefined where the server gave neither notes nor the failure, so that all are. */
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
