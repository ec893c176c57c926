import { stripWaybill, stripSelect } from "../../core/schema/input-schema.ts";
import type { RequestIdOrigin } from "../../core/contract/profile.ts";
import { markIn } from "../../core/contract/contract-mark.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import { isRequestId, newRequestId } from "../../core/contract/request-id.ts";
import {
  CONTRACT_META_KEY,
  IDEMPOTENCY_META_KEY,
  REQUEST_ID_META_KEY,
  SELECT_ARGUMENT,
} from "../../core/contract/wire-names.ts";
import { type CompiledFilter, compileFilter, narrow } from "../../core/pipeline/shape/compile-filter.ts";
import { hashCredential, type CallRequest } from "../request/call-request.ts";
import { networkOf } from "../../core/text/network-address.ts";
import type { CalledTool, ToolCall } from "./called-tool.ts";
import type { ContractOptions } from "../settings/contract-options.ts";
import type { ContractState } from "./contract-state.ts";
import { NoteTaker } from "./note-taker.ts";
import type { MaskText } from "./input-failure.ts";
import { takePaging } from "./paging-arguments.ts";
import { bareContract } from "../settings/settings-resolver.ts";
import { sayName } from "../../core/text/say-name.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import type { ToolContract } from "../settings/tool-contract.ts";
import { jsonSchemaOf } from "../settings/standard-schema.ts";

/** Applies the configured filter, then the fields that the model asked for; an invalid list is ignored. */
function keepAsked(
  filter: CompiledFilter | undefined,
  fields: readonly string[] | undefined,
  notes: NoteTaker,
): CompiledFilter | undefined {
  if (fields === undefined || fields.length === 0) return filter;
  try {
    const asked = compileFilter({ includeOnly: fields });
    return filter === undefined ? asked : narrow(filter, asked);
  } catch {
    notes.warn("_waybill.fields is not understood and was ignored");
    return filter;
  }
}

/** An unverified token must not choose a tier. */
function verifiedOf(request: CallRequest): CallRequest {
  if (request.bearerHash === undefined && request.variantHash === undefined) return request;
  const { bearerHash: _bearer, variantHash: _variant, ...verified } = request;
  return verified;
}

/** Who calls, as far as it could be determined. */
export type Caller = Pick<ToolCall, "identity" | "tier" | "refusal">;

/** If the author's own function throws, the call is not run. */
export function identifyCaller({ options }: ContractState, request: CallRequest): Caller {
  try {
    const identity = identifyCall(request, options);
    return { identity, tier: options.tiers?.of(verifiedOf(request)), refusal: undefined };
  } catch (error) {
    const { tenant: _tenant, requestIds: _ids, ...bare } = options;
    return { identity: identifyCall(request, bare), tier: undefined, refusal: { error } };
  }
}

/** A budget that the model asks for in its arguments counts like one that the client asks for in `_meta`. */
function askFor(request: CallRequest, budgetTokens: number | undefined): CallRequest {
  if (budgetTokens === undefined) return request;
  const contract = { ...markIn(request.meta), budget_tokens: budgetTokens };
  return { ...request, meta: { ...request.meta, [CONTRACT_META_KEY]: contract } };
}

/** The tool with all settings that the code gives it, for the guards. */
function withSettings(state: ContractState, tool: CalledTool): CalledTool {
  const config = state.effective.codeOf(tool);
  return config === tool.config ? tool : { ...tool, config };
}

interface Terms extends Pick<ToolCall, "args" | "contract"> {
  readonly select?: string | undefined;
  readonly taken?: readonly string[] | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
  readonly refusal?: { readonly error: unknown } | undefined;
}

/**
 * The agreed contract. If the settings cannot be read, the call is refused, in the default form and without a
 * filter.
 */
