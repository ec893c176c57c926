// What the stages need to know about a call, as data for another thread, and the call rebuilt from it there. Functions
// cannot be transferred: a call that needs a function of its author is delivered on the thread that has it.

import type { Notes } from "../../../core/contract/outcome.ts";
import type { LeanServer } from "../../../core/pipeline/pipeline-context.ts";
import type { CalledTool, ToolCall } from "../../../engine/call/called-tool.ts";
import type { ContractOptions } from "../../../engine/settings/contract-options.ts";
import type { ContractState } from "../../../engine/call/contract-state.ts";
import type { NoteTaker } from "../../../engine/call/note-taker.ts";
import { ToolSchemas } from "../../../engine/call/tool-schemas.ts";
import { filtersOf } from "../../../engine/settings/tool-contract.ts";

type PlainTool = Pick<
  CalledTool,
  | "name"
  | "listedSchema"
  | "isUnlisted"
  | "canBeAsked"
  | "isRemote"
  | "retrieveName"
  | "readsDocuments"
  | "serverName"
> & {
  readonly idPath: string | undefined;
  readonly inputFacts: ToolSchemas["inputFacts"];
  readonly server: LeanServer | undefined;
};

type Agreement = ToolCall["contract"];
type PlainAgreement = Omit<Agreement, "tool" | "filter"> & {
  readonly hasFilter: boolean;
  readonly tool: Omit<Agreement["tool"], "mayCutBare" | "filterFor" | "flags" | "origins"> & {
    readonly cutsBare: readonly [untyped: boolean, typed: boolean];
  };
};

export interface PlainCall {
  /** Equal for calls under the same contract. */
  readonly state: number;
  readonly options: Pick<ContractOptions, "name" | "redact" | "standards" | "fit">;
  readonly keeps: boolean;
  readonly tool: PlainTool;
  readonly args: unknown;
  readonly identity: ToolCall["identity"];
  readonly tier: string | undefined;
  readonly contract: PlainAgreement;
  readonly notes: Notes;
  readonly isModern: boolean;
}

let states = 0;

/** Whether the stages of a call run no function of its author or caller, and do not wait for another thread. */
function isPlain({ options }: ContractState, { tool, contract, select }: ToolCall): boolean {
  if (options.mapError !== undefined || options.now !== undefined || tool.config.format !== undefined)
    return false;
  if (tool.listedSchema === undefined || select !== undefined) return false;
  // Fields that the model asked for are not part of the settings.
  if (contract.filter !== contract.tool.filterFor(contract.profileObject)) return false;
  const { counter } = options.fit ?? {};
  const isOrdinary = contract.tool.strategy !== "digest" && contract.tool.validate !== "always";
  return isOrdinary && (counter === undefined || typeof counter === "string");
}

/** What the options and the settings together say of masking: the other thread has no settings. */
function redacting({ options: { redact }, masksSuccesses }: ContractState): Pick<ContractOptions, "redact"> {
  if (masksSuccesses) return { redact: { ...(typeof redact === "object" ? redact : {}), successes: true } };
  return redact === undefined ? {} : { redact };
}

/** A call as data; undefined if data cannot represent the whole call. */
export function plainCall(state: ContractState, call: ToolCall, notes: Notes): PlainCall | undefined {
  if (!isPlain(state, call)) return undefined;
  const { tool, args, identity, tier, request } = call;
  const { name, standards, fit } = state.options;
  const { tool: agreed, filter, ...contract } = call.contract;
  const { mayCutBare, filterFor: _filterFor, flags: _flags, origins: _origins, ...settings } = agreed;
  const { listedSchema, isUnlisted, canBeAsked, isRemote, retrieveName, readsDocuments, serverName } = tool;
  return {
    state: (state.kept.number ??= ++states),
    options: {
      ...(name !== undefined && { name }),
      ...redacting(state),
      ...(standards !== undefined && { standards }),
      ...(fit !== undefined && { fit }),
    },
    keeps: state.archive.isOn,
    tool: {
      name: tool.name,
      listedSchema,
      isUnlisted,
      canBeAsked,
      isRemote,
      retrieveName,
      readsDocuments,
      serverName,
      idPath: tool.config.idPath,
      inputFacts: tool.schemas.inputFacts,
      server: contract.lean ? tool.leanServer?.() : undefined,
    },
    args,
    identity,
    tier,
    contract: {
      ...contract,
      hasFilter: filter !== undefined,
      tool: { ...settings, cutsBare: [mayCutBare(false), mayCutBare(true)] },
    },
    notes,
    isModern: request.isModern === true,
  };
}

/** Rebuilds the call, as far as delivering its result needs it. */
export function callAgain({ tool, contract, notes, ...plain }: PlainCall): ToolCall {
  const { hasFilter, tool: agreed, ...agreement } = contract;
  const { cutsBare, ...settings } = agreed;
  const { idPath, inputFacts, server, ...called } = tool;
  const filterFor = filtersOf(settings.filter);
  const made = {
    ...plain,
    tool: {
      ...called,
      config: { idPath },
      schemas: ToolSchemas.ofListed(called.listedSchema ?? null, inputFacts),
      leanServer: server === undefined ? undefined : () => server,
    },
    cursor: undefined,
    limit: undefined,
    select: undefined,
    taken: [],
    request: { meta: {}, isModern: plain.isModern },
    contract: {
      ...agreement,
      filter: hasFilter ? filterFor(contract.profileObject) : undefined,
      tool: { ...settings, filterFor, mayCutBare: (isTyped: boolean) => cutsBare[isTyped ? 1 : 0] },
    },
    notes: { toNotes: () => notes } satisfies Pick<NoteTaker, "toNotes">,
    refusal: undefined,
  };
  return made as unknown as ToolCall;
}
