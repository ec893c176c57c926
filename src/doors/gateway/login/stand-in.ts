// What a client hears in place of a server that has not let us in yet: a greeting, one tool that gives the address, and
// for calls the failure with that address, or a request to open it where the client can.

import {
  LEGACY_REVISION,
  MODERN_REVISION,
  URL_ELICITATION_REQUIRED,
  DISCOVER,
  legacyRevisions,
  mcpMeta,
} from "../../../core/protocol/names.ts";
import { SIGN_IN_META_KEY, toolWord } from "../../../core/contract/wire-names.ts";
import { TOOL_FAILURE_META_KEY } from "../../../core/contract/tool-failure.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";
import type { HttpFailure, SignInAdvice } from "../../../engine/transport/http/http-failure.ts";
import { type Outgoing, modernVersionOf, outgoing } from "../../../engine/transport/http/message-headers.ts";
import { randomUUID } from "node:crypto";

export interface StandInOptions {
  /** It also stands in where no address can be opened, and says only how the user signs in. */
  readonly greetsWithoutAddress: boolean;
}

/** In greetings and lists: they are not the server's own. */
const standsIn = { [SIGN_IN_META_KEY]: true };

/** Under this key a modern client repeats its call after it was asked to open the address. */
const INPUT_KEY = "waybill_sign_in";

export class StandIn {
  readonly #name: string;
  readonly #tool: string;
  readonly #greetsWithoutAddress: boolean;
  /** The address can be opened by a client of the legacy era. */
  #opensUrls = false;
  /**
   * The client's question whether the server speaks the modern era, which was answered as if it did; undefined once
   * the server itself has been asked. Some clients ask in another process than that of their requests.
   */
  promised: Outgoing | undefined;
  /** Legacy clients wait for the end of these. */
  #elicitations: string[] = [];

  constructor(name: string, { greetsWithoutAddress }: StandInOptions) {
    this.#name = name;
    this.#tool = `${(toolWord(name) ?? "server").slice(0, 50)}_sign_in`;
    this.#greetsWithoutAddress = greetsWithoutAddress;
  }

  /** Notes what the client can do; called with its greeting. */
  greeted({ params }: JsonObject): void {
    this.#opensUrls = opensUrls(isJsonObject(params) ? params["capabilities"] : undefined);
  }

  /** The answer to a request that the server refused; undefined if the client gets the failure itself. */
  answer(sent: Outgoing, { message: why, signIn }: HttpFailure): Buffer | undefined {
    const { method, message, rawId } = sent;
    if (signIn === undefined || rawId === undefined) return undefined;
    const { address } = signIn;
    if (address === undefined && !this.#greetsWithoutAddress)
      return method === "tools/call" ? signInFailure(rawId, signIn, why) : undefined;
    const isModern = modernVersionOf(message) !== undefined;
    if (isModern) this.promised ??= discoverAs(sent);
    const result = this.#result(method, message, isModern, signIn, why);
    if (result !== undefined)
      return Buffer.from(`{"jsonrpc":"2.0","id":${rawId},"result":${JSON.stringify(result)}}`);
    if (method !== "tools/call" || address === undefined) return undefined;
    return Buffer.from(
      `{"jsonrpc":"2.0","id":${rawId},"error":${JSON.stringify(this.#elicitation(address, why))}}`,
    );
  }

  #result(
    method: string | undefined,
    message: JsonObject,
    isModern: boolean,
    signIn: SignInAdvice,
    why: string,
  ): JsonObject | undefined {
    const complete = isModern ? { resultType: "complete", ttlMs: 0, cacheScope: "private" } : {};
    if (method === "initialize") return this.#greeting(message, signIn);
    if (method === DISCOVER) return { ...complete, ...this.#discovery(signIn) };
    if (method === "ping") return {};
    if (method === "tools/list") return { ...complete, tools: [this.#listed()] };
    if (method !== "tools/call") return undefined;
    const { address } = signIn;
    const canOpen = isModern ? opensUrls(capabilitiesIn(message)) && !isAnswered(message) : this.#opensUrls;
    if (address === undefined || !canOpen) return failed(signIn, why);
    return isModern ? inputRequired(address, why) : undefined;
  }

  /** Nothing but tools: what else the server has is known when it lets us in. */
  #greeting({ params }: JsonObject, signIn: SignInAdvice): JsonObject {
    const asked = isJsonObject(params) ? params["protocolVersion"] : undefined;
    const known = legacyRevisions.find((revision) => revision === asked);
    return {
      protocolVersion: known ?? LEGACY_REVISION,
      ...this.#about(signIn),
      serverInfo: this.#info(),
      _meta: standsIn,
    };
  }

  #discovery(signIn: SignInAdvice): JsonObject {
    return {
      supportedVersions: [MODERN_REVISION],
      ...this.#about(signIn),
      _meta: { ...standsIn, [mcpMeta.serverInfo]: this.#info() },
    };
  }

  #about({ advice }: SignInAdvice): JsonObject {
    return {
      capabilities: { tools: { listChanged: true } },
      instructions: `No user is signed in to this server yet. ${advice}`,
    };
  }

  #info(): JsonObject {
    return { name: this.#name, version: "0" };
  }

  #listed(): JsonObject {
    return {
      name: this.#tool,
      description: `No user is signed in to ${this.#name} yet. Says how the user signs in; after that the server's own tools are here.`,
      inputSchema: { type: "object" },
      annotations: { readOnlyHint: true },
      _meta: standsIn,
    };
  }

