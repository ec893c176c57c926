// The public list of `waybill/check`: judges the responses of any server.

export { checkServer } from "./check-server.ts";
export type {
  CheckLimits,
  CheckOptions,
  CheckProgress,
  CheckTarget,
  CommandTarget,
  EraChoice,
  LinkTarget,
  UrlTarget,
} from "./check-options.ts";
export type {
  CheckFinding,
  CheckReport,
  CheckScore,
  ContractChange,
  RuleOutcome,
  ShownCall,
  StaleEntry,
  ToolOutcome,
} from "./report/check-report.ts";
export type { AnswerDifference } from "./record/compare-recorded.ts";
export type { Coverage, NotCalled } from "./report/check-report.ts";
export type { FindingSeverity } from "../../core/rules/server-rule.ts";
export { type PolicyOptions, createPolicy } from "./policy/create-policy.ts";
export type { Policy, PolicyGap, PolicySetting, RuleCount } from "./policy/write-policy.ts";
