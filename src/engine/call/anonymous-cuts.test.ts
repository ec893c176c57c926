import { describe, expect, it } from "vitest";
import { createContract, stateOf } from "../../doors/server/create-contract.ts";
import { loadCounter } from "../../core/tokens/token-counter.ts";
import type { CallRequest } from "../request/call-request.ts";
import { calledTool } from "./called-tool.ts";
import { answerCall } from "./run-call.ts";
import type { ToolDefinition } from "../settings/tool-definition.ts";

const list: ToolDefinition = {
  name: "list",
  config: { description: "A long list" },
  handler: () => ({
    tasks: Array.from({ length: 500 }, (_, at) => ({ id: `t-${at}`, title: `The task number ${at}` })),
  }),
};

async function sentAs(request: Partial<CallRequest>, tokens: number) {
  const state = stateOf(createContract({ budget: { tokens }, validate: "always", logLevel: "silent" }));
  const { result } = await answerCall(state, calledTool(state, list), {}, { meta: {}, ...request });
  const { content } = result;
  const [{ text }] = content as unknown as [{ text: string }];
  const [hash = ""] = /[0-9a-f]{64}/.exec(text) ?? [];
  return { text, hash };
}

describe("a cut for a caller over HTTP without sign-in", () => {
  it("names the full hash in its warning, and stays within the budget with it", async () => {
    const counter = await loadCounter("o200k_base");
    for (let tokens = 450; tokens <= 1_000; tokens += 50) {
      const { text, hash } = await sentAs({ isHttp: true }, tokens);
      expect({ tokens, isNamed: text.includes(`"archive":"${hash}"`) }).toEqual({ tokens, isNamed: true });
      expect(counter.count(text)).toBeLessThanOrEqual(tokens);
    }
  });

  it("names the handle, which is shorter, to a caller who is known", async () => {
    const known: readonly Partial<CallRequest>[] = [
      {},
      { isHttp: true, sessionId: "s-1" },
      { isHttp: true, bearerHash: "b1" },
    ];
    for (const request of known) {
      const { text, hash } = await sentAs(request, 600);
      expect(text).toContain(`"archive":"${hash.slice(0, 12)}"`);
    }
  });
});