  #elicitation(address: string, why: string): JsonObject {
    const elicitationId = randomUUID();
    this.#elicitations.push(elicitationId);
    const elicitation = {
      mode: "url",
      elicitationId,
      url: address,
      message: `${why}. Open the address and sign in.`,
    };
    return { code: URL_ELICITATION_REQUIRED, message: why, data: { elicitations: [elicitation] } };
  }

  /** What legacy clients hear when the sign-in is over. */
  completed(): readonly Buffer[] {
    return this.#elicitations.splice(0).map((elicitationId) =>
      Buffer.from(
        JSON.stringify({
          jsonrpc: "2.0",
          method: "notifications/elicitation/complete",
          params: { elicitationId },
        }),
      ),
    );
  }
}

function discoverAs({ message: { params } }: Outgoing): Outgoing | undefined {
  const _meta = isJsonObject(params) ? params["_meta"] : undefined;
  return outgoing(JSON.stringify({ jsonrpc: "2.0", id: "waybill-era", method: DISCOVER, params: { _meta } }));
}

function opensUrls(capabilities: unknown): boolean {
  const elicitation = isJsonObject(capabilities) ? capabilities["elicitation"] : undefined;
  return isJsonObject(elicitation) && isJsonObject(elicitation["url"]);
}

function capabilitiesIn({ params }: JsonObject): unknown {
  const meta = isJsonObject(params) ? params["_meta"] : undefined;
  return isJsonObject(meta) ? meta[mcpMeta.clientCapabilities] : undefined;
}

/** True for a call that is repeated after its client was asked to open the address. */
function isAnswered({ params }: JsonObject): boolean {
  return responseIn(params) !== undefined;
}

/** True if the user agreed to open it. */
export function isAccepted({ params }: JsonObject): boolean {
  const response = responseIn(params);
  return isJsonObject(response) && response["action"] === "accept";
}

function responseIn(params: JsonValue | undefined): JsonValue | undefined {
  const responses = isJsonObject(params) ? params["inputResponses"] : undefined;
  return isJsonObject(responses) ? responses[INPUT_KEY] : undefined;
}

function inputRequired(address: string, why: string): JsonObject {
  const params = { mode: "url", url: address, message: `${why}. Open the address and sign in.` };
  return {
    resultType: "input_required",
    inputRequests: { [INPUT_KEY]: { method: "elicitation/create", params } },
  };
}

/** The answer to a tool call that needs a sign-in. */
export function signInFailure(rawId: string, signIn: SignInAdvice, why: string): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","id":${rawId},"result":${JSON.stringify(failed(signIn, why))}}`);
}

function failed({ advice }: SignInAdvice, why: string): JsonObject {
  return {
    content: [{ type: "text", text: `${why}.` }],
    isError: true,
    _meta: {
      [TOOL_FAILURE_META_KEY]: { class: "governance", code: "auth_required", agentGuidance: advice },
    },
  };
}
