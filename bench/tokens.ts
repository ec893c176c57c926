// What each dialect and profile costs in tokens (o200k_base) on seed 002's own example, compact and indented.
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { loadBuilt } from "./harness/built.ts";
import { printTable, writeResults } from "./harness/report.ts";

const { dialectIds, dialects, profiles } = await loadBuilt();

const outcome = {
  ok: true,
  data: { risk_level: "high", vulnerabilities: [] },
  notes: {
    requestId: "8b3e5f6c0a2f4ed4a3fb9e0b2f8f8d3a",
    telemetry: { duration_ms: 27 },
    toolId: "security_scan",
    toolVersion: "3.3.0",
    tier: "pro",
  },
} as const;

const bare = countTokens(JSON.stringify(outcome.data));
const rows = dialectIds.flatMap((dialect) =>
  Object.values(profiles).map((profile) => {
    const json = dialects[dialect].render(outcome, { profile, requestIdFrom: "server" });
    const compact = countTokens(JSON.stringify(json));
    return {
      dialect,
      profile: profile.name,
      compact,
      indented: countTokens(JSON.stringify(json, null, 2)),
      above: compact - bare,
    };
  }),
);
printTable(
  ["dialect", "profile", "tokens, compact", "tokens, indented", "above the bare payload"],
  rows.map((row) => [row.dialect, row.profile, `${row.compact}`, `${row.indented}`, `${row.above}`]),
);
const tokensOf = (profile: string, key: "compact" | "indented"): number =>
  rows.find((row) => row.dialect === "scalpel" && row.profile === profile)?.[key] ?? Number.NaN;
const saved = (key: "compact" | "indented"): number => tokensOf("debug", key) - tokensOf("minimal", key);
console.log(`\nBare payload: ${bare} tokens.`);
console.log(
  `scalpel minimal saves ${saved("compact")} tokens against debug (${saved("indented")} indented); seed 002 claims 150-200.`,
);
writeResults("tokens", { bare, rows });
