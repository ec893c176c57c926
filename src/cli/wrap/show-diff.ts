import { createRedactor } from "../../core/text/redact/redact-secrets.ts";
import type { ClientConfigText } from "../../doors/gateway/wrap/config-text.ts";
import { HEADERS_VARIABLE } from "../../doors/gateway/wrap/gateway-command.ts";

/** A line of a diff: kept, removed or added; undefined marks lines that are not shown. */
export type DiffLine = { readonly kind: "same" | "old" | "new"; readonly text: string } | undefined;

const CONTEXT = 2;
/** How far ahead equal lines are searched after two that differ. */
const MAX_LOOK_AHEAD = 300;

/** The diff of two texts by lines, with two lines around each change. Linear for small changes. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  const all: { kind: "same" | "old" | "new"; text: string }[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    if (i < old.length && old[i] === fresh[j]) {
      all.push({ kind: "same", text: shown(old[i]) });
      i++;
      j++;
      continue;
    }
    const [skipOld, skipNew] = meetAgain(old, fresh, i, j);
    for (const text of old.slice(i, i + skipOld)) all.push({ kind: "old", text: shown(text) });
    for (const text of fresh.slice(j, j + skipNew)) all.push({ kind: "new", text: shown(text) });
    i += skipOld;
    j += skipNew;
  }
  return withContext(all);
}

function shown(line = ""): string {
  return line.replace(/^\uFEFF/, "").replace(/\r$/, "");
}

/** How many lines of each side are skipped until both are equal again. */
function meetAgain(
  old: readonly string[],
  fresh: readonly string[],
  i: number,
  j: number,
): readonly [number, number] {
  for (let distance = 1; distance <= MAX_LOOK_AHEAD; distance++) {
    for (let skipOld = 0; skipOld <= distance; skipOld++) {
      const [a, b] = [i + skipOld, j + distance - skipOld];
      if (a > old.length || b > fresh.length) continue;
      const isEnd = a === old.length && b === fresh.length;
      if (isEnd || (a < old.length && old[a] === fresh[b] && isTelling(old, fresh, a, b))) {
        return [skipOld, distance - skipOld];
      }
    }
  }
  return [old.length - i, fresh.length - j];
}

/** Whether an equal line is more than a bracket, which occurs everywhere, or the next line is equal too. */
function isTelling(old: readonly string[], fresh: readonly string[], a: number, b: number): boolean {
  return (old[a] ?? "").trim().length > 3 || old[a + 1] === fresh[b + 1];
}

function withContext(all: readonly Exclude<DiffLine, undefined>[]): DiffLine[] {
  const near = new Set<number>();
  all.forEach(({ kind }, at) => {
    if (kind === "same") return;
    for (let each = at - CONTEXT; each <= at + CONTEXT; each++) near.add(each);
  });
  const lines: DiffLine[] = [];
  let last = -1;
  all.forEach((line, at) => {
    if (!near.has(at)) return;
    if (last !== -1 && at > last + 1) lines.push(undefined);
    lines.push(line);
    last = at;
  });
  return lines;
}

const MASK = "***";
/** Shorter values of variables are switches and numbers, and occur in too many other words. */
const MIN_SECRET = 6;

const secretKeys = ["env", "environment", "headers", "http_headers"] as const;

/** Returns a function that hides these configs' headers and variables, and anything else that looks like a secret. */
export function hideSecretsOf(configs: readonly ClientConfigText[]): (text: string) => string {
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
