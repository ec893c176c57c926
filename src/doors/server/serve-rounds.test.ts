// Tools of several rounds behind `serve`: what they seal for their next round is checked before it reaches them.

import { randomBytes } from "node:crypto";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type ServerContext, createRequestStateCodec, inputRequired } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { defineTool } from "../../engine/settings/tool-definition.ts";
import type { Served } from "./serve-options.ts";
import { serve } from "./serve.ts";

const codec = createRequestStateCodec<{ round: number }>({ key: randomBytes(32) });
const requestedSchema = z.object({ ok: z.boolean() });
const running: Served[] = [];
let rounds = 0;

const confirm = defineTool("confirm", { description: "Asks first" }, async (_args, { sdk }) => {
  const { mcpReq } = sdk as ServerContext;
  rounds += 1;
  const state = mcpReq.requestState<{ round: number }>();
  if (state !== undefined) return { round: state.round };
  return inputRequired({
    inputRequests: { ok: inputRequired.elicit({ message: "Go on?", requestedSchema }) },
    requestState: await codec.mint({ round: 1 }),
  });
});

afterEach(async () => {
  rounds = 0;
  await Promise.all(running.splice(0).map((served) => served.close()));
});

/** A call of a client that answers every question; `carry` is what becomes of a body on its way. */
async function call(carry: (body: string) => string): Promise<unknown> {
  const options = { name: "rounds", version: "1.0.0", config: false, logLevel: "silent", http: 0 } as const;
  const served = await serve({ ...options, tools: [confirm], requestState: codec });
  running.push(served);
  const client = new Client(
    { name: "c", version: "1.0.0" },
    {
      versionNegotiation: { mode: { pin: "2026-07-28" } },
      capabilities: { elicitation: { form: {} } },
    },
  );
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { ok: true } }));
  const carried: typeof fetch = (url, init) =>
    fetch(url, typeof init?.body === "string" ? { ...init, body: carry(init.body) } : init);
  await client.connect(new StreamableHTTPClientTransport(new URL(served.url ?? ""), { fetch: carried }));
  try {
    return (await client.callTool({ name: "confirm" })).structuredContent;
  } finally {
    await client.close();
  }
}

describe("the state of a tool of several rounds", () => {
  it("reaches the next round as what was sealed", async () => {
    expect(await call((body) => body)).toMatchObject({ success: true, data: { round: 1 } });
    expect(rounds).toBe(2);
  });

  it("is refused before the tool runs where it was changed on its way", async () => {
    const forged = call((body) => body.replace(/"requestState":"[^"]{6}/, '"requestState":"forged'));
    await expect(forged).rejects.toMatchObject({ code: -32602 });
    expect(rounds).toBe(1);
  });

  it("is checked by what can check it", async () => {
    const wrong = { name: "rounds", version: "1.0.0", tools: [confirm], requestState: {} };
    await expect(serve(wrong as never)).rejects.toThrow('"requestState"');
  });
});
