// Rules for reports that programs write in a form of their own: Zod, validators of web frameworks, git, browsers.

import { jsonObjectIn } from "../../json/json-value.ts";
import { type FailureRule, NO_CODE } from "./failure-rule.ts";

/** The codes of Zod's issues, of its third and fourth version. */
const zodIssue =
  /"code": ?"(?:invalid_(?:type|string|enum_value|union|union_discriminator|literal|arguments|date|value|format|key|element)|unrecognized_keys|too_small|too_big|not_multiple_of|not_finite)"/;
const absent = /"received": ?"undefined"|received undefined|"message": ?"Required"/;

/** A list of issues, alone or after words. */
const listStart = /^(?:[^\n[{]{0,200}: ?)?\[(?:$|\s*\{)/;

const MAX_FIELDS = 50;

/** Fields with lists of sentences: what Django, Laravel, Rails and Marshmallow answer to a refused form. */
function isByField(line: string): boolean {
  const start = line.indexOf("{");
  if (start < 0 || !line.endsWith("}")) return false;
  const fields = Object.entries(jsonObjectIn(line.slice(start)) ?? {});
  const isSentences = (value: unknown): boolean =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((each) => typeof each === "string" && each.trim().includes(" "));
  return (
    fields.length > 0 &&
    fields.length <= MAX_FIELDS &&
    fields.every(([name, value]) => /^\w[\w.[\]-]{0,80}$/.test(name) && isSentences(value))
  );
}

/** Tried before every rule about words, because these forms have words in them that mean something else there. */
export const reportRules: readonly FailureRule[] = [
  {
    id: "arguments/zod",
    says: 'Zod refuses the arguments: a list of issues with `"code": "invalid_type"`',
    gives: "`VALIDATION_ERROR`, `MISSING_REQUIRED`",
    read: ({ line, lines }) => {
      if (!listStart.test(line) || !zodIssue.test(lines)) return undefined;
      return absent.test(lines) ? "MISSING_REQUIRED" : "VALIDATION_ERROR";
    },
  },
  {
    id: "browser/locator",
    says: "A browser waited in vain for an element: `locator.click: Timeout 5000ms exceeded` with `waiting for locator(…)`, `Waiting for selector … failed`",
    code: "TIMEOUT",
    isFinal: true,
    remediation: "The element never appeared. Look at the page again, then name another element.",
    read: ({ lines }) =>
      (/\bTimeout \d{1,7}ms exceeded\b/i.test(lines) &&
        /\bwaiting for (?:locator|selector|getBy\w{1,20}|element)\b/i.test(lines)) ||
      /\bwaiting for selector [^\n]{1,200} failed\b/i.test(lines)
        ? "TIMEOUT"
        : undefined,
  },
  {
    id: "browser/several",
    says: '"strict mode violation: locator(…) resolved to 2 elements"',
    code: "VALIDATION_ERROR",
    remediation: "The locator fits several elements. Choose one that fits only the element that is meant.",
    words: /\bstrict mode violation\b[^\n]{0,200}\bresolved to \d+ elements\b/i,
  },
  {
    id: "git/absent",
    says: 'git: "unknown revision or path not in the working tree", "bad revision", "couldn\'t find remote ref", "not a git repository"',
    code: "NOT_FOUND",
    words:
      /\bunknown revision or path not in the working tree\b|\bbad (?:revision|object) ['"]?\S|\bcouldn't find remote ref\b|\bnot a git repository\b|\bdoes not have any commits yet\b/i,
  },
  {
    id: "git/state",
    says: 'git: "Updates were rejected", "non-fast-forward", "nothing to commit", "Another git process seems to be running"',
    code: "CONFLICT",
    words:
      /\bupdates were rejected because\b|\(non-fast-forward\)|\(fetch first\)|\bnothing to commit\b|\banother git process seems to be running\b|\byou have unmerged (?:paths|files)\b|\bindex\.lock': file exists\b/i,
    everywhere: true,
  },
  {
    id: "git/access",
    says: 'git: "Permission denied (publickey)", "could not read Username for"',
    code: "UNAUTHORIZED",
    remediation: "The server's login was refused. Tell the person who runs the server.",
    words: /\bpermission denied \(publickey\b|\bcould not read (?:username|password) for\b/i,
    everywhere: true,
  },
  {
    id: "set-up/identity",
    says: 'git: "Please tell me who you are"',
    code: NO_CODE,
    isFinal: true,
    remediation: "git does not know the author where the server runs. Tell the person who runs the server.",
    words: /\b(?:author|committer) identity unknown\b|\bplease tell me who you are\b/i,
    everywhere: true,
  },
];

/** Tried after rules about words, which may know the sentences better. */
export const fieldRules: readonly FailureRule[] = [
  {
    id: "arguments/by-field",
    says: 'Sentences by field, as web frameworks refuse a form: `{"name": ["This field may not be blank."]}`',
    code: "VALIDATION_ERROR",
    read: ({ line }) => (isByField(line) ? "VALIDATION_ERROR" : undefined),
  },
];
