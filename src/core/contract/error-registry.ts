import { ContractError } from "./contract-error.ts";
import { type ErrorRow, errorRows } from "./error-rows.ts";
import { errorTypeTable, isErrorType } from "./error-types.ts";

export interface ErrorEntry extends Required<ErrorRow> {}

export interface ErrorRegistry {
  readonly entries: readonly ErrorEntry[];
  /** The entry of a code or of one of its aliases. */
  get(code: string): ErrorEntry | undefined;
  /** The entry that a scalpel code means without further fields. */
  fromScalpel(code: string): ErrorEntry | undefined;
  /** A new registry with more rows. A code or alias that is already known is refused. */
  extend(rows: readonly ErrorRow[]): ErrorRegistry;
}

const codePattern = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;

export function isScreamingSnake(code: string): boolean {
  return codePattern.test(code);
}

function toEntry(row: ErrorRow): ErrorEntry {
  const type = errorTypeTable[row.type];
  return Object.freeze({
    ...row,
    aliases: row.aliases ?? [],
    scalpelTwin: row.scalpelTwin ?? false,
    http: row.http ?? type.http,
    jsonRpc: row.jsonRpc ?? (row.type === "validation" || row.type === "not_found" ? -32602 : -32603),
    retry: row.retry ?? type.retry,
  });
}

function claim(byName: Map<string, ErrorEntry>, name: string, entry: ErrorEntry): void {
  if (!isScreamingSnake(name)) {
    throw new ContractError("INVALID_OPTION", `Error code "${name}" is not SCREAMING_SNAKE_CASE: rename it.`);
  }
  if (byName.has(name)) {
    throw new ContractError("INVALID_OPTION", `Error code "${name}" is taken already: choose another.`);
  }
  byName.set(name, entry);
}

export function createErrorRegistry(rows: readonly ErrorRow[]): ErrorRegistry {
  const entries: ErrorEntry[] = [];
  const byName = new Map<string, ErrorEntry>();
  const twins = new Map<string, ErrorEntry>();
  for (const row of rows) {
    if (!isErrorType(row.type)) {
      throw new ContractError(
        "INVALID_OPTION",
        `Error code "${row.code}" has an unknown type "${String(row.type)}".`,
      );
    }
    const entry = toEntry(row);
    entries.push(entry);
    for (const name of [entry.code, ...entry.aliases]) claim(byName, name, entry);
    if (entry.scalpelTwin) twins.set(entry.scalpel, entry);
  }
  return Object.freeze({
    entries: Object.freeze(entries),
    get: (code: string) => byName.get(code),
    fromScalpel: (code: string) => twins.get(code),
    extend: (more: readonly ErrorRow[]) => createErrorRegistry([...rows, ...more]),
  });
}

/** Every code Waybill knows. `errorRegistry.extend(rows)` adds an author's own. */
export const errorRegistry: ErrorRegistry = createErrorRegistry(errorRows);
