import * as z from "zod";

/** What an OpenAI client sends, as far as a clerk reads it. A tool's answer is a text, or a list of text parts. */
const textParts = z.array(z.looseObject({ type: z.string(), text: z.string().optional() }));
const content = z.union([z.string(), textParts, z.null()]).optional();

const toolCall = z.looseObject({
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const message = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content,
  tool_calls: z.array(toolCall).optional(),
  tool_call_id: z.string().optional(),
});

const offeredTool = z.looseObject({
  type: z.literal("function"),
  function: z.looseObject({ name: z.string() }),
});

export const chatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(message).min(1),
  tools: z.array(offeredTool).default([]),
  stream: z.literal(false).optional(),
});

export type ChatMessage = z.infer<typeof message>;

/** What a model does next: it calls one tool, or it has its answer. */
export type Move =
  | { readonly call: string; readonly with: Readonly<Record<string, unknown>> }
  | { readonly say: string };

export function textOf({ content: given }: ChatMessage): string {
  if (typeof given === "string") return given;
  return (given ?? []).map(({ text = "" }) => text).join("\n");
}
