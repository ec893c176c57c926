// Rules for what databases say of a query, by SQLSTATE and in the words of PostgreSQL, MySQL, SQLite, SQL Server,
// DuckDB, Trino, BigQuery and Snowflake, as their documentation has them. A query with a mistake in it gets no code,
// because its message says best what is wrong, but advice that fits.

import { type FailureRule, NO_CODE } from "./failure-rule.ts";

const OF_QUERY = "Correct the query as the message says; the same query would fail again.";
const OF_NAMES = "List the tables and columns, then correct the names in the query.";

/** What a whole SQLSTATE means, else its class (the first two characters). Other classes say nothing of the caller. */
const sqlStates: Readonly<Record<string, string>> = {
  "23502": "MISSING_REQUIRED",
  "23505": "DUPLICATE_ENTRY",
  "23514": "VALIDATION_ERROR",
  "25006": "FORBIDDEN",
  "42501": "FORBIDDEN",
  "42601": NO_CODE,
  "42703": "NOT_FOUND",
  "42883": "NOT_FOUND",
  "42P01": "NOT_FOUND",
  "42P07": "DUPLICATE_ENTRY",
  "42S01": "DUPLICATE_ENTRY",
  "42S02": "NOT_FOUND",
  "42S22": "NOT_FOUND",
  "53300": "UNAVAILABLE",
  "57014": "TIMEOUT",
  "57P03": "UNAVAILABLE",
  "3D000": "NOT_FOUND",
  "3F000": "NOT_FOUND",
  "08": "UNAVAILABLE",
  "22": "VALIDATION_ERROR",
  "23": "CONFLICT",
  "28": "UNAUTHORIZED",
  "40": "CONFLICT",
  "42": NO_CODE,
  "53": "RESOURCE_EXHAUSTED",
};

/** "SQLSTATE[42S02]", "(SQLSTATE 42P01)", "ERROR 1064 (42000)", "002003 (42S02):". */
const sqlState =
  /\bSQLSTATE\b[ :=[(]{0,3}['"]?([0-9][0-9A-Z]{4})\b|\b(?:ERROR \d{4}|\d{6}) \(([0-9][0-9A-Z]{4})\)/;

function codeOfSqlState(lines: string): string | undefined {
  const [, named, numbered] = sqlState.exec(lines) ?? [];
  const state = named ?? numbered ?? "";
  return sqlStates[state] ?? sqlStates[state.slice(0, 2)];
}

export const queryRules: readonly FailureRule[] = [
  {
    id: "query/statement",
    says: '"Only SELECT statements are allowed", "query must start with SELECT", "multiple statements are not allowed"',
    code: "VALIDATION_ERROR",
    remediation: "This tool takes only the kind of statement that the message names. Write the query as one.",
    words:
      /\b[Oo]nly (?:(?:read-only|single) )?(?:(?:SELECT|WITH|SHOW|EXPLAIN|INSERT|UPDATE|DELETE)\b[^\n]{0,80}|[Ss]elect (?:quer(?:y|ies)|statements?)) (?:is |are )?(?:allowed|permitted|supported|accepted)\b|\b(?:must|should) (?:start|begin) with ['"`]?(?:SELECT|WITH)\b|\b[Mm]ultiple (?:SQL )?(?:statements|queries) (?:are|is) not (?:allowed|permitted|supported)\b/,
    unless: /\bread-?only mode\b/i,
  },
  {
    id: "query/syntax",
    says: 'A mistake in the query itself: "syntax error at or near", "You have an error in your SQL syntax", "near \\"x\\": syntax error", "mismatched input"',
    code: NO_CODE,
    remediation: OF_QUERY,
    words:
      /\bsyntax error (?:at or near|at end of input|at position|line \d|in (?:the )?(?:SQL|query))|\bnear "[^"\n]{0,80}": syntax error|\byou have an error in your SQL syntax\b|\bincorrect syntax near\b|\bmismatched input '[^'\n]{0,80}'|\bsyntax error: (?:unexpected|expected)\b|\bunexpected end of (?:sql )?statement\b|\bincomplete input$/i,
    unless: /\bJSON\b/,
  },
  {
    id: "query/state",
    says: "A SQLSTATE: `SQLSTATE[42S02]`, `ERROR 1146 (42S02)`",
    gives: "by the state",
    read: ({ lines }) => codeOfSqlState(lines),
  },
  {
    id: "query/name",
    says: '"no such column", "Unknown column \'x\' in", "Unrecognized name: x at [1:8]", "Invalid object name", "invalid identifier"',
    code: "NOT_FOUND",
    remediation: OF_NAMES,
    words:
      /\bno such (?:table|column|function): |\bunknown (?:column|table|database) ['"`][^'"`\n]{1,120}['"`]|\bunrecognized name: |\binvalid (?:object|column) name ['"`]|\binvalid identifier ['"`]|\b(?:table|column|function|view) with name [^\n]{1,80} does not exist\b|\b(?:column|relation) "[^"\n]{1,120}" does not exist\b/i,
  },
  {
    id: "query/foreign-key",
    says: '"FOREIGN KEY constraint failed", "violates foreign key constraint"',
    code: "CONFLICT",
    remediation:
      "A row refers to another that does not exist, or is still referred to. Read both, then decide.",
    words: /\bforeign key constraint\b/i,
  },
  {
    id: "query/null",
    says: '"NOT NULL constraint failed", "null value in column"',
    code: "MISSING_REQUIRED",
    words: /\bnot[ -]null constraint\b|\bnull value in column\b|\bcolumn '[^'\n]{1,80}' cannot be null\b/i,
  },
  {
    id: "query/deadlock",
    says: '"deadlock detected", "could not serialize access"',
    code: "CONFLICT",
    words: /\bdeadlock (?:detected|found)\b|\bcould not serialize access\b/i,
  },
];
