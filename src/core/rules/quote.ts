import type { JsonObject } from "../json/json-value.ts";
import { createRedactor } from "../text/redact-secrets.ts";

const MAX_QUOTE = 120;
const MAX_READ = 1_000;

const redactor = createRedactor();

/** A short quote of a server on one line for a finding: reports are passed on, so secrets are masked. */
export function quoteOf(text: string): string {
  const line = text.trim().slice(0, MAX_READ).split("\n", 1)[0] ?? "";
  const masked = redactor.text(line).text;
  return JSON.stringify(masked.length > MAX_QUOTE ? `${masked.slice(0, MAX_QUOTE)}…` : masked);
}

/** A JSON-RPC error in short form. */
export function describeError({ code = null, message }: JsonObject): string {
  const said = typeof message === "string" ? quoteOf(message) : "without a message";
  return `the JSON-RPC error ${JSON.stringify(code)}: ${said}`;
}
