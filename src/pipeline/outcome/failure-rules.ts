// Rules for what the text of a foreign failure is about, in the order in which they are asked: the first that applies
// decides, or notes if its confidence is low. Only words that leave no doubt decide, since a wrong code is worse than
// none, and a false invitation to retry is the worst. `docs/errors.md` lists them.

import { type FailureRule, limited, wordsRule } from "./failure-rule.ts";
import { codeOfStatus, codeOfSystemIn, statusIn } from "./failure-status.ts";
import { codeOfNameIn } from "./failure-words.ts";
import { setUpRules } from "./rules-of-set-up.ts";
import { guesses, wordRules } from "./rules-of-words.ts";

const namedRules: readonly FailureRule[] = [
  wordsRule({
    id: "limit/rate",
    says: '"rate limit exceeded", "rate limited", "too many requests", "throttled"',
    code: "RATE_LIMIT_EXCEEDED",
    words: limited,
  }),
  {
    id: "system/code",
    confidence: "high",
    says: "An operating system's error: `ENOENT`, `ECONNREFUSED`, `[Errno 13]`, `(os error 2)`",
    gives: "by the error",
    read: ({ lines }) => codeOfSystemIn(lines),
  },
  {
    id: "http/status",
    confidence: "high",
    says: "A status of HTTP that leaves no doubt: 401, 403, 404, 408, 409, 410, 412, 413, 423, 429, 501, 502, 503, 504, 529",
    gives: "by the status",
    read: ({ lines }) => {
      const found = codeOfStatus(statusIn(lines) ?? "");
      return found?.isWeak === false ? found.code : undefined;
    },
  },
  {
    id: "name/error",
    confidence: "high",
    says: "A name of an error: `NoSuchBucket`, `ValidationException`, `(NotFound)`, `PERMISSION_DENIED`",
    gives: "by the name",
    read: ({ lines }) => codeOfNameIn(lines),
  },
];

const argumentRules: readonly FailureRule[] = [
  {
    id: "arguments/pydantic",
    confidence: "high",
    says: 'Pydantic refuses the arguments: "1 validation error for searchArguments"',
    gives: "`VALIDATION_ERROR`, `MISSING_REQUIRED`",
    read: ({ line, lines }) => {
      if (!/^\d+ validation errors? for /.test(line)) return undefined;
      return /Field required|Missing required|type=missing/.test(lines)
        ? "MISSING_REQUIRED"
        : "VALIDATION_ERROR";
    },
  },
  {
    id: "arguments/refused",
    confidence: "high",
    says: 'A heading or the first words say that the input was refused: "Input validation error", "Invalid arguments"',
    gives: "VALIDATION_ERROR",
    read: ({ heading, line }) =>
      /^(?:input|validation|invalid input) error$/i.test(heading) ||
      /^(?:input validation|validation error|validation failed|schema validation|Invalid arguments? for (?:tool )?['"\w]|Invalid (?:arguments|params|parameters)\b)/i.test(
        line,
      )
        ? "VALIDATION_ERROR"
        : undefined,
  },
  wordsRule({
    id: "arguments/cursor",
    says: '"invalid cursor"',
    code: "INVALID_CURSOR",
    words: /\b(?:invalid|expired|malformed|bad) (?:page |pagination )?cursor\b/i,
  }),
];

/** Every rule for texts, in the order in which they are asked. */
export const textRules: readonly FailureRule[] = [
  ...setUpRules,
  ...namedRules,
  ...argumentRules,
  ...wordRules,
  ...guesses,
];
