import { errorResponse } from "../../core/contract/tool-fault.ts";
import { successResponse } from "../../core/contract/success-responses.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { ClientOptions } from "./client-options.ts";
import type { CallParams, SdkClientLike } from "./connection.ts";
import { contractClient } from "./contract-client.ts";

/** An envelope as a tool result. */
export function resultOf(envelope: object): JsonObject {
  const structuredContent = envelope as JsonObject;
  return {
    content: [{ type: "text", text: JSON.stringify(envelope) }],
    structuredContent,
    ...(structuredContent["success"] === false ? { isError: true } : {}),
  };
}

export function success(...args: Parameters<typeof successResponse>): JsonObject {
  return resultOf(successResponse(...args));
}

export function failure(...args: Parameters<typeof errorResponse>): JsonObject {
  return resultOf(errorResponse(...args));
}

/** What a scripted server does at a call: answers, or loses the connection. */
export type Step = JsonObject | Error | ((params: CallParams, signal?: AbortSignal) => unknown);

export interface ScriptOptions extends ClientOptions {
  /** The hints of the one tool, `work`; undefined means a client that cannot list tools. */
  readonly hints?: JsonObject;
  readonly inputSchema?: JsonObject;
}

/** A client of a server that follows a script, its last step for ever; the clock moves only in pauses. */
export function scripted(steps: readonly Step[], { hints, inputSchema, ...options }: ScriptOptions = {}) {
  const calls: CallParams[] = [];
  const pauses: number[] = [];
  const listed = { count: 0 };
  let now = Date.parse("2026-01-01T00:00:00Z");
  const answer = async (params: CallParams, signal?: AbortSignal): Promise<unknown> => {
    const step = steps[Math.min(calls.length, steps.length - 1)];
    calls.push(params);
    if (step instanceof Error) throw step;
    return typeof step === "function" ? step(params, signal) : step;
  };
  const sdk = {
    callTool: (params: CallParams, _schema: undefined, { signal }: { signal?: AbortSignal }) =>
      answer(params, signal),
    listTools: async () => {
      listed.count++;
      return {
        tools: [{ name: "work", annotations: hints, inputSchema: inputSchema ?? { type: "object" } }],
      };
    },
  };
  const target =
    hints === undefined && inputSchema === undefined
      ? (params: CallParams, { signal }: { signal?: AbortSignal }) => answer(params, signal)
      : (sdk as unknown as SdkClientLike);
  const client = contractClient(target, {
    now: () => now,
    random: () => 1,
    wait: async (ms) => {
      pauses.push(ms);
      now += ms;
    },
    ...options,
  });
  return { client, calls, pauses, listed, pass: (ms: number) => void (now += ms) };
}
