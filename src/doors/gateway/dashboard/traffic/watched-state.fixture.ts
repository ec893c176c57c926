import { ToolSchemas } from "../../../../engine/call/tool-schemas.ts";
import type { ContractOptions } from "../../../../engine/settings/contract-options.ts";
import { createState } from "../../../../engine/call/contract-state.ts";
import type { CalledTool } from "../../../../engine/call/called-tool.ts";
import type { AnsweredCall } from "../../../../engine/call/answered-call.ts";
import { answerCall } from "../../../../engine/call/run-call.ts";
import type { JsonObject } from "../../../../core/json/json-value.ts";
import type { WatchedUpstream } from "../dashboard-parts.ts";

/** An upstream with a real contract around it and no server behind it. */
export function watchedState(name: string, options: ContractOptions = {}): WatchedUpstream {
  const state = createState({
    dialect: "auto",
    profile: "minimal",
    budget: { tokens: 400 },
    logLevel: "silent",
    store: "memory",
    name,
    ...options,
  });
  return {
    name,
    state,
    now: () => ({ name, kind: "command", reach: name, state: "up", restarts: 0 }),
    connect: () => Promise.reject(new Error("Nobody connects here.")),
  };
}

/** What a tool of the upstream does when it is called: it answers with this, or throws it. */
export type ToolDoes = JsonObject | Error;

/** Calls tools of an upstream as the gateway does. */
export function toolCalls({
  state,
}: WatchedUpstream): (
  tool: string,
  does: ToolDoes,
  meta?: JsonObject,
  args?: JsonObject,
  client?: string,
) => Promise<AnsweredCall> {
  return async (name, does, meta = {}, args = {}, client = "declined") => {
    const tool: CalledTool = {
      name,
      config: {},
      schemas: ToolSchemas.ofListed(null),
      listedSchema: null,
      isRemote: true,
      parse: (_state, given) => given,
      run: () => {
        if (does instanceof Error) throw does;
        return { kind: "result", result: does };
      },
    };
    return answerCall(state, tool, args, { meta, client });
  };
}
