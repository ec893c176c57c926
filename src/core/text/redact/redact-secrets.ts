import { toLabel, isMasked, maskOf, labelOfName, labelOfPair, isStandIn, lastMask } from "./mask.ts";
import { redactText, type LabelledPattern, type RedactedText, type TextRules } from "./redact-text.ts";
import { nextTrigger } from "./triggers.ts";

export interface RedactorOptions {
  /** Secrets that may stay: equal to the string, or matched by the pattern. */
  readonly allow?: readonly (string | RegExp)[];
  /** Further patterns to mask; whole matches, before the built-in rules. */
  readonly patterns?: readonly LabelledPattern[];
}

export interface Redactor {
  readonly text: (value: string) => RedactedText;
  readonly json: <T>(value: T) => { value: T; count: number };
}

/** Masks secrets as `[REDACTED:LABEL]`. Running it again changes nothing. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const rules: TextRules = {
    patterns: (options.patterns ?? []).map(({ label, pattern }) => ({
      label: toLabel(label),
      pattern: withFlags(pattern, "g"),
    })),
    isAllowed: allowance(options.allow ?? []),
  };
  return {
    text: (value) => redactText(value, rules),
    json: (value) => redactJson(value, rules),
  };
}

function allowance(allow: readonly (string | RegExp)[]): (secret: string) => boolean {
  if (allow.length === 0) return () => false;
  const strings = new Set(allow.filter((each) => typeof each === "string"));
  const patterns = allow.flatMap((each) => (typeof each === "string" ? [] : [withFlags(each, "")]));
  return (secret) => strings.has(secret) || patterns.some((pattern) => pattern.test(secret));
}

/** A copy, so that the caller's `lastIndex` is neither used nor changed. */
function withFlags(pattern: RegExp, extra: string): RegExp {
  return new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/g, "") + extra);
}

/** Deeper values are not read, and therefore not let through. */
const MAX_DEPTH = 1_000;
/** A shorter key of an object is a word: secrets with a recognisable form are longer. */
const MIN_KEY_LENGTH = 16;

interface Walk {
  readonly rules: TextRules;
  /** The result for each container, so that shared parts stay shared and a cycle ends. */
  readonly done: Map<object, unknown>;
  /** Keys of objects that contain no secret: a list has the same keys again and again. */
  readonly plainKeys: Set<string>;
  count: number;
}

/** Masks the secrets of a JSON value. A part without secrets is returned itself, not as a copy. */
function redactJson<T>(value: T, rules: TextRules): { value: T; count: number } {
  const walk: Walk = { rules, done: new Map(), plainKeys: new Set(), count: 0 };
  const redacted = redactNode(value, walk, 0);
  // Strings are only replaced by strings, which the type system cannot know.
  return { value: redacted as T, count: walk.count };
}

function redactNode(node: unknown, walk: Walk, depth: number): unknown {
  if (typeof node === "string") {
    const { text, count } = redactText(node, walk.rules);
    walk.count += count;
    return text;
  }
  if (typeof node !== "object" || node === null) return node;
  if (walk.done.has(node)) return walk.done.get(node) ?? give(walk, "CYCLE");
  if (depth > MAX_DEPTH) return give(walk, "TOO_DEEP");
  // Until its own result is known, a part that contains itself must not pass unread.
  walk.done.set(node, undefined);
  const result = Array.isArray(node) ? redactArray(node, walk, depth) : redactObject(node, walk, depth);
  walk.done.set(node, result);
  return result;
}

function give(walk: Walk, label: string): string {
  walk.count++;
  return maskOf(label);
}

function redactArray(node: readonly unknown[], walk: Walk, depth: number): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < node.length; index++) {
    const item = node[index];
    const redacted = isNamedByItemBefore(node, index)
      ? redactNamed(String(node[index - 1]), String(item), walk)
      : redactNode(item, walk, depth + 1);
    if (redacted === item) continue;
    copy ??= [...node];
    copy[index] = redacted;
  }
  return copy ?? node;
}

const flagName = /^--[A-Za-z][\w-]*$/;

/**
 * Raw headers may be a flat list of names and values, such as `["authorization", "Bearer …"]`. So may flags:
 * `["--token", "…"]`.
 */
function isNamedByItemBefore(node: readonly unknown[], index: number): boolean {
  const [name, value] = [node[index - 1], node[index]];
  if (typeof name !== "string" || typeof value !== "string") return false;
  if (flagName.test(name)) return !value.startsWith("-") && labelOfName(name) !== undefined;
  if (!/[ =]/.test(value)) return false;
  const label = labelOfName(name);
  return label === "AUTHORIZATION" || label === "COOKIE";
}

