import { faults, successResponse } from "waybill";
import { type RateLimitRule, type ToolContext, type ToolDefinition, defineTool } from "waybill/server";
import * as z from "zod";
import type { KeptData } from "../kept-data.ts";
import { dossier, dossierLevels } from "./dossier.ts";
import { pause } from "./pause.ts";
import { sources } from "./sources.ts";
import { LibraryQuota, tellArgument, toldFigures } from "./told-figures.ts";

/** The variables that set something. */
type Environment = Readonly<Record<string, string | undefined>>;

interface Finding {
  readonly id: string;
  readonly title: string;
  readonly content: string;
}

interface Survey {
  readonly cached: { readonly age_seconds: number; readonly max_freshness_seconds: number };
  readonly sources: readonly {
    source: string;
    state: "answered" | "unreachable";
    titles: readonly string[];
  }[];
}

interface Research {
  readonly findings: readonly Finding[];
  readonly sources: readonly { readonly id: string }[];
}

type Library = Readonly<Record<string, Research>>;

const inputSchema = z.object({
  action: z
    .enum(["report", "dossier", "sources", "search", "survey", "reading-list"])
    .describe("What to do."),
  research_id: z.string().optional().describe("For report, dossier and sources."),
  first: z.int().min(1).optional().describe("For report: only so many findings, in their order."),
  level: z.enum(dossierLevels).optional().describe("For dossier: how much of it."),
  max_tokens: z.int().min(1).optional().describe("For report: leave out findings beyond so many tokens."),
  query: z
    .string()
    .optional()
    .describe("For search: words of a finding. For sources: what the digests are to answer."),
  pause_ms: z.int().min(0).max(60_000).optional().describe("For survey: the pause between two sources."),
  cursor: z.string().nullish().describe("For reading-list: the cursor of the last page."),
  page_size: z.int().min(1).optional().describe("For reading-list and report: items on a page."),
  limit: z.int().min(1).optional().describe("Deprecated: use page_size."),
  tell: tellArgument,
});

type ResearchArguments = z.infer<typeof inputSchema>;

const quota = new LibraryQuota();

async function report(data: KeptData, args: ResearchArguments, context: ToolContext): Promise<unknown> {
  const about = { startedAt: performance.now(), rateLimit: quota.take() };
  const { value: library } = await data.read<Library>("research.json");
  const id = args.research_id ?? "";
  const research = Object.hasOwn(library, id) ? library[id] : undefined;
  if (research === undefined) throw faults.notFound("research", id);
  const findings = research.findings.slice(0, args.first);
  if (args.tell?.includes("timing")) context.telemetry({ downstream_calls: research.sources.length });
  let left = (args.max_tokens ?? Number.POSITIVE_INFINITY) * 4;
  const kept = findings.filter(({ title, content }) => (left -= title.length + content.length) >= 0);
  const dropped = findings.length - kept.length;
  if (dropped > 0) {
    context.warn({
      code: "CONTENT_TRUNCATED",
      severity: "info",
      message: `${dropped} finding${dropped === 1 ? "" : "s"} omitted due to token limits`,
      context: { dropped_count: dropped, total_count: findings.length, reason: "token_limit_exceeded" },
    });
  }
  const answer = { research_id: id, findings: kept, total_findings: findings.length };
  const figures = toldFigures(args.tell, about);
  if (args.page_size === undefined) return successResponse(answer, figures);
  // A report is one page, however long: what does not fit the budget is cut, named and kept.
  const pagination = {
    cursor: null,
    has_more: false,
    total_count: findings.length,
    page_size: args.page_size,
  };
  return successResponse(answer, { ...figures, pagination });
}

async function search(data: KeptData, { query = "" }: ResearchArguments): Promise<unknown> {
  const { value: library } = await data.read<Library>("research.json");
  const words = query.toLowerCase();
  const findings = Object.values(library)
    .flatMap((research) => research.findings)
    .filter(({ title, content }) => `${title} ${content}`.toLowerCase().includes(words));
  return { findings, total_findings: findings.length };
}

/** Asks every source in turn and says how far it is; a cancelled call stops at the next source. */
async function survey(
  data: KeptData,
  { pause_ms = 0 }: ResearchArguments,
  context: ToolContext,
): Promise<unknown> {
  const { value } = await data.read<Survey>("survey.json");
  const { sources, cached } = value;
  for (const [index, { source }] of sources.entries()) {
    if (index > 0) await pause(pause_ms, context.signal);
    await context.progress(index + 1, sources.length, `Asked ${source}`);
  }
  const failed = sources.filter(({ state }) => state === "unreachable").map(({ source }) => source);
  if (failed.length > 0) {
    context.warn({
      code: "PARTIAL_FAILURE",
      severity: "warning",
      message: `${failed.length} sources failed to respond`,
      context: {
        failed_sources: failed,
        successful_sources: sources.length - failed.length,
        total_sources: sources.length,
      },
    });
  }
  // `context.cached` would tell of the cache in `telemetry` too, which document 001 does not show here.
  context.warn({
    code: "STALE_CACHE",
    message: `Cache data is ${Math.round(cached.age_seconds / 3600)} hours old`,
    context: {
      cache_age_seconds: cached.age_seconds,
      max_freshness_seconds: cached.max_freshness_seconds,
    },
  });
  return { results: sources.flatMap(({ source, titles }) => titles.map((title) => ({ source, title }))) };
}

async function readingList(
  data: KeptData,
  args: ResearchArguments,
  context: ToolContext<never, true>,
): Promise<unknown> {
  const { value: items } = await data.read<{ readonly id: string }[]>("reading-list.json");
  if (args.limit !== undefined) context.warn("Deprecated field used");
  const result = await context.page({
    path: "items",
    limit: args.page_size ?? args.limit,
    total: items.length,
    fetch: ({ after, limit }) =>
      items.filter(({ id }) => typeof after !== "string" || id > after).slice(0, limit),
    key: ({ id }) => id,
    filters: {},
  });
  return { result };
}

const acts = {
  report,
  dossier: (data: KeptData, { research_id = "", level = "full" }: ResearchArguments, context: ToolContext) =>
    dossier(data, research_id, level, context),
  sources,
  search,
  survey,
  "reading-list": readingList,
} as const;

/** `WORKSHOP_RATE_LIMIT=6/2` allows six calls in two seconds, for those who want to meet the limit. */
function rateLimitIn({ WORKSHOP_RATE_LIMIT: text }: Environment): RateLimitRule {
  const [, limit = "100", seconds = "60"] = /^(\d+)\/(\d+)$/.exec(text ?? "") ?? [];
  return { limit: Number(limit), periodSeconds: Number(seconds) };
}

/** Findings of earlier research, and a survey of the sources behind them. */
export function researchTool(
  data: KeptData,
  environment: Environment = {},
): ToolDefinition<"research", typeof inputSchema> {
  return defineTool(
    "research",
    {
      description:
        "Reports findings, whole or short, gives their sources as digests, searches, surveys, or pages through a reading list.",
      inputSchema,
      annotations: { readOnlyHint: true },
      rateLimit: rateLimitIn(environment),
      timeoutMs: 20_000,
      concurrency: 4,
    },
    (args, context) => acts[args.action](data, args, context),
  );
}
