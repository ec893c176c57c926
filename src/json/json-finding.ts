export type JsonFindingKind =
  | "syntax"
  | "depth"
  | "number-range"
  | "number-precision"
  | "duplicate-key"
  | "lone-surrogate";

export interface JsonFinding {
  readonly kind: JsonFindingKind;
  readonly pointer: string;
  /** In UTF-16 code units from 0; line and column count from 1. */
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}
