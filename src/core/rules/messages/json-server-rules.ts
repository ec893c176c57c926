import { parseJson } from "../../json/parse-json.ts";
import { jsonRules, violationsOfText } from "../../pipeline/dialect/json-rules.ts";
import { type Survey, reuseRules, withoutFix } from "../reuse-rules.ts";
import type { RecordedMessage, ServerRecord } from "../server-record.ts";
import type { Finding, ServerRule } from "../server-rule.ts";

/** The rules for text that could be parsed nevertheless; text that is not JSON at all has its own rule. */
const rules = [
  jsonRules["json/encoding"],
  jsonRules["json/depth"],
  jsonRules["json/duplicate-key"],
  jsonRules["json/number-range"],
  jsonRules["json/number-precision"],
  jsonRules["json/lone-surrogate"],
];

/** The messages whose text was kept whole. */
function wholeIn({ messages }: ServerRecord): readonly RecordedMessage[] {
  return messages.filter(({ from, value }) => from === "server" && value !== undefined);
}

/** The path to a value that is nested too deep says nothing after its beginning. */
const SHOWN_LEVELS = 20;

function shortened(path: string): string {
  return path
    .split("/")
    .slice(0, SHOWN_LEVELS + 1)
    .join("/");
}

function survey(record: ServerRecord): Survey {
  const messages = wholeIn(record);
  const found = new Map<string, Map<string, Finding>>();
  if (record.messages.some(({ from, isBadText }) => from === "server" && isBadText === true)) {
    const message = "A message has bytes that are no UTF-8";
    found.set("json/encoding", new Map([["", { path: "", message }]]));
  }
  for (const { raw } of messages) {
    for (const violation of violationsOfText(parseJson(raw).findings)) {
      const rule = rules.find(({ id }) => id === violation.rule);
      const places = found.get(violation.rule) ?? new Map<string, Finding>();
      found.set(violation.rule, places);
      // The same key in many answers is one finding.
      const place = violation.path.replaceAll(/\/\d+/g, "/*");
      if (!places.has(place))
        places.set(place, { path: shortened(violation.path), message: withoutFix(violation, rule?.fix) });
    }
  }
  return {
    findings: new Map([...found].map(([id, places]) => [id, [...places.values()]])),
    untested: () => (messages.length === 0 ? "The server sent no message" : undefined),
  };
}

/** What a parser would silently change or drop in the server's messages. */
export const jsonServerRules: readonly ServerRule[] = reuseRules(rules, survey);
