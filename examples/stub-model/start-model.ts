import type { IncomingMessage, ServerResponse } from "node:http";
import { type ChatMessage, type Move, chatRequest } from "./chat-messages.ts";
import { readBody, startOnLoopback } from "./loopback-server.ts";

/** What the model was asked, and what it did: one entry for each request. */
export interface Turn {
  readonly move: Move;
  /** Characters of the whole conversation: what a real model would have been paid to read. */
  readonly chars: number;
}

export interface StubModel {
  /** For `baseURL` of an OpenAI client. */
  readonly url: string;
  readonly turns: readonly Turn[];
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;

function completionOf(move: Move, turn: number, model: string): unknown {
  const isCall = "call" in move;
  const calls = isCall
    ? [
        {
          id: `call_${turn}`,
          type: "function",
          function: { name: move.call, arguments: JSON.stringify(move.with) },
        },
      ]
    : undefined;
  const message = { role: "assistant", content: isCall ? null : move.say, tool_calls: calls };
  return {
    id: `chatcmpl-${turn}`,
    object: "chat.completion",
    created: 0,
    model,
    choices: [{ index: 0, message, finish_reason: isCall ? "tool_calls" : "stop" }],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  };
}

/**
 * A model that costs nothing and needs no network: an OpenAI chat endpoint on loopback, whose moves come from a function
 * of the conversation. It refuses to call a tool that it was not offered, as a real model could not know it.
 */
export async function startModel(decide: (messages: readonly ChatMessage[]) => Move): Promise<StubModel> {
  const turns: Turn[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = (status: number, body: unknown): void => {
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    };
    if (request.method !== "POST" || request.url !== "/v1/chat/completions")
      return reply(404, { error: { message: "Only POST /v1/chat/completions" } });
    const asked = chatRequest.parse(JSON.parse(await readBody(request, MAX_BODY_BYTES)));
    const move = decide(asked.messages);
    if ("call" in move && !asked.tools.some((tool) => tool.function.name === move.call))
      return reply(400, { error: { message: `The tool ${move.call} is not offered` } });
    turns.push({ move, chars: JSON.stringify(asked.messages).length });
    reply(200, completionOf(move, turns.length, asked.model));
  }
  const { origin, close } = await startOnLoopback(answer);
  return { url: `${origin}/v1`, turns, close };
}
