import type { JsonObject } from "../json/json-value.ts";
import { createRedactor } from "../text/redact-secrets.ts";

const MAX_QUOTE = 120;
const MAX_READ = 1_000;

const redactor = createRedactor();

/** What a server said, in brief and on one line, as a finding may show it: reports are passed on, so secrets are masked. */
export function quoteOf(text: string): string {
  const line = text.trim().slice(0, MAX_READ).split("\n", 1)[0] ?? "";
  const masked = redactor.text(line).text;
  return JSON.stringify(masked.length > MAX_QUOTE ? `${masked.slice(0, MAX_QUOTE)}…` : masked);
}

/** An error of JSON-RPC, in brief. */
export function describeError({ code = null, message }: JsonObject): string {
  const said = typeof message === "string" ? quoteOf(message) : "without a message";
  return `the JSON-RPC error ${JSON.stringify(code)}: ${said}`;
}
