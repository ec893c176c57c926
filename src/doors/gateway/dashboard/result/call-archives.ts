import { type FoundEntry, findIn } from "../archive/archives.ts";
import { type Endings, isOfSession, whyGone } from "../archive/why-gone.ts";
import type { ArchiveLink } from "../protocol/result.ts";
import type { KeptCall } from "../traffic/kept-calls.ts";

/** The archives that the envelope of a call names. */
export function archivesOf({ notes }: KeptCall): readonly ArchiveLink[] {
  const named = Object.entries(notes?.fidelity?.archives ?? {});
  return named.map(([name, hash]) => ({ name, hash: hash.replace(/^sha256:/, "") }));
}

/** An entry of the tenant whose call it was; undefined where it is not kept any more. */
export async function entryIn({ upstream, tenant }: KeptCall, hash: string): Promise<FoundEntry | undefined> {
  const { state } = upstream;
  if (!state.archive.isOn) return undefined;
  return findIn({ store: await state.archive.store(), state }, tenant, hash);
}

/** What can have ended an entry of a call. This gateway has seen the call, so it was not the end of another one. */
export function endingsOf({ tenant }: KeptCall): Endings {
  return { isOfSession: isOfSession(tenant), mayEndWithGateway: false };
}

/** So many are looked up: a call rarely names more than a few. */
const MAX_LOOKED_UP = 20;

/** The archives that a call names, and of each that is gone, why. */
export async function keptLinks(kept: KeptCall): Promise<readonly ArchiveLink[]> {
  const links = archivesOf(kept).map(async (link, at): Promise<ArchiveLink> => {
    if (at >= MAX_LOOKED_UP) return link;
    try {
      const found = await entryIn(kept, link.hash);
      return found === undefined ? { ...link, gone: whyGone(endingsOf(kept)) } : link;
    } catch {
      // A store that is away cannot say it; whoever retrieves is told.
      return link;
    }
  });
  return Promise.all(links);
}
