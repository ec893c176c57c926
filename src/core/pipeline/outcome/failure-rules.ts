// Rules for what the text of a foreign failure is about, in the order in which they are asked: the first that applies
// decides, or notes if its confidence is low. Only words that leave no doubt decide, since a wrong code is worse than
// none, and a false invitation to retry is the worst. `docs/errors.md` lists them.

import { type FailureRule, limited, wordsRule } from "./failure-rule.ts";
import { codeOfStatus, codeOfSystemIn, statusIn } from "./failure-status.ts";
import { codeOfNameIn } from "./failure-words.ts";
import { argumentRules, valueRules } from "./rules-of-arguments.ts";
import { setUpRules } from "./rules-of-set-up.ts";
import { accessRules, guesses, stateRules, thingRules } from "./rules-of-words.ts";

export { vetoes } from "./rules-of-set-up.ts";

const limitRule = wordsRule({
  id: "limit/rate",
  says: '"rate limit exceeded", "rate limited", "too many requests", "throttled"',
  code: "RATE_LIMIT_EXCEEDED",
  words: limited,
});

const systemRule: FailureRule = {
  id: "system/code",
  confidence: "high",
  says: "An operating system's error: `ENOENT`, `ECONNREFUSED`, `[Errno 13]`, `(os error 2)`",
  gives: "by the error",
  read: ({ lines }) => codeOfSystemIn(lines),
};

const statusRule: FailureRule = {
  id: "http/status",
  confidence: "high",
  says: "A status of HTTP that leaves no doubt: 401, 403, 404, 408, 409, 410, 412, 413, 423, 429, 501, 502, 503, 504, 529",
  gives: "by the status",
  read: ({ lines }) => {
    const found = codeOfStatus(statusIn(lines) ?? "");
    return found?.isWeak === false ? found.code : undefined;
  },
};

const weakStatusRule: FailureRule = {
  id: "http/status-weak",
  confidence: "high",
  says: "A status that says less than words: 400 and 422, 500",
  gives: "`VALIDATION_ERROR`, `UNAVAILABLE`",
  read: ({ lines }) => codeOfStatus(statusIn(lines) ?? "")?.code,
};

const nameRule: FailureRule = {
  id: "name/error",
  confidence: "high",
  says: "A name of an error: `NoSuchBucket`, `ValidationException`, `(NotFound)`, `PERMISSION_DENIED`, `channel_not_found`",
  gives: "by the name",
  read: ({ line, lines }) => codeOfNameIn(line, lines),
};

/** Every rule for texts, in the order in which they are asked. */
export const textRules: readonly FailureRule[] = [
  ...setUpRules,
  limitRule,
  systemRule,
  ...accessRules,
  statusRule,
  ...argumentRules,
  ...stateRules,
  nameRule,
  ...thingRules,
  ...valueRules,
  weakStatusRule,
  ...guesses,
];
