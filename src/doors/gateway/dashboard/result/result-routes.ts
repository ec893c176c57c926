import * as z from "zod/mini";
import { list, object } from "../../../../core/options/option-kinds.ts";
import { selectField } from "../archive/archive-routes.ts";
import type { FoundEntry } from "../archive/archives.ts";
import { askFound, retrieveEntry } from "../archive/read-archived.ts";
import { notKept } from "../archive/why-gone.ts";
import { ApiProblem, type ApiRequest, type ApiRoute, type WatchedGateway } from "../dashboard-parts.ts";
import { explained } from "../explain-problem.ts";
import type { CallRow } from "../protocol/traffic.ts";
import { hashField, readPost, textUpTo } from "../read-post.ts";
import type { KeptCall } from "../traffic/kept-calls.ts";
import type { Traffic } from "../traffic/traffic.ts";
import { archivesOf, endingsOf, entryIn } from "./call-archives.ts";
import { callDetail } from "./call-detail.ts";
import { dialectChoices, resultAs } from "./result-as.ts";

const MAX_IDS = 200;
const MAX_ID_CHARS = 1_000;

const idsField = list(textUpTo(MAX_ID_CHARS)).check(z.maxLength(MAX_IDS, `Name at most ${MAX_IDS} at once.`));
const retrieved = object({ hash: hashField, ids: z.optional(idsField) });
const asked = object({ hash: hashField, select: selectField });

/** The call that an address names. */
function rowIn(traffic: Traffic, { params }: ApiRequest): CallRow {
  const text = params["seq"] ?? "";
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new ApiProblem("invalid", "A call is named by its number, from 1 on.", "Choose one from the list.");
  const seq = Number(text);
  const row = traffic.row(seq);
  if (row !== undefined) return row;
  if (seq > traffic.newestSeq)
    throw new ApiProblem("not-found", `There was no call ${seq} yet.`, "Choose one from the list.");
  throw new ApiProblem(
    "not-kept",
    `Call ${seq} made room for later ones.`,
    "Choose a later call: the newest 100,000 are kept.",
  );
}

function keptIn(traffic: Traffic, { seq }: CallRow): KeptCall {
  const kept = traffic.kept(seq);
  if (kept !== undefined) return kept;
  throw new ApiProblem(
    "not-kept",
    `What call ${seq} carried is not kept any more.`,
    "Choose a later call, or call the tool again.",
  );
}

/** The entry that a call's envelope names: of the tenant whose call it was, and nobody else's. */
async function entryOf(kept: KeptCall, hash: string): Promise<FoundEntry> {
  if (!archivesOf(kept).some((link) => link.hash === hash))
    throw new ApiProblem("not-found", "This call names no such archive.", "Choose one that it names.");
  const found = await entryIn(kept, hash);
  if (found === undefined) throw notKept(endingsOf(kept));
  return found;
}

/** One call: how it travelled, in other words, and the rest of what it left out. */
export function resultRoutes(traffic: Traffic, gateway: WatchedGateway): readonly ApiRoute[] {
  const { hasBodies } = traffic;
  return [
    { method: "GET", path: "/api/dialects", answer: () => dialectChoices(gateway) },
    {
      method: "GET",
      path: "/api/calls/:seq",
      answer: (request) => {
        const row = rowIn(traffic, request);
        return callDetail(row, traffic.kept(row.seq), hasBodies);
      },
    },
    {
      method: "GET",
      path: "/api/calls/:seq/as",
      needs: "bodies",
      answer: (request) => {
        const row = rowIn(traffic, request);
        const { query } = request;
        const kept = keptIn(traffic, row);
        const wanted = {
          dialect: query.get("dialect") ?? row.dialect,
          profile: query.get("profile") ?? kept.profile.name,
        };
        return resultAs(kept, row, wanted);
      },
    },
    {
      method: "POST",
      path: "/api/calls/:seq/retrieve",
      answer: (request) =>
        explained(async () => {
          const kept = keptIn(traffic, rowIn(traffic, request));
          const { hash, ids } = readPost(retrieved, request.body);
          return retrieveEntry(await entryOf(kept, hash), { hasBodies, ids });
        }),
    },
    {
      method: "POST",
      path: "/api/calls/:seq/ask",
      needs: "bodies",
      answer: (request) =>
        explained(async () => {
          const kept = keptIn(traffic, rowIn(traffic, request));
          const { hash, select } = readPost(asked, request.body);
          return askFound(await entryOf(kept, hash), select, request.signal);
        }),
    },
  ];
}
