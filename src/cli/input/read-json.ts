import { decodeUtf8 } from "../../json/decode-utf8.ts";
import type { JsonValue } from "../../json/json-value.ts";
import { type JsonFinding, parseJson } from "../../json/parse-json.ts";
import { CliError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { printable } from "../output/printable.ts";
import { count } from "../output/count.ts";
import type { Input } from "./read-input.ts";

/** The JSON of an input, whole: what parsing would change or drop is refused with its place. */
export function readJson({ name, bytes }: Input): JsonValue {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) throw refuse(`${printable(name)} is not UTF-8.`, [decoded.message], { source: name });
  const parsed = parseJson(decoded.text);
  // Half a surrogate pair survives: it is written back as the escape it came from.
  const findings = parsed.findings.filter(({ kind }) => kind !== "lone-surrogate");
  if (parsed.ok && findings.length === 0) return parsed.value;
  const title = parsed.ok
    ? `${printable(name)} would lose ${parsed.truncated ? "at least " : ""}${count(findings.length, "value")} by being read.`
    : `${printable(name)} is not JSON that can be read.`;
  const details = { source: name, findings: findings.map(toDetail) };
  throw refuse(title, findings.map(toLine), details);
}

function toLine({ kind, line, column, message }: JsonFinding): string {
  const saysWhere = kind === "syntax" || kind === "depth";
  return saysWhere ? message : `Line ${line}, column ${column}: ${message}`;
}

function toDetail({ kind, pointer, line, column, message }: JsonFinding) {
  return { kind, pointer, line, column, message };
}

function refuse(message: string, lines: readonly string[], details: CliErrorDetails): CliError {
  return new CliError(message, {
    exitCode: exitCodes.violated,
    errorCode: "INVALID_FORMAT",
    remediation: "Mend the input at the named places and try again.",
    lines: lines.map(printable),
    details,
  });
}

type CliErrorDetails = NonNullable<CliError["details"]>;
