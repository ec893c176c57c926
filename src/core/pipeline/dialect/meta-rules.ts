import { defineRules } from "../../contract/rule.ts";
import { warningRules } from "./warning-rules.ts";

/** Rules on `meta`, wherever a dialect carries one. */
export const ownMetaRules = defineRules("envelope", {
  "meta/version": {
    severity: "MUST",
    says: 'meta.version is "response-v2".',
    fix: 'Set meta.version to "response-v2".',
    source: "seed 001, Metadata Field Semantics",
  },
  "meta/request-id": {
    severity: "MUST",
    says: "meta.request_id is a text.",
    fix: "Send the id as a string, or leave it out.",
    source: "seed 001, Metadata Field Semantics",
  },
  "meta/request-id-format": {
    severity: "SHOULD",
    says: "meta.request_id is 1 to 128 letters, digits, _ or -.",
    fix: "Use an id such as req_0a1b2c3d4e5f, which every log and header can carry.",
    source: "docs/contract.md, Request ids",
  },
  "meta/request-id-missing": {
    severity: "SHOULD",
    says: "meta.request_id is present.",
    fix: "Send the correlation id of the request, so that a report can be matched with the log.",
    source: "seed 001, Metadata Field Semantics",
  },
  "meta/warnings": {
    severity: "MUST",
    says: "meta.warnings is a list of strings.",
    fix: "Send the messages as strings and their structure in warning_details.",
    source: "seed 001, Metadata Field Semantics",
  },
  "pagination/shape": {
    severity: "MUST",
    says: "Pagination fields have their types: cursor text or null, has_more boolean, counts whole numbers.",
    fix: "Send the field in its type, or leave it out.",
    source: "seed 004, Pagination Fields",
  },
  "pagination/has-more": {
    severity: "MUST",
    says: "has_more is true exactly when there is a cursor.",
    fix: "Send a cursor with has_more: true, and cursor: null with has_more: false.",
    source: "seed 004, Pagination Pattern; docs/contract.md, Pagination",
  },
  "pagination/fields": {
    severity: "SHOULD",
    says: "Pagination says has_more and page_size on every page.",
    fix: "Add has_more and page_size, on the last and on empty pages too.",
    source: "docs/contract.md, Pagination",
  },
  "rate-limit/shape": {
    severity: "MUST",
    says: "Rate limit fields have their types: whole numbers, retry_after in seconds.",
    fix: "Send the field in its type, or leave it out.",
    source: "seed 001, Metadata Field Semantics",
  },
  "rate-limit/reset-at": {
    severity: "MUST",
    says: "rate_limit.reset_at is an ISO 8601 time in UTC.",
    fix: "Write it like 2026-01-31T12:00:00Z.",
    source: "seed 004, Metadata Fields",
  },
  "rate-limit/remaining": {
    severity: "SHOULD",
    says: "rate_limit.remaining is at most rate_limit.limit.",
    fix: "Send what is left of the quota, not what was used.",
    source: "seed 001, Metadata Field Semantics",
  },
  "telemetry/shape": {
    severity: "MUST",
    says: "Telemetry fields have their types: duration_ms a number, downstream_calls a whole number, cache_hit a boolean.",
    fix: "Send the field in its type, or leave it out.",
    source: "seed 004, Metadata Fields",
  },
  "fidelity/level": {
    severity: "MUST",
    says: "content_fidelity is full, partial, summary or reference_only.",
    fix: "Choose one of the four levels.",
    source: "seed 001, Content Fidelity Levels",
  },
  "fidelity/version-missing": {
    severity: "SHOULD",
    says: "content_fidelity_schema_version is present beside any other fidelity field.",
    fix: 'Add content_fidelity_schema_version: "1.0".',
    source: "seed 001, Content Fidelity Field Definitions; docs/contract.md, Fidelity",
  },
  "fidelity/version": {
    severity: "SHOULD",
    says: 'content_fidelity_schema_version is "1.0".',
    fix: 'Send "1.0", the only version there is.',
    source: "seed 001, Content Fidelity Field Definitions",
  },
  "fidelity/dropped-ids": {
    severity: "MUST",
    says: "dropped_content_ids is a list of strings.",
    fix: "Send the identifiers as strings.",
    source: "seed 001, Content Fidelity Field Definitions",
  },
  "fidelity/archive-hashes": {
    severity: "MUST",
    says: "content_archive_hashes maps archive ids to sha256: and 64 lower-case hex digits.",
    fix: "Send the whole SHA-256 of the archived content.",
    source: "seed 001, Content Fidelity Field Definitions",
  },
  "fidelity/omission": {
    severity: "MUST",
    says: "Content fidelity is below full when something was dropped.",
    fix: "Set content_fidelity to partial, summary or reference_only.",
    source: "seed 001, Content Fidelity Levels; docs/contract.md, Fidelity",
  },
  "meta/upgrade-hints": {
    severity: "MUST",
    says: "upgrade_hints is a list of {feature, tier, reason}.",
    fix: "Give each hint its three texts.",
    source: "seed 002, Upgrade Hints",
  },
  "meta/tool-notes": {
    severity: "MUST",
    says: "tool_id, tool_version, tier and provenance are strings, capabilities a list of strings.",
    fix: "Send the field in its type, or leave it out.",
    source: "docs/deviations.md, added keys",
  },
});

/** Every rule on `meta`, those of its warnings included. */
export const metaRules = { ...ownMetaRules, ...warningRules };