function agree(
  state: ContractState,
  tool: CalledTool,
  rawArgs: unknown,
  request: CallRequest,
  principal: string | undefined,
  notes: NoteTaker,
): Terms {
  try {
    const toolContract = state.effective.toolContract(tool);
    const mayAsk = toolContract.select && takesQuestions(toolContract, tool);
    if (!toolContract.takesWaybill) {
      const contract = state.effective.forCall(toolContract, request, principal);
      if (!mayAsk) return { args: rawArgs, contract };
      const asked = takeQuestion(rawArgs);
      const misnamed = asked.select === undefined ? misnamedQuestion(tool, asked.args) : undefined;
      if (misnamed !== undefined) notes.warn(misnamed);
      return { ...asked, contract };
    }
    const { args, waybill } = stripWaybill(rawArgs, mayAsk);
    const contract = state.effective.forCall(toolContract, askFor(request, waybill?.budgetTokens), principal);
    for (const name of waybill?.ignored ?? [])
      notes.warn(`_waybill.${sayName(name)} is not understood and was ignored`);
    const filter = keepAsked(contract.filter, waybill?.fields, notes);
    const { cursor, select } = waybill ?? {};
    return { args, cursor, select, contract: { ...contract, filter } };
  } catch (error) {
    return { args: rawArgs, contract: bareContract(tool.name), refusal: { error } };
  }
}

const nothing: readonly string[] = [];

/** The arguments without `cursor` and `limit`, if the tool leaves paging to the contract. */
function pagedTerms(terms: Terms, notes: NoteTaker, mask: MaskText): Terms {
  const onRepair = (warning: WarningDetail): void => notes.warn(warning);
  try {
    const { args, cursor, limit } = takePaging(
      terms.args,
      terms.contract.tool.repairArguments ? onRepair : undefined,
      mask,
    );
    const { contract, select, taken, refusal } = terms;
    return { args, contract, select, taken, cursor: terms.cursor ?? cursor, limit, refusal };
  } catch (error) {
    return { ...terms, refusal: terms.refusal ?? { error } };
  }
}

/** Everything that is decided before the tool runs; a door that had to know the caller earlier gives the caller. */
export function openCall(
  state: ContractState,
  tool: CalledTool,
  rawArgs: unknown,
  request: CallRequest,
  caller = identifyCaller(state, request),
): ToolCall {
  const { identity, tier, refusal } = caller;
  const notes = new NoteTaker();
  const agreed = agree(state, tool, rawArgs, request, identity.principal, notes);
  const terms = tool.config.paging === true ? pagedTerms(agreed, notes, state.mask) : agreed;
  return {
    tool: withSettings(state, tool),
    args: terms.args,
    cursor: terms.cursor,
    limit: terms.limit,
    select: terms.select,
    taken: terms.taken ?? nothing,
    request,
    identity,
    tier,
    contract: terms.contract,
    notes,
    refusal: terms.refusal ?? refusal ?? tool.refusal,
  };
}

export interface CallIdentity {
  readonly requestId: string;
  readonly requestIdFrom: RequestIdOrigin;
  readonly tenant: string;
  /** An anonymous caller can open an archive only by its full hash. */
  readonly isAnonymous: boolean;
  /** The verified caller. Limits and flags use it, never what a caller only claims. */
  readonly principal: string | undefined;
  /** By what an unverified caller is limited: its address, or the network it can choose addresses from. */
  readonly network: string | undefined;
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  readonly idempotencyKey: string | undefined;
}

function textAt(request: CallRequest, key: string): string | undefined {
  const value = request.meta[key];
  return typeof value === "string" && value !== "" && value.length <= 512 ? value : undefined;
}

/** Any key counts. A key that is not text is refused later, because its sender wants protection. */
function idempotencyKeyOf(request: CallRequest): string | undefined {
  const value = request.meta[IDEMPOTENCY_META_KEY];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value : "";
}

/** The caller, as far as the transport verified it. */
export function principalOf({ auth }: CallRequest): string | undefined {
  if (auth?.subject !== undefined) return `sub:${auth.subject}`;
  if (auth?.token === undefined) return undefined;
  return `token:${hashCredential(auth.token)}`;
}

/** Whose archive a request reads and writes. */
export function tenantOf(
  request: CallRequest,
  options: ContractOptions,
  principal = principalOf(request),
): Pick<CallIdentity, "tenant" | "isAnonymous"> {
  const name = options.name ?? "waybill";
  const tenant = options.tenant?.(request) ?? provenTenant(request, principal, name);
  const variant = request.variantHash === undefined ? "" : `:${request.variantHash}`;
  return { tenant: tenant ?? `anonymous:${name}${variant}`, isAnonymous: tenant === undefined };
}

/**
 * The tenant by the best proof there is; undefined for anonymous callers. An unverified token gets a separate name: it
 * must not open what was kept while the token was verified.
 */
