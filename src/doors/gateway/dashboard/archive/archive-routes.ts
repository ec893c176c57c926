import * as z from "zod/mini";
import { object } from "../../../../core/options/option-kinds.ts";
import type { ApiRoute, WatchedGateway } from "../dashboard-parts.ts";
import { explained } from "../explain-problem.ts";
import type { Verified } from "../protocol/places.ts";
import { hashField, readPost, tenantKeyField, textUpTo } from "../read-post.ts";
import { type NamingCalls, archiveReport } from "./archive-report.ts";
import { Archives } from "./archives.ts";
import { askFound, retrieveEntry } from "./read-archived.ts";
import { searchArchive } from "./search-archive.ts";

const MAX_WORDS_CHARS = 200;
const MAX_SELECT_CHARS = 10_000;

/** A question, as a page may ask it. */
export const selectField = textUpTo(MAX_SELECT_CHARS);

const named = object({ tenantKey: tenantKeyField, hash: hashField });
const asked = object({ tenantKey: tenantKeyField, hash: hashField, select: selectField });
const sought = object({ words: textUpTo(MAX_WORDS_CHARS), tenantKey: z.optional(tenantKeyField) });

/** The archive of all upstreams: what is kept, and what the page can do with it. */
export function archiveRoutes(gateway: WatchedGateway, traffic: NamingCalls): readonly ApiRoute[] {
  const archives = new Archives(gateway);
  return [
    {
      method: "GET",
      path: "/api/archive",
      answer: ({ query }) =>
        explained(() => {
          const page = {
            tenantKey: query.get("tenant") ?? undefined,
            after: query.get("after") ?? undefined,
          };
          return archiveReport(archives, page, traffic);
        }),
    },
    {
      method: "POST",
      path: "/api/archive/verify",
      answer: ({ body }) =>
        explained(async (): Promise<Verified> => {
          const { tenantKey, hash } = readPost(named, body);
          const found = await archives.find(tenantKey, hash);
          const { isVerified, bytes, problem } = await retrieveEntry(found, { hasBodies: false });
          return { hash, isVerified, bytes, problem };
        }),
    },
    {
      method: "POST",
      path: "/api/archive/read",
      needs: "bodies",
      answer: ({ body }) =>
        explained(async () => {
          const { tenantKey, hash } = readPost(named, body);
          return retrieveEntry(await archives.find(tenantKey, hash), { hasBodies: true });
        }),
    },
    {
      method: "POST",
      path: "/api/archive/search",
      needs: "bodies",
      answer: ({ body, signal }) => explained(() => searchArchive(archives, readPost(sought, body), signal)),
    },
    {
      method: "POST",
      path: "/api/archive/ask",
      needs: "bodies",
      answer: ({ body, signal }) =>
        explained(async () => {
          const { tenantKey, hash, select } = readPost(asked, body);
          return askFound(await archives.find(tenantKey, hash), select, signal);
        }),
    },
  ];
}
