import { type ClientLimit, clientLimitOf, clientLimits } from "../../config/client-limits.ts";
import type { Budget, Limit, Settings } from "../../config/settings.ts";
import { type CallBudget, settleBudget } from "../../engine/settings/call-budget.ts";
import type { Check } from "./check.ts";

/** What a result may cost, and what that means for the clients whose limits are known. */
export function checkBudget(settings: Settings, client: string | undefined): readonly Check[] {
  const general = checkGeneral(settings);
  if (client === undefined) return [general, ...clientLimits.map((limit) => checkClient(limit, settings))];
  const limit = findClient(client);
  return [general, limit === undefined ? unknownClient(client) : checkClient(limit, settings)];
}

function checkGeneral({ budget }: Settings): Check {
  const settled = settleBudget(budget, undefined, false);
  const details = { tokens: settled.tokens, bytes: settled.bytes };
  const check = { id: "budget", says: describe(settled), details };
  const [floored] = settled.warnings;
  if (floored !== undefined) {
    return { ...check, status: "note", advice: `${floored.message}. Set a larger one.` };
  }
  if (settled.tokens !== "off" || settled.bytes !== "off") return { ...check, status: "ok" };
  const advice = "Set budget.tokens, 8000 by default, or clients cut long results in their own ways.";
  return { ...check, says: "off: nothing is cut", status: "note", advice };
}

/** By the name a client gives itself, or the one it has in our list. */
function findClient(client: string): ClientLimit | undefined {
  const lower = client.trim().toLowerCase();
  return clientLimitOf(lower) ?? clientLimits.find(({ name }) => name.toLowerCase() === lower);
}

function unknownClient(client: string): Check {
  return {
    id: "client",
    status: "note",
    says: `no limit of ${client} is known: the budget stays as it is`,
    advice: `Known are ${clientLimits.map(({ name }) => name).join(", ")}.`,
  };
}

function checkClient(limit: ClientLimit, { budget, fit }: Settings): Check {
  // Found already, so that any name matches.
  const lowered = settleBudget(budget, limit.name, [{ ...limit, match: /^/ }]);
  const isLower = lowered.tokens !== budget.tokens || lowered.bytes !== budget.bytes;
  const used = fit.clientLimits ? lowered : settleBudget(budget, undefined, false);
  const check = {
    id: `client ${limit.name}`,
    says: `${describeLimit(limit)}${limit.says}; budget ${describe(used)}`,
    details: {
      client_tokens: limit.tokens ?? null,
      client_bytes: limit.bytes ?? null,
      factor: limit.factor,
      tokens: used.tokens,
      bytes: used.bytes,
    },
  };
  if (fit.clientLimits || !isLower) return { ...check, status: "ok" };
  const advice = `fit.client_limits: true would make it ${describe(lowered)} for this client.`;
  return { ...check, status: "note", advice };
}

function describeLimit({ tokens, bytes }: ClientLimit): string {
  if (tokens === undefined && bytes === undefined) return "";
  return `limit ${describe({ tokens: tokens ?? "off", bytes: bytes ?? "off" })}; `;
}

function describe({ tokens, bytes }: Budget | CallBudget): string {
  return [say(tokens, "tokens"), say(bytes, "bytes")].filter(Boolean).join(" and ") || "off";
}

function say(limit: Limit, unit: string): string {
  return limit === "off" ? "" : `${limit} ${unit}`;
}
