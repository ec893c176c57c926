import { ToolFault } from "../../../core/contract/tool-fault.ts";
import type { JsonObject } from "../../../core/json/json-value.ts";
import { checkParts } from "./check-parts.ts";
import { Mistake, applyEdit } from "./mistake.ts";
import { type ParsedExpression, parseExpression } from "./parse-expression.ts";
import { repairsOf } from "./repair-expression.ts";

/** The longest expression, in bytes of UTF-8. */
export const MAX_EXPRESSION_BYTES = 4_096;

/** Used where no example fits better. */
const EXAMPLE = "items[?status == 'open'].name";

/** An expression that is fine by itself; only the data can show that it does not fit. */
export interface CheckedExpression extends ParsedExpression {
  readonly text: string;
}

/** What is known of the value that a question is put to, where it is at hand. */
export interface KnownValue {
  /** The first of some expressions that has an answer. */
  readonly firstAnswered: (candidates: Iterable<string>) => string | undefined;
  /** A question that fits, and what is there. */
  readonly example: string | undefined;
  readonly details: JsonObject;
}

/** Reads an expression; throws a `ToolFault` that says where it is wrong. Never runs it, and takes a bounded time. */
export function checkExpression(expression: string, know?: () => KnownValue): CheckedExpression {
  assertLength(expression);
  try {
    return { ...readExpression(expression), text: expression };
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    throw toFault(expression, error, know?.());
  }
}

/** Throws a `ToolFault` for an expression that is not even read. */
export function assertLength(expression: string): void {
  // Every unit of UTF-16 takes at least a byte.
  const isLong =
    expression.length > MAX_EXPRESSION_BYTES ||
    new TextEncoder().encode(expression).byteLength > MAX_EXPRESSION_BYTES;
  if (isLong)
    throw new ToolFault(`The expression is too long: at most ${MAX_EXPRESSION_BYTES} bytes are read.`, {
      errorCode: "INVALID_FORMAT",
      remediation: "Ask a shorter question. Several short questions may follow each other.",
      details: { reason: "expression_too_long", max_bytes: MAX_EXPRESSION_BYTES },
    });
}

/** Throws a `Mistake`. */
function readExpression(expression: string): ParsedExpression {
  if (expression.trim() === "") throw new Mistake("it is empty", 0);
  const parsed = parseExpression(expression);
  checkParts(parsed);
  return parsed;
}

function* candidatesFor(expression: string, { edit }: Mistake): Generator<string> {
  if (edit !== undefined) {
    const edited = applyEdit(expression, edit);
    if (isReadable(edited)) yield edited;
    for (const repaired of repairsOf(edited)) if (isReadable(repaired)) yield repaired;
  }
  for (const repaired of repairsOf(expression)) if (isReadable(repaired)) yield repaired;
}

function toFault(expression: string, mistake: Mistake, known: KnownValue | undefined): ToolFault {
  const { message, position } = mistake;
  const candidates = candidatesFor(expression, mistake);
  const mended =
    known === undefined
      ? (candidates.next().value as string | undefined)
      : (known.firstAnswered(candidates) ?? known.example);
  const example = mended ?? EXAMPLE;
  const where = position === undefined ? "" : ` at character ${position + 1}`;
  return new ToolFault(`The expression is wrong${where}: ${message}${message.endsWith("?") ? "" : "."}`, {
    errorCode: "INVALID_FORMAT",
    remediation: `Correct it and ask again, for example: ${example}`,
    details: {
      reason: "wrong_expression",
      ...(position === undefined ? {} : { position: position + 1 }),
      ...known?.details,
      example,
    },
  });
}

function isReadable(expression: string): boolean {
  try {
    readExpression(expression);
    return true;
  } catch {
    return false;
  }
}
