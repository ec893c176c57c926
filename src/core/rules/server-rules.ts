import type { Rule } from "../contract/rule.ts";
import { authorRules } from "./author/author-rules.ts";
import { definitionServerRules } from "./definition/definition-rules.ts";
import { argumentRules } from "./call/argument-rules.ts";
import { behaviourRules, sizeRules } from "./call/behaviour-rules.ts";
import { failedCallRules } from "./call/error-rules.ts";
import { inputRules } from "./call/input-rules.ts";
import { pagingRules } from "./call/paging-rules.ts";
import { listRules } from "./list/list-rules.ts";
import { jsonServerRules, messageServerRules } from "./messages/message-server-rules.ts";
import { protocolMetaRules } from "./meta/meta-rules.ts";
import { answeringRules, modernRules } from "./protocol/modern-rules.ts";
import { capabilityRules, greetingRules } from "./protocol/greeting-rules.ts";
import { httpRules } from "./protocol/http-rules.ts";
import { channelRules, outputRules, truthRules } from "./result/output-rules.ts";
import { contractRules, listValidationRules } from "./result/contract-rules.ts";
import { fidelityRules } from "./result/fidelity-rules.ts";
import { readerRules } from "./result/reader-rules.ts";
import type { ServerRule } from "./server-rule.ts";

/** Rules about what a server says of itself and its tools. */
const listingRules: readonly ServerRule[] = [
  ...greetingRules,
  ...jsonServerRules,
  ...messageServerRules,
  ...answeringRules,
  ...capabilityRules,
  ...modernRules,
  ...httpRules,
  ...listRules,
  ...definitionServerRules,
  ...protocolMetaRules,
];

/** Rules about the results of calls. */
const callRules: readonly ServerRule[] = [
  ...contractRules,
  ...outputRules,
  ...channelRules,
  ...readerRules,
  ...truthRules,
  ...failedCallRules,
  ...argumentRules,
  ...pagingRules,
  ...sizeRules,
  ...behaviourRules,
  ...inputRules,
  ...fidelityRules,
];

/** All rules that a check judges a server by, in the order in which they are reported. */
export const serverRules: readonly ServerRule[] = [...listingRules, ...callRules];

/** The one registry: the rules of a check, those of `waybill validate` that are not among them, and those of a lint. */
export const everyRule: readonly Rule[] = listEveryRule();

function listEveryRule(): readonly Rule[] {
  const ids = new Set(serverRules.map(({ id }) => id));
  return [...serverRules, ...listValidationRules().filter(({ id }) => !ids.has(id)), ...authorRules];
}
