import * as z from "zod/mini";
import { dialectIds } from "../../core/contract/dialect-id.ts";
import { faults } from "../../core/contract/faults.ts";
import { CONTRACT_FLAG, type Flags } from "../settings/flags-and-tiers/define-flags.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { ContractOffer } from "../settings/negotiation/contract-offer.ts";
import { offeredDialects } from "../settings/negotiation/resolve-contract.ts";
import { negotiate, negotiateResponse } from "../settings/negotiation/negotiate.ts";
import { refuseOptions } from "../../core/options/check-options.ts";
import { isModern } from "../request/call-request.ts";
import type { ContractState } from "./contract-state.ts";
import { ownProfileOf } from "../settings/settings-resolver.ts";
import { toolLeaves, valueAt, withValue } from "../settings/table-leaves.ts";
import type { ToolContract } from "../settings/tool-contract.ts";
import { type StandardSchema, acceptingSchema } from "../settings/standard-schema.ts";
import type { ToolDefinition } from "../settings/tool-definition.ts";

const SERVER_TOOL = "server";

const actions = ["capabilities", "capability-negotiate"] as const;

const advertised = acceptingSchema({
  type: "object",
  properties: {
    action: { type: "string", enum: actions, description: "What to do." },
    client_capabilities: {
      type: "object",
      description: 'What the client supports, e.g. {"response_contract": "v2"}.',
      properties: { response_contract_v2: { type: "boolean" } },
    },
    tool: { type: "string", description: "With capabilities: the tool to describe." },
    requested_version: { type: "string", description: 'The contract wanted, e.g. "response-v2".' },
    requested_features: {
      anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
      description: "The features wanted.",
    },
  },
  required: ["action"],
});

const text = z.optional(z.string("must be a string"));
const texts = z.array(z.string("must be a string"), "must be a list of strings");

const given = z.looseObject({
  action: z.enum(actions, `must be one of ${actions.join(", ")}`),
  client_capabilities: z.optional(
    z.looseObject({ [CONTRACT_FLAG]: z.optional(z.boolean("must be true or false")) }, "must be an object"),
  ),
  tool: text,
  requested_version: text,
  requested_features: z.optional(z.union([z.string(), texts], "must be a string or a list of strings")),
});

/** Arguments are validated and repaired like those of every other tool. */
const inputSchema: StandardSchema = {
  "~standard": { ...advertised["~standard"], validate: (value) => given["~standard"].validate(value) },
};

/** Refuses a second tool with the name of the `server` tool. */
export function checkNoServerTool(owner: string, names: readonly unknown[]): void {
  if (!names.includes(SERVER_TOOL)) return;
  const message = `Two tools are called "${SERVER_TOOL}": yours, and the one that serverTool adds. Give yours another name, or turn serverTool off.`;
  refuseOptions(owner, [{ path: ["serverTool"], part: "value", message }]);
}

interface SdkContext {
  readonly sessionId?: string;
  readonly http?: unknown;
}

/** Whether something remembers the choice: a session, or a connection with a single client. */
function canStick(context: unknown): boolean {
  const { sessionId, http } = (context ?? {}) as SdkContext;
  return !isModern(context) && (sessionId !== undefined || http === undefined);
}

/** The flags, with the response-contract flag as it is for this caller. */
function flagsFor({ effective }: ContractState, isV2On: boolean): Flags | undefined {
  const { flags } = effective;
  if (flags === undefined || flags.isEnabled(CONTRACT_FLAG) === isV2On) return flags;
  return flags.withOverride(CONTRACT_FLAG, isV2On);
}

function offerOf(state: ContractState, isV2On: boolean): ContractOffer {
  const { options, effective } = state;
  const { dialect, dialects, profile, allow } = effective.general;
  return {
    defaultDialect: dialect,
    dialects,
    defaultProfile: profile,
    profiles: allow.profiles,
    maxBudgetTokens: allow.maxBudgetTokens,
    allowBudgetOff: allow.budgetOff,
    features: options.features,
    flags: flagsFor(state, isV2On),
  };
}

function capabilities(state: ContractState, isV2On: boolean): JsonObject {
  const { options, effective } = state;
  const { allow } = effective.general;
  const { dialects, isLegacy } = offeredDialects(effective.general.dialect, offerOf(state, isV2On));
  const [dialect = effective.general.dialect] = dialects;
  return {
    response_version: isLegacy ? "response-v1" : "response-v2",
    dialect,
    dialects,
    known_dialects: dialectIds,
    profiles: allow.profiles,
    pagination: true,
    features: options.features ?? {},
  };
}

/** The settings of one tool that shape the results a client sees: not how its server speaks, nor what a cut keeps. */
const toldLeaves = toolLeaves.filter(({ path }) => path !== "upstream.dialect" && path !== "strategy");

/** The form of one tool's results for a request that asks for nothing else. */
function describeContract(tool: ToolContract): JsonObject {
  const { name, dialect, dialects, mayLackFields } = tool;
  const shown = { ...tool, profile: ownProfileOf(tool) };
  const said = toldLeaves.reduce<JsonObject>(
    (told, { path, names }) => withValue(told, path.split("."), valueAt(shown, names)),
    { name, dialect, dialects },
  );
  return { ...said, filtered: mayLackFields };
}

function describeNamed({ effective }: ContractState, name: string): JsonObject {
  const tool = effective.known(name);
  if (tool === undefined) throw faults.notFound("tool", name);
  return describeContract(tool);
}

/** The opt-in `server` tool of seed 004: a model cannot set `_meta`, but it can call a tool. */
export function serverTool(state: ContractState, mcp: object): ToolDefinition {
  return {
    name: SERVER_TOOL,
    config: {
      description: "Says what this server's responses can be, and negotiates their form.",
      inputSchema,
      annotations: { readOnlyHint: true, idempotentHint: true },
    },
    handler: (args, { sdk, flags }) => {
      const asked = args as z.infer<typeof given>;
      const isV2On = state.effective.flags === undefined || flags.isEnabled(CONTRACT_FLAG);
      if (asked.action === "capabilities") {
        const { tool } = asked;
        const described = tool === undefined ? {} : { tool: describeNamed(state, tool) };
        return { capabilities: { ...capabilities(state, isV2On), ...described } };
      }
      const sticky = canStick(sdk);
      const offer = { ...offerOf(state, isV2On), sticky };
      const { sessionId } = (sdk ?? {}) as SdkContext;
      if (sticky)
        (state.kept.choices ??= new StickyChoices()).set(mcp, sessionId, negotiate(asked, offer).chosen);
      return negotiateResponse(asked, offer);
    },
  };
}

const MAX_SESSIONS = 10_000;

/** What clients negotiated, kept as long as a session or a connection's server object remembers them. */
export class StickyChoices {
  readonly #bySession = new Map<string, JsonObject>();
  /** By the server object, which is the SDK's. */
  readonly #byServer = new WeakMap<object, JsonObject>();

  get(server: object, session: string | undefined): JsonObject | undefined {
    return session === undefined ? this.#byServer.get(server) : this.#bySession.get(session);
  }

  set(server: object, session: string | undefined, chosen: JsonObject): void {
    if (session === undefined) {
      this.#byServer.set(server, chosen);
      return;
    }
    this.#bySession.delete(session);
    this.#bySession.set(session, chosen);
    const [oldest] = this.#bySession.keys();
    if (this.#bySession.size > MAX_SESSIONS && oldest !== undefined) this.#bySession.delete(oldest);
  }
}
