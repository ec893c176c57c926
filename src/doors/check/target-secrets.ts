// What a check knows to be secret before it connects: values with the name of a secret in the server's environment,
// command line, headers or address.

import { childEnvironment } from "../../engine/transport/child-process.ts";
import { type Redactor, createRedactor } from "../../core/text/redact/redact-secrets.ts";
import type { CheckTarget } from "./check-options.ts";

const secretFlag = /^--?[\w-]*(?:token|secret|password|passwd|pwd|api-?key|credential)s?$/i;
/** `DB_PASSWORD=postgres` does not make "postgres" a secret; masking that word would reveal more than it hides. */
const tellable = /^(?=.*\d).{6,4096}$|^\S{16,4096}$/;
const scheme = /^\S{1,40} +(?=\S+$)/;

const byForm = createRedactor();

/** True for the argument after a flag such as `--token`. */
function isAnnounced(words: readonly string[], at: number): boolean {
  return secretFlag.test(words[at - 1] ?? "");
}

/** The words of a command line without secrets: those recognised by form, and those after a secret flag. */
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
    // A server receives "Bearer …" and may print only the token.
    .map(([, value]) => value.replace(scheme, ""));
  const { args = [] } = "command" in target ? target : {};
  const flagged = args.filter((_, at) => isAnnounced(args, at));
  const secrets = [...named, ...flagged].filter((value) => tellable.test(value));
  // The longest first, because one secret may be the beginning of another.
  return [...new Set(secrets)].toSorted((one, other) => other.length - one.length);
}

/** Masks what is secret by its form or name, and the secrets that this server was given. */
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
