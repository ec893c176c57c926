import type { Finder, Finding } from "./mask.ts";
import {
  findAuthorization,
  findBearer,
  findCookie,
  findPrivateKey,
  findUrlPassword,
} from "./find-marked-secret.ts";
import { findFieldValue } from "./find-field-value.ts";
import { findBasic, findEncodedLogin, findLogin, findSqlPassword } from "./find-login.ts";
import { findPair } from "./find-pair.ts";
import type { SecretShape } from "./secret-shape.ts";
import { secretShapes } from "./secret-shapes.ts";
import { keyRunEnd, matchesAt } from "./value-end.ts";
import { type TriggerKind, nextTrigger } from "./triggers.ts";

const shapeOfPrefix = new Map(
  secretShapes.flatMap((shape) => shape.prefixes.map((prefix) => [prefix, shape] as const)),
);

const findShape: Finder = (text, at, end, from) => {
  const shape = shapeOfPrefix.get(text.slice(at, end));
  if (shape === undefined) return undefined;
  shape.pattern.lastIndex = at;
  if (!shape.pattern.test(text)) return undefined;
  const start = shapeStart(text, at, from, shape);
  return { start, end: keyRunEnd(text, shape.pattern.lastIndex), label: shape.label };
};

function shapeStart(text: string, at: number, from: number, { lead, keeps }: SecretShape): number {
  if (keeps !== undefined) return matchesAt(keeps, text, at) ? keeps.lastIndex : at;
  if (lead === undefined) return at;
  const floor = Math.max(from, at - lead.max);
  let start = at;
  while (start > floor && lead.of.test(text[start - 1] ?? "")) start--;
  return start;
}

const wordFinders: Readonly<Record<string, Finder>> = {
  authorization: findAuthorization,
  cookie: findCookie,
  bearer: findBearer,
  basic: findBasic,
  auth: findEncodedLogin,
  identified: findSqlPassword,
};

const findNamed: Finder = (text, at, end, from) =>
  findFieldValue(text, at, end, from) ??
  (wordFinders[text.slice(at, end).toLowerCase()] ?? findPair)(text, at, end, from);

const finders: Readonly<Record<TriggerKind, Finder>> = {
  shape: findShape,
  word: findNamed,
  url: findUrlPassword,
  key: findPrivateKey,
  login: findLogin,
};

/** The secrets of a text, in order, none overlapping another. */
export function findSecrets(text: string): readonly Finding[] {
  const findings: Finding[] = [];
  let from = 0;
  for (let trigger = nextTrigger(text, 0); trigger !== undefined;) {
    const { kind, start, end } = trigger;
    const finding = finders[kind](text, start, end, from);
    const isNew = finding !== undefined && finding.start >= from && finding.end > finding.start;
    if (isNew) {
      findings.push(finding);
      from = finding.end;
    }
    // A prefix that begins no key may overlap a name that stands before a secret.
    trigger = nextTrigger(text, isNew ? finding.end : kind === "shape" ? start + 1 : end);
  }
  return findings;
}
