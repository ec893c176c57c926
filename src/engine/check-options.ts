import { ContractError } from "../contract/contract-error.ts";
import { toDialectId } from "../contract/dialect-id.ts";
import { deliveryModes, dataEncodings } from "../pipeline/parcel.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { checkBudget, checkFit, checkStore } from "./check-fit-options.ts";
import type { ContractOptions } from "./contract-options.ts";

/** Every option there is; the type makes a missing or a superfluous one fail to compile. */
const known: Readonly<Record<keyof ContractOptions, true>> = {
  name: true,
  version: true,
  tools: true,
  toolSettings: true,
  dialect: true,
  draftNotes: true,
  profile: true,
  delivery: true,
  encoding: true,
  budget: true,
  fit: true,
  store: true,
  allow: true,
  rateLimit: true,
  tiers: true,
  flags: true,
  features: true,
  redact: true,
  mapError: true,
  tenant: true,
  trustProxy: true,
  cursorKeys: true,
  config: true,
  validate: true,
  logger: true,
  logLevel: true,
  requestIds: true,
  now: true,
  idempotencyMs: true,
  waybillArgument: true,
};

function refuse(message: string): never {
  throw new ContractError("INVALID_OPTION", message);
}

/** "yes" or -1 would trust nobody, or read an entry that the caller wrote. */
function checkTrustProxy(trust: unknown): void {
  if (trust === undefined || typeof trust === "boolean") return;
  if (Number.isSafeInteger(trust) && Number(trust) >= 0) return;
  refuse(
    "trustProxy is the number of proxies in front of the server: give true or a whole number of 0 or more.",
  );
}

/** Checks options for callers without types: otherwise a call would fail on them, or ignore them silently. */
export function checkOptions(options: ContractOptions): void {
  const names = Object.keys(known);
  for (const name of Object.keys(options).filter((key) => !names.includes(key))) {
    const meant = didYouMean(name, names);
    refuse(
      `createContract has no option "${name}".${meant === undefined ? "" : ` Did you mean "${meant}"?`}`,
    );
  }
  for (const dialect of [options.dialect, ...(options.allow?.dialects ?? [])]) {
    if (dialect !== undefined) toDialectId(dialect);
  }
  const { delivery, encoding } = options;
  if (delivery !== undefined && !deliveryModes.includes(delivery)) {
    refuse(`Unknown delivery "${delivery}": choose one of ${deliveryModes.join(", ")}.`);
  }
  if (encoding !== undefined && !dataEncodings.includes(encoding)) {
    refuse(`Unknown encoding "${encoding}": choose one of ${dataEncodings.join(", ")}.`);
  }
  checkTrustProxy(options.trustProxy);
  for (const [name, own] of Object.entries(options.toolSettings ?? {})) checkBudget(`${name}: `, own);
  const { budget, fit = {} } = options;
  if (budget !== undefined) checkBudget("", { budget });
  checkStore(options.store);
  checkFit(fit);
}
