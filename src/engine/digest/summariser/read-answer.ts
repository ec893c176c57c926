import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";

/** The body as text; undefined as soon as it is longer than `maxBytes`, and the rest is not waited for. */
export async function readBody(response: Response, maxBytes: number): Promise<string | undefined> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  // Read by hand: not every runtime can iterate over a body.
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const THOUGHT_END = "</think>";

/** All of it; what stands in each code fence; what stands between the first and the last brace. */
function* candidatesIn(answer: string): Generator<string> {
  yield answer;
  // Some models think aloud first, and thoughts have braces too.
  const thoughtEnd = answer.lastIndexOf(THOUGHT_END);
  const content = thoughtEnd === -1 ? answer : answer.slice(thoughtEnd + THOUGHT_END.length);
  const parts = content.split("```");
  // Of every two parts the second is fenced; its first line may name a language.
  for (let index = 1; index < parts.length; index += 2) yield (parts[index] ?? "").replace(/^\s*\w*\s*/, "");
  yield content.slice(content.indexOf("{"), content.lastIndexOf("}") + 1);
}

/** The JSON object in what a model wrote, also where it stands in a code fence or between words. */
export function findObject(content: string): JsonObject | undefined {
  for (const candidate of candidatesIn(content)) {
    const value = parseObject(candidate);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** What the model wrote, of a chat completion's answer. */
export function contentOf(body: string): string | undefined {
  const choices = parseObject(body)?.["choices"];
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = isJsonObject(first) ? first["message"] : undefined;
  const content = isJsonObject(message) ? message["content"] : undefined;
  return typeof content === "string" ? content : undefined;
}
