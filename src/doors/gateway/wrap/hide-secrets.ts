import { createRedactor } from "../../../core/text/redact/redact-secrets.ts";
import type { ConfigText } from "./config-text.ts";
import { HEADERS_VARIABLE } from "./gateway-command.ts";

const MASK = "***";
/** Shorter values of variables are switches and numbers, and occur in too many other words. */
const MIN_SECRET = 6;

const secretKeys = ["env", "headers", "http_headers"] as const;

/** Returns a function that hides these configs' headers and variables, and anything else that looks like a secret. */
export function hideSecretsOf(configs: readonly ConfigText[]): (text: string) => string {
  const secrets = new Set<string>();
  for (const { entries, syntax } of configs) {
    for (const { value } of entries) {
      for (const holder of [value, value["command"]]) {
        if (typeof holder !== "object" || holder === null) continue;
        for (const key of secretKeys) {
          for (const [name, item] of Object.entries((holder as Record<string, unknown>)[key] ?? {})) {
            if (typeof item === "string") addSecret(secrets, name, item, syntax.text(item));
          }
        }
      }
    }
  }
  // The longest first, because one secret may be part of another.
  const ordered = [...secrets].sort((a, b) => b.length - a.length);
  const redactor = createRedactor();
  return (text) =>
    redactor.text(ordered.reduce((shown, secret) => shown.replaceAll(secret, MASK), text)).text;
}

function addSecret(secrets: Set<string>, name: string, value: string, literal: string): void {
  const forms = [value, literal.slice(1, -1), JSON.stringify(value).slice(1, -1)];
  for (const form of forms) if (form.length >= MIN_SECRET) secrets.add(form);
  if (name !== HEADERS_VARIABLE) return;
  try {
    for (const [header, inner] of Object.entries(JSON.parse(value) as Record<string, string>))
      addSecret(secrets, header, inner, `"${inner}"`);
  } catch {
    // The value was not written by `wrap`; its whole text is already hidden.
  }
}
