// What no caller can repair: the server's own set-up, lasting limits, and what a text itself calls final.

import { type FailureRule, NO_CODE, limited, secret, wordsRule } from "./failure-rule.ts";
import { statusIn } from "./failure-status.ts";
import { waitIn } from "./wait-in-text.ts";

const OF_OPERATOR = "Tell whoever runs the server: a retry cannot help before they have changed it.";

const lastingLimit =
  /\b(?:month(?:ly)?|daily|per day|billing|(?:your|current|free|pricing) plan|plan limit|credits?|subscriptions?|upgrade|payment required|balance)\b/i;
const quota = /\bquota/i;
/** A limit with a short period ends by waiting, whatever else is offered. */
const shortPeriod =
  /\bper[ _-]?(?:second|minute|min|hour|user|100)|\breq(?:uests)?\/(?:s|sec|min|minute|hour)\b/i;
const unpaid = /\b(?:insufficient|out of|not enough|no remaining) (?:\w+ )?(?:credits?|funds|balance)\b/i;

/** Tried first: a fault in the server's own set-up, or one that will not pass by itself. */
export const setUpRules: readonly FailureRule[] = [
  wordsRule({
    id: "set-up/program",
    says: 'A program is not installed: `spawn git ENOENT`, `command not found`, "is not installed"',
    code: NO_CODE,
    isFinal: true,
    remediation: `A program is not installed where the server runs. ${OF_OPERATOR}`,
    words:
      /\bspawn(?:Sync)?\b[^\n]{0,120}\b(?:ENOENT|EACCES)\b|\bcommand not found\b|\bis not installed\b|\bnot recognized as an internal\b|\bexecutable (?:file )?(?:not found|doesn't exist)/i,
  }),
  wordsRule({
    id: "set-up/credentials",
    says: 'The server was never given a key, token or variable: "API key not set", "X_TOKEN is required"',
    code: NO_CODE,
    isFinal: true,
    remediation: `The server lacks a key or a setting of its own. ${OF_OPERATOR}`,
    words: new RegExp(
      [
        "unable to locate credentials",
        `\\b(?:failed|unable) to (?:retrieve|obtain|acquire|load|get) (?:an? |the )?(?:\\w+ )?${secret}\\b`,
        `\\b${secret}(?: \\w+){0,2} (?:is |are |was |were )?(?:not (?:been )?(?:set|configured|provided|found|defined|specified|available|present)|missing|required|unset)\\b`,
        `\\b(?:no|missing|without an?) (?:\\w+ ){0,2}${secret}\\b(?! (?:found )?in (?:the )?(?:file|text|line))`,
        "\\b[A-Z][A-Z0-9]*_[A-Z0-9_]*(?:KEY|TOKEN|SECRET|URL|URI|HOST|PASSWORD|ID|PATH)\\b[^\\n]{0,40}\\b(?:not set|is required|are required|missing|not configured|must be set|not defined|not found|not provided)\\b",
        "\\b(?:environment|env) var(?:iable)?s?\\b[^\\n]{0,60}\\b(?:not set|required|missing|not defined|not configured|must be set|unset)\\b",
      ].join("|"),
      "i",
    ),
    unless: /\bunauthori[sz]ed\b|\b40[13]\b/i,
  }),
  wordsRule({
    id: "set-up/configuration",
    says: "The server is not configured, or wrongly",
    code: NO_CODE,
    isFinal: true,
    remediation: `The server is not set up for this. ${OF_OPERATOR}`,
    words:
      /\bmisconfigur|\b(?:is|are|was) not configured\b|\bconfigured connection string\b|\bconfiguration (?:error|issue)\b|\bnot configured (?:for|with|to)\b/i,
  }),
  {
    id: "set-up/heading",
    confidence: "high",
    says: "A heading says that the configuration is wrong",
    gives: NO_CODE,
    isFinal: true,
    read: ({ heading }) => (/^configuration error$/i.test(heading) ? NO_CODE : undefined),
  },
  wordsRule({
    id: "output/invalid",
    says: "What the tool gave breaks its own output schema",
    code: NO_CODE,
    isFinal: true,
    words:
      /^Output validation error|^\d+ validation errors? for \w+Output\b|\bhas an output schema but\b|^Invalid structured content\b/i,
  }),
  {
    id: "limit/lasting",
    confidence: "high",
    says: "A limit that does not end by waiting a while: a month, a plan, credits, a quota without a short period",
    gives: NO_CODE,
    isFinal: true,
    remediation: "This limit does not end by waiting a while. Tell the user what it is, or do without.",
    read: ({ line, lines }) => {
      const status = statusIn(line);
      if (status === "402" || unpaid.test(line) || /\bpayment required\b/i.test(line)) return NO_CODE;
      const isLimit = limited.test(line) || quota.test(line) || status === "429";
      const isLasting = lastingLimit.test(lines) || quota.test(lines);
      const isShort = shortPeriod.test(lines) || waitIn(lines) !== undefined;
      return isLimit && isLasting && !isShort ? NO_CODE : undefined;
    },
  },
];

/** Tried on failures that would invite a retry: reasons why the call must not be repeated. */
export const vetoes: readonly FailureRule[] = [
  wordsRule({
    id: "advice/no-retry",
    says: "The text says that a retry will not help: no invitation to retry is made of it",
    code: NO_CODE,
    isFinal: true,
    words:
      /\b(?:do not|don't|should not|must not|never) (?:re)?try\b|\bby retrying\b|\bretry(?:ing)? (?:will|would|does|can)(?:n't| ?not) help\b|\bnot retryable\b/i,
    everywhere: true,
  }),
  {
    id: "http/refused",
    confidence: "high",
    says: "A status of HTTP says that the request itself was refused (400, 401, 403, 404, 422): no invitation to retry is made of it",
    gives: NO_CODE,
    isFinal: true,
    read: ({ lines }) =>
      /^(?:40[0134]|422)$/.test(statusIn(lines) ?? "") && !limited.test(lines) ? NO_CODE : undefined,
  },
];
