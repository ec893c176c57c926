// What a check knows to be secret before the server says a word: the values that reach it under a secret's name, in its
// environment, on its command line, in its headers or its address.

import { childEnvironment } from "../../engine/transport/child-environment.ts";
import { type Redactor, createRedactor } from "../../core/text/redact-secrets.ts";
import type { CheckTarget } from "./check-options.ts";

const secretFlag = /^--?[\w-]*(?:token|secret|password|passwd|pwd|api-?key|credential)s?$/i;
/** `DB_PASSWORD=postgres` makes no secret of the word "postgres", and a mask in its place would tell more than it hides. */
const tellable = /^(?=.*\d).{6,4096}$|^\S{16,4096}$/;
const scheme = /^\S{1,40} +(?=\S+$)/;

const byForm = createRedactor();

/** True for the word behind a flag such as `--token`. */
function isAnnounced(words: readonly string[], at: number): boolean {
  return secretFlag.test(words[at - 1] ?? "");
}

/** The words of a command line without secrets: those that show by their form, and those that a flag announces. */
export function shownWords(words: readonly string[]): readonly string[] {
  return words.map((word, at) => (isAnnounced(words, at) ? "[REDACTED]" : byForm.text(word).text));
}

function namedValues(target: CheckTarget): readonly (readonly [name: string, value: string])[] {
  if ("url" in target) {
    const { password, searchParams } = new URL(target.url);
    return [...Object.entries(target.headers ?? {}), ...searchParams, ["password", decoded(password)]];
  }
  if ("link" in target) return [];
  const { env, inheritEnv = true } = target;
  return Object.entries(childEnvironment({ env, inheritEnv }));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function secretsOf(target: CheckTarget): readonly string[] {
  const named = namedValues(target)
    .filter(([name, value]) => byForm.json({ [name]: value }).value[name]?.startsWith("[REDACTED:") === true)
    // A server gets "Bearer …" and may tell the token alone.
    .map(([, value]) => value.replace(scheme, ""));
  const { args = [] } = "command" in target ? target : {};
  const flagged = args.filter((_, at) => isAnnounced(args, at));
  const secrets = [...named, ...flagged].filter((value) => tellable.test(value));
  // The longest first: one may be the beginning of another.
  return [...new Set(secrets)].toSorted((one, other) => other.length - one.length);
}

/** Masks what is secret by its form or its name, and what this server was given as a secret. */
export function redactorFor(target: CheckTarget): Redactor {
  const patterns = secretsOf(target).map((secret) => ({
    label: "SECRET",
    pattern: new RegExp(
      secret.replaceAll(/[^A-Za-z0-9]/g, (sign) => `\\u{${sign.codePointAt(0)?.toString(16) ?? ""}}`),
      "u",
    ),
  }));
  return createRedactor({ patterns });
}
