import { dialectIds } from "../contract/dialect-id.ts";
import { faults } from "../contract/faults.ts";
import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { negotiate, negotiateResponse } from "../negotiation/negotiate.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { isModern } from "./call-request.ts";
import type { ContractState } from "./contract-state.ts";
import { ownProfileOf } from "./settings/settings-resolver.ts";
import type { ToolContract } from "./settings/tool-contract.ts";
import { openSchema } from "./standard-schema.ts";
import type { ToolDefinition } from "./tool-definition.ts";

const actions = ["capabilities", "capability-negotiate"] as const;

const inputSchema: JsonObject = {
  type: "object",
  properties: {
    action: { type: "string", enum: actions, description: "What to do." },
    client_capabilities: {
      type: "object",
      description: 'What the client supports, e.g. {"response_contract": "v2"}.',
    },
    tool: { type: "string", description: "With capabilities: the tool to describe." },
    requested_version: { type: "string" },
    requested_features: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
  },
  required: ["action"],
};

interface SdkContext {
  readonly sessionId?: string;
  readonly http?: unknown;
}

/** Something remembers the choice: a session, or a connection that carries one client. */
function canStick(context: unknown): boolean {
  const { sessionId, http } = (context ?? {}) as SdkContext;
  return !isModern(context) && (sessionId !== undefined || http === undefined);
}

function offerOf({ options, effective }: ContractState) {
  const { dialect, dialects, profile, allow } = effective.general;
  return {
    defaultDialect: dialect,
    dialects,
    defaultProfile: profile,
    profiles: allow.profiles,
    maxBudgetTokens: allow.maxBudgetTokens,
    allowBudgetOff: allow.budgetOff,
    features: options.features,
    flags: effective.flags,
  };
}

function capabilities({ options, effective }: ContractState): JsonObject {
  const { dialect, dialects, allow } = effective.general;
  return {
    response_version: "response-v2",
    dialect,
    dialects,
    known_dialects: dialectIds,
    profiles: allow.profiles,
    pagination: true,
    features: options.features ?? {},
  };
}

/** How the results of one tool come, when a request asks for nothing else. */
function describeContract(tool: ToolContract): JsonObject {
  const { name, dialect, dialects, delivery, encoding, budget, mayLackFields } = tool;
  const profile = ownProfileOf(tool);
  return {
    name,
    dialect,
    dialects,
    profile,
    delivery,
    encoding,
    budget: { ...budget },
    filtered: mayLackFields,
  };
}

function describeNamed({ effective }: ContractState, name: string): JsonObject {
  const tool = effective.known(name);
  if (tool === undefined) throw faults.notFound("tool", name);
  return describeContract(tool);
}

/** The opt-in `server` tool of seed 004: a model cannot set `_meta`, but it can call a tool. */
export function serverTool(state: ContractState, mcp: object): ToolDefinition {
  return {
    name: "server",
    config: {
      description: "Says what this server's responses can be, and negotiates their form.",
      inputSchema: openSchema(inputSchema),
      annotations: { readOnlyHint: true, idempotentHint: true },
    },
    handler: (args, { sdk }) => {
      const given = isJsonObject(args) ? args : {};
      const action = typeof given["action"] === "string" ? given["action"] : "";
      if (action === "capabilities") {
        const { tool } = given;
        const described = typeof tool === "string" ? { tool: describeNamed(state, tool) } : {};
        return { capabilities: { ...capabilities(state), ...described } };
      }
      if (action !== "capability-negotiate") {
        const close = didYouMean(action, actions);
        const hint = close === undefined ? "" : ` Did you mean "${close}"?`;
        throw faults.validation(`Validation failed: action must be one of ${actions.join(", ")}.${hint}`, {
          details: { field: "action", constraint: "enum", received: action, allowed: actions },
        });
      }
      const sticky = canStick(sdk);
      const offer = { ...offerOf(state), sticky };
      const { sessionId } = (sdk ?? {}) as SdkContext;
      if (sticky)
        (state.sticky.choices ??= new StickyChoices()).set(mcp, sessionId, negotiate(given, offer).chosen);
      return negotiateResponse(given, offer);
    },
  };
}

const MAX_SESSIONS = 10_000;

/** What clients negotiated, for as long as something remembers them: a session, or a connection's server object. */
export class StickyChoices {
  readonly #bySession = new Map<string, JsonObject>();
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
