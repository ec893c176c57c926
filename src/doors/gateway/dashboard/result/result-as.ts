import { type DialectId, dialectIds, isDialectId } from "../../../../core/contract/dialect-id.ts";
import { type Profile, profileNames } from "../../../../core/contract/profile.ts";
import { readableOf } from "../../../../engine/call/read-answer.ts";
import { describeLoss } from "../../../../core/pipeline/dialect/describe-loss.ts";
import { lossesOf } from "../../../../core/pipeline/dialect/translate.ts";
import { type Parcel, partOf } from "../../../../core/pipeline/parcel.ts";
import { adviseName } from "../../../../core/text/did-you-mean.ts";
import { bodyOf } from "../body.ts";
import { ApiProblem, type WatchedGateway } from "../dashboard-parts.ts";
import type { DialectChoices, TranslatedResult } from "../protocol/result.ts";
import type { CallRow } from "../protocol/traffic.ts";
import type { KeptCall } from "../traffic/kept-calls.ts";
import { keptBody } from "./call-detail.ts";
import { endedParcel, saidAgain } from "./kept-parcel.ts";

/** The dialects, and the profiles that some upstream knows. */
export function dialectChoices(gateway: WatchedGateway): DialectChoices {
  const configured = gateway
    .upstreams()
    .flatMap(({ state }) => Object.keys(state.effective.settings.profiles));
  return { dialects: dialectIds, profiles: [...new Set([...profileNames, ...configured])] };
}

function dialectNamed(name: string): DialectId {
  if (isDialectId(name)) return name;
  throw new ApiProblem(
    "invalid",
    `There is no dialect ${JSON.stringify(name)}.`,
    adviseName(name, dialectIds),
  );
}

function profileIn({ upstream, profile: delivered }: KeptCall, name: string): Profile {
  if (name === delivered.name) return delivered;
  const { profiles } = upstream.state.effective.settings;
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  const advice = adviseName(name, Object.keys(profiles));
  throw new ApiProblem("invalid", `There is no profile ${JSON.stringify(name)} here.`, advice);
}

function lossesIn(parcel: Parcel, dialect: DialectId): readonly string[] {
  return lossesOf(partOf(parcel, "outcome"), dialect).map((loss) => describeLoss(loss, dialect));
}

/** What came of a call, in the words of a dialect and a profile: the result that would have been delivered. */
export async function resultAs(
  kept: KeptCall,
  row: CallRow,
  { dialect: wanted, profile: named }: { readonly dialect: string; readonly profile: string },
): Promise<TranslatedResult> {
  const dialect = dialectNamed(wanted);
  const profile = profileIn(kept, named);
  const form = { dialect, profile };
  const ended = endedParcel(kept, row, form);
  const losses = ended === undefined ? [] : lossesIn(ended.parcel, dialect);
  const delivered = dialect === row.dialect && profile === kept.profile ? kept.contents?.after : undefined;
  if (delivered !== undefined) {
    // Nothing is said again: what is beside the data, and the author's own text, are in what was delivered.
    const body = await keptBody(kept.upstream.state, delivered, row.tokensOut);
    return { dialect, profile: named, body, losses };
  }
  if (ended === undefined)
    throw new ApiProblem(
      "not-kept",
      "Too little of this result is kept to say it in other words: it was too long, or ended without an answer.",
      "Choose a call with a shorter result, or call the tool again.",
    );
  const { parcel, lacksBlocks } = ended;
  const result = await saidAgain(parcel, kept, row, form);
  return {
    dialect,
    profile: named,
    body: await bodyOf(kept.upstream.state, JSON.stringify(result), readableOf(result)),
    losses: lacksBlocks ? [...losses, besideLost] : losses,
  };
}

const besideLost = "What the server wrote beside its data is not shown here: it was not kept after the cut.";
