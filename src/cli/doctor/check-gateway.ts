import { existsSync } from "node:fs";
import type { LoadedConfig } from "../../engine/settings/resolve-config.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import { isMemory } from "../archive/named-store.ts";
import type { CliIo } from "../cli-io.ts";
import { type GatewayView, type UpstreamView, viewGateway } from "../gateway/view-gateway.ts";
import { fromContractError } from "../report-error.ts";
import type { Check } from "./check-runtime.ts";
import { checkStore } from "./check-store.ts";

/** What `waybill gateway` would do with the same files and environment; your own server may differ. */
export async function checkGateway(
  loaded: LoadedConfig | undefined,
  store: string | undefined,
  io: CliIo,
): Promise<readonly Check[]> {
  if (loaded === undefined) return [];
  try {
    const view = viewGateway(loaded, io);
    const kept = store === undefined ? await checkOwnStore(view, io) : [];
    return [describeUse(view), ...kept, ...view.upstreams.map(checkUpstream)];
  } catch (error) {
    const known = ContractError.isInstance(error) ? fromContractError(error) : undefined;
    if (known === undefined) throw error;
    const says = [known.message, ...known.lines].join(" ");
    return [{ id: "gateway", status: "problem", says, advice: "Correct the named places." }];
  }
}

function describeUse({ dialect, profile, budget, hasClientLimits }: GatewayView): Check {
  const tokens = budget.tokens === "off" ? "nothing is cut" : `${budget.tokens} tokens`;
  const limits = hasClientLimits ? "less for clients whose limit is known" : "the same for every client";
  return {
    id: "gateway",
    status: "ok",
    says: `dialect ${dialect}, profile ${profile}, ${tokens}, ${limits}`,
    details: { dialect, profile, tokens: budget.tokens, client_limits: hasClientLimits },
  };
}

const inMemory: Check = {
  id: "gateway-store",
  status: "note",
  says: "in memory: what the gateway cuts is lost when it ends, because no folder of yours can be written",
  advice: "Give --store, or set XDG_STATE_HOME to a folder that can be written.",
};

/** No store is named, so the gateway keeps what it cuts in a folder of the user. A missing folder is not created. */
async function checkOwnStore({ ownStore }: GatewayView, io: CliIo): Promise<readonly Check[]> {
  if (ownStore === undefined) return [];
  if (isMemory(ownStore)) return [inMemory];
  if (!existsSync(ownStore)) {
    const says = `${ownStore}, which the first cut makes`;
    return [{ id: "gateway-store", status: "ok", says, details: { location: ownStore } }];
  }
  const [tried, ...others] = await checkStore(ownStore, io);
  const size = others.find(({ id }) => id === "store-size");
  return [tried, size].flatMap((check) =>
    check === undefined ? [] : [{ ...check, id: `gateway-${check.id}` }],
  );
}

function checkUpstream({ name, reach, problem, tenantKey }: UpstreamView): Check {
  const check = { id: `upstream ${name}`, details: { reach, tenant_key: tenantKey } };
  if (problem === undefined) return { ...check, status: "ok", says: reach };
  return { ...check, status: "problem", says: problem, advice: "Until then its tools answer UNAVAILABLE." };
}
