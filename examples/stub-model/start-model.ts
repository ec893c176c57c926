import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ChatMessage, type Move, chatRequest } from "./chat-messages.ts";

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

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error("The conversation has more than 4 MiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

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
    const asked = chatRequest.parse(JSON.parse(await readBody(request)));
    const move = decide(asked.messages);
    if ("call" in move && !asked.tools.some((tool) => tool.function.name === move.call))
      return reply(400, { error: { message: `The tool ${move.call} is not offered` } });
    turns.push({ move, chars: JSON.stringify(asked.messages).length });
    reply(200, completionOf(move, turns.length, asked.model));
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(400, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ error: { message: String(error) } }));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    turns,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
