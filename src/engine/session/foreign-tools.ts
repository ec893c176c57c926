import type { Outcome, Notes } from "../../core/contract/outcome.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import { parseArchiveReference, CONTRACT_META_KEY } from "../../core/contract/wire-names.ts";
import type { CalledTool, RunFacts } from "../call/called-tool.ts";
import type { ContractState } from "../call/contract-state.ts";
import type { ToolConfig } from "../settings/tool-definition.ts";
import { isForTheClient, type AnsweredCall } from "../call/answered-call.ts";
import { isTooDeep } from "../../core/json/find-non-json.ts";
import { type JsonObject, isJsonObject, type JsonValue, setOwn } from "../../core/json/json-value.ts";
import type { Arrival } from "../../core/pipeline/parcel.ts";
import { maskForeign } from "../../core/pipeline/shape/mask-parcel.ts";
import type { Redactor } from "../../core/text/redact/redact-secrets.ts";
import { notOurs } from "./upstream-requests.ts";
import type { BesideMask } from "./foreign-result.ts";
import { type ToolNames, withToolName } from "./tool-names.ts";
import type { ListedTool, UpstreamMemory } from "./upstream-memory.ts";
import { randomHex } from "../runtime/random-text.ts";
import { type OwnNotes, signMark, withoutSignature } from "../../core/contract/contract-mark.ts";

/** How the calls of one connection reach their server. */
export interface ForeignCallOptions {
  /** The timeout of tools that have none of their own. */
  readonly callTimeoutMs?: number | undefined;
  /** The server runs in another process, so errors thrown by its tools are not visible here. */
  readonly isRemote?: boolean | undefined;
  /** Which tools of the server clients know, and by which names. Default: all, by their own. */
  readonly names?: ToolNames | undefined;
}

/** The tools of an upstream server, as the engine calls them. */
export class ForeignTools {
  readonly #state: ContractState;
  readonly #memory: UpstreamMemory;
  readonly #options: ForeignCallOptions;

  constructor(state: ContractState, memory: UpstreamMemory, options: ForeignCallOptions) {
    this.#state = state;
    this.#memory = memory;
    this.#options = options;
  }

  find(
    name: string,
    forward: Forward,
    tenant: string | undefined,
    refusal?: CalledTool["refusal"],
  ): CalledTool {
    const listed = this.#memory.find(tenant ?? "", name);
    return {
      name,
      config: this.#inTime(listed),
      schemas: listed.schemas,
      listedSchema: listed.listedSchema,
      isUnlisted: listed.isUnlisted,
      canBeAsked: listed.canBeAsked,
      readsDocuments: listed.readsDocuments,
      serverName: this.#memory.serverName,
      leanServer: () => this.#memory.leanServer(tenant ?? ""),
      isRemote: this.#options.isRemote,
      retrieveName: this.#memory.retrieveName(tenant ?? ""),
      refusal,
      // The server validates its arguments itself.
      parse: (_state, args) => args,
      run: (_state, _args, facts) => forward(facts),
    };
  }

  /** The config with the timeout of every call, unless the tool has its own. */
  #inTime({ name, config }: ListedTool): ToolConfig {
    const { callTimeoutMs: timeoutMs } = this.#options;
    if (timeoutMs === undefined || this.#state.options.toolSettings?.[name]?.timeoutMs !== undefined)
      return config;
    return { ...config, timeoutMs };
  }

