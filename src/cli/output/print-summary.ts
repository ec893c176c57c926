import type { GatewaySummary } from "../../doors/gateway/gateway-options.ts";
import { alignRows } from "./lay-out-text.ts";

const grouped = (amount: number): string => amount.toLocaleString("en-US");

/** What a gateway saved, as a small table; estimated figures are marked. */
export function printSummary(summary: GatewaySummary): string[] {
  const { calls, tokensIn, tokensOut, isEstimated, cuts, retrievals, errorsRepaired } = summary;
  const about = isEstimated ? "≈ " : "";
  const saved = tokensIn === 0 ? 0 : Math.round((100 * (tokensIn - tokensOut)) / tokensIn);
  const change = saved >= 0 ? `${saved} % less` : `${-saved} % more`;
  return alignRows([
    ["calls", grouped(calls)],
    ["tokens from the server", about + grouped(tokensIn)],
    ["tokens to the client", `${about + grouped(tokensOut)} (${change})`],
    ["results cut", grouped(cuts)],
    ["retrievals", grouped(retrievals)],
    ["errors repaired", grouped(errorsRepaired)],
  ]);
}