function redactObject(node: object, walk: Walk, depth: number): object {
  const prototype: unknown = Object.getPrototypeOf(node);
  if (prototype !== Object.prototype && prototype !== null) return node;
  let changed: Map<string, unknown> | undefined;
  let renamed: Map<string, string> | undefined;
  for (const key of Object.keys(node)) {
    const name = mayBeSecret(key, walk) ? redactNode(key, walk, depth) : key;
    if (name !== key) renamed = (renamed ?? new Map<string, string>()).set(key, String(name));
    const item = (node as Record<string, unknown>)[key];
    const redacted = redactProperty(nameOf(node, key), item, walk, depth);
    if (redacted === item) continue;
    changed ??= new Map();
    changed.set(key, redacted);
  }
  return changed === undefined && renamed === undefined ? node : withChanges(node, changed, renamed);
}

function mayBeSecret(key: string, { rules, plainKeys }: Walk): boolean {
  if (key.length < MIN_KEY_LENGTH || plainKeys.has(key)) return false;
  if (rules.patterns.length > 0 || nextTrigger(key, 0) !== undefined) return true;
  plainKeys.add(key);
  return false;
}

/**
 * The neighbours that name a value: {"name": "DB_PASSWORD", "value": "…"}, {"field": "password", "received": "…"}; of
 * types only a field's, {"type": "password", "value": "…"}.
 */
const namedBeside: Readonly<Record<string, readonly string[]>> = {
  value: ["name", "key", "type", "id", "field", "header", "variable"],
  received: ["field", "pointer", "path"],
  input: ["loc", "path"],
  data: ["instancePath"],
};

/** The name of a value: its key, or the name in a neighbour. */
function nameOf(node: object, key: string): string {
  if (!Object.hasOwn(namedBeside, key)) return key;
  for (const beside of namedBeside[key] ?? []) {
    const said: unknown = Object.hasOwn(node, beside) ? (node as Record<string, unknown>)[beside] : undefined;
    const name: unknown = Array.isArray(said) ? said.at(-1) : said;
    if (typeof name !== "string" || (beside === "type" && name !== "password")) continue;
    // A path such as `owner.password` or `/owner/password` is named by its last step.
    const last = name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf("/")) + 1);
    if (labelOfName(last) !== undefined) return last;
  }
  return key;
}

/** A cursor must come back unchanged, and its form is the server's own choice. */
const cursorName = /(?:^|[_-]|next|prev|previous|start|end|page|after|before)cursor$/i;

function redactProperty(key: string, value: unknown, walk: Walk, depth: number): unknown {
  if (typeof value === "string") return cursorName.test(key) ? value : redactNamed(key, value, walk);
  // Headers may be lists: {"set-cookie": ["…"]}.
  if (!Array.isArray(value) || labelOfPair(key, "a string of some length") === undefined) {
    return redactNode(value, walk, depth + 1);
  }
  const items = value.map((item: unknown) =>
    typeof item === "string" ? redactNamed(key, item, walk) : redactNode(item, walk, depth + 2),
  );
  return items.some((item, index) => item !== value[index]) ? items : value;
}

function redactNamed(key: string, value: string, walk: Walk): unknown {
  const label = labelOfPair(key, value);
  if (label === undefined || isStandIn(value)) return redactNode(value, walk, 0);
  return isMasked(value) || walk.rules.isAllowed(value) ? value : give(walk, label);
}

function withChanges(
  node: object,
  changed: ReadonlyMap<string, unknown> = new Map<string, unknown>(),
  renamed: ReadonlyMap<string, string> = new Map<string, string>(),
): object {
  const copy = Object.create(Object.getPrototypeOf(node) as object | null) as object;
  const used = new Map<string, number>();
  for (const [key, value] of Object.entries(node)) {
    const name = renamed.get(key);
    // Defining, not assigning: a key "__proto__" is data.
    Object.defineProperty(copy, name === undefined ? key : freeName(name, used, node), {
      value: changed.has(key) ? changed.get(key) : value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return copy;
}

/** Two secrets have the same mask; the values under both keys must be kept. */
function freeName(name: string, used: Map<string, number>, node: object): string {
  for (;;) {
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    const free = count === 1 ? name : `${name} ${count}`;
    if (!Object.hasOwn(node, free)) return free;
  }
}

/** How much of the earlier lines is remembered: more than a private key has. */
const MAX_BEFORE = 8_192;

/**
 * Masks a stream line by line, as lines are printed: a private key or a login may span several lines, none of which
 * looks like a secret by itself.
 */
export function createLineRedactor(redactor: Redactor): (line: string) => string {
  let before = "";
  return (line) => {
    const earlier = redactor.text(before).text;
    const whole = redactor.text(`${before}\n${line}`).text;
    before = `${before}\n${line}`.slice(-MAX_BEFORE);
    if (whole.startsWith(`${earlier}\n`)) return whole.slice(earlier.length + 1);
    // A secret began before this line and continues in it; the text after it on the line may stay.
    return (lastMask(whole) ?? "") + (whole.startsWith(earlier) ? whole.slice(earlier.length) : "");
  };
}