  maskOf(outcome: Outcome | undefined): BesideMask | undefined {
    return besideMask(this.#state, outcome);
  }

  /** A response that is passed on, with the secrets in its error masked. */
  maskError(response: JsonObject): JsonObject {
    const { error } = response;
    const { redactor } = this.#state;
    if (redactor === undefined || !isJsonObject(error)) return response;
    const masked = maskedError(error, redactor);
    return masked === error ? response : { ...response, error: masked };
  }
}

/** The same object if it contains no secret, so that it can be sent as the bytes that came. */
function maskedError(error: JsonObject, redactor: Redactor): JsonObject {
  const { data, ...words } = error;
  // A URL that the client must open may contain a secret and does not work without it.
  const isKept = data === undefined || isForTheClient(error);
  // Data that is nested too deep cannot be searched for secrets, so it is left out.
  const isLeftOut = !isKept && isTooDeep(data);
  const said = redactor.json(isKept || isLeftOut ? words : error);
  if (said.count === 0 && !isLeftOut) return error;
  return isKept && data !== undefined ? { ...said.value, data } : said.value;
}

/** Masks the keys beside a result's texts whenever the texts are masked. */
export function besideMask(
  { redactor, masksSuccesses }: Pick<ContractState, "redactor" | "masksSuccesses">,
  outcome: Outcome | undefined,
): BesideMask | undefined {
  if (redactor === undefined || outcome === undefined || (outcome.ok && !masksSuccesses)) return undefined;
  return (keys) => maskForeign(keys, (value) => redactor.json(value));
}

type Forward = (run: RunFacts) => Promise<Arrival>;

/**
 * Archives that the server announced are requested from the server. Content that is not kept here may be kept
 * by an upstream Waybill.
 */
export function routed(
  ours: CalledTool,
  forward: Forward | undefined,
  isTheirs: (hash: string) => boolean,
): CalledTool {
  const here = forward === undefined ? ours : firstHere(ours, forward);
  return {
    ...here,
    run: (state, args, run) => {
      const archive = isJsonObject(args) ? args["archive"] : undefined;
      const hash = typeof archive === "string" ? parseArchiveReference(archive) : undefined;
      if (hash === undefined || !isTheirs(hash)) return here.run(state, args, run);
      if (forward === undefined) throw notOurs();
      return forward(run);
    },
  };
}

function firstHere(ours: CalledTool, forward: Forward): CalledTool {
  return {
    ...ours,
    run: async (state, args, run) => {
      try {
        return await ours.run(state, args, run);
      } catch (error) {
        const isNamed = isJsonObject(args) && args["archive"] !== undefined;
        const isMissing = ToolFault.isInstance(error) && error.code === "NOT_FOUND";
        if (isNamed && !isMissing) throw error;
        return forward(run);
      }
    },
  };
}

/**
 * No server has a tool of this name, and no client can guess it. One name for the whole process, because logs
 * and metrics count tools by name.
 */
let madeName: string | undefined;

function strangeName(): string {
  madeName ??= `unlisted_${randomHex(12)}`;
  return madeName;
}

const MAX_DEPTH = 64;

/** The value with one text replaced by another in all its texts; the same value if none contains it. */
function replaced(value: JsonValue, from: string, to: string, depth = 0): JsonValue {
  if (typeof value === "string") return value.includes(from) ? value.replaceAll(from, () => to) : value;
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  let isChanged = false;
  const inner = (item: JsonValue): JsonValue => {
    const made = replaced(item, from, to, depth + 1);
    isChanged ||= made !== item;
    return made;
  };
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map(inner);
    return isChanged ? items : value;
  }
  const made: Record<string, JsonValue> = {};
  for (const [key, item] of Object.entries(value)) setOwn(made, key, inner(item));
  return isChanged ? made : value;
}

// Tools of a server that clients must not see. To a caller each looks like a tool that does not exist: the server is asked
// for a name that it certainly does not have, and its answer is sent under the name that was called.

/** The call under a name that the server does not know. */
export function disguised(message: JsonObject): JsonObject {
  return withToolName(message, strangeName());
}

/** The answer to such a call, with the name that was called; the same object if it contains no name. */
export function answeredAs(name: string, answer: JsonObject): JsonObject {
  return replaced(answer, strangeName(), name) as JsonObject;
}

// Which words of a result are ours. A gateway signs what it wrote in the result's mark, and removes such a
// signature from results that it passes on unchanged. Without a gateway nothing is signed: all words are the
// server's.

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