function provenTenant(request: CallRequest, principal: string | undefined, name: string): string | undefined {
  if (principal !== undefined) return principal;
  if (request.isHttp !== true) return `local:${name}`;
  if (request.bearerHash !== undefined) return `bearer:${request.bearerHash}`;
  return request.sessionId === undefined ? undefined : sessionTenant(request.sessionId);
}

/** The tenant of a session whose caller has no name. The session's id gives access to it, so only its hash is kept. */
export function sessionTenant(sessionId: string): string {
  return `session:${hashCredential(sessionId)}`;
}

/** Who calls, under which id, for whom: from what the transport says, never from what a model wrote. */
export function identifyCall(request: CallRequest, options: ContractOptions): CallIdentity {
  const given = textAt(request, REQUEST_ID_META_KEY);
  const isGiven = isRequestId(given);
  const principal = principalOf(request);
  const { tenant, isAnonymous } = tenantOf(request, options, principal);
  return {
    requestId: isGiven ? given : (options.requestIds ?? newRequestId)(),
    requestIdFrom: isGiven ? "client" : "server",
    principal,
    tenant,
    isAnonymous,
    network: request.peer === undefined ? undefined : networkOf(request.peer),
    traceparent: textAt(request, "traceparent"),
    tracestate: textAt(request, "tracestate"),
    idempotencyKey: idempotencyKeyOf(request),
  };
}

// Which tools take a question about their result, and the question of a call. A tool takes one if the
// settings say so, its input has room for the argument, and its output is not its own envelope, which we send
// as it is.

const emptyInput: JsonObject = { type: "object" };

/** Whether calls of a tool may ask. Our own retrieval tool has its own `select`. */
function takesQuestions(contract: ToolContract, tool: CalledTool): boolean {
  if (!contract.select || tool.answersRetrieval === true) return false;
  return tool.listedSchema === undefined ? tool.schemas.canBeAsked : tool.canBeAsked === true;
}

/** The question of a call, and its arguments without the question. */
interface AskedArguments {
  readonly args: unknown;
  readonly select: string | undefined;
  /** The arguments that were removed, which no upstream server may see. */
  readonly taken: readonly string[];
  readonly refusal?: { readonly error: unknown };
}

function notAText(asked: JsonValue): ToolFault {
  const received = Array.isArray(asked)
    ? "a list"
    : typeof asked === "object"
      ? "an object"
      : `a ${typeof asked}`;
  return new ToolFault(`${SELECT_ARGUMENT} is ${received}, not a text`, {
    errorCode: "INVALID_FORMAT",
    remediation: `Write it as one JMESPath expression in a string, such as "length(@)", or leave it out.`,
    details: { field: SELECT_ARGUMENT, constraint: "string" },
  });
}

/** The argument that carries the question, `select`, if the server allows it. */
const WAYBILL_ARGUMENT = "_waybill";
/** Wrong names for the question that models send. */
const NEARLY = ["waybill_select", "_select", "select"];

/**
 * The warning for a call whose question has another name that the tool does not have either: it would be
 * dropped silently, and the whole result would be taken for the answer.
 */
function misnamedQuestion({ config, listedSchema }: CalledTool, args: unknown): WarningDetail | undefined {
  // An upstream server decides about its own arguments.
  if (listedSchema !== undefined || !isJsonObject(args)) return undefined;
  const { [WAYBILL_ARGUMENT]: waybill } = args;
  const isInside = isJsonObject(waybill) && typeof waybill["select"] === "string";
  const given = isInside ? WAYBILL_ARGUMENT : NEARLY.find((name) => typeof args[name] === "string");
  if (given === undefined) return undefined;
  const { properties = {} } = jsonSchemaOf(config.inputSchema, "input") ?? emptyInput;
  if (isJsonObject(properties) && Object.hasOwn(properties, given)) return undefined;
  const message = `The argument ${given} is not known here. A question is asked with ${SELECT_ARGUMENT}; this is the result without one.`;
  return { code: "SELECT_FAILED", severity: "warning", message };
}

/** Takes the question off a call's arguments. */
function takeQuestion(args: unknown): AskedArguments {
  const { args: rest, asked, isTaken } = stripSelect(args);
  const taken = isTaken ? [SELECT_ARGUMENT] : [];
  if (asked === undefined || typeof asked === "string") return { args: rest, select: asked, taken };
  return { args: rest, select: undefined, taken, refusal: { error: notAText(asked) } };
}
