import { faults, successResponse } from "waybill";
import type { ToolContext } from "waybill/server";
import type { KeptData } from "../kept-data.ts";

export const dossierLevels = ["full", "partial", "summary", "reference_only"] as const;
export type DossierLevel = (typeof dossierLevels)[number];

interface Item {
  readonly id: string;
  readonly title: string;
}

interface Dossier {
  readonly summary: string;
  readonly findings: readonly Item[];
  readonly sources: readonly Item[];
}

/** What the shorter forms leave out. */
const SHOWN_FINDINGS = 2;
const SHOWN_SOURCES = 1;

function dataAt(level: DossierLevel, id: string, { summary, findings, sources }: Dossier): object {
  if (level === "full") return { research_id: id, findings, sources };
  if (level === "summary") return { research_id: id, summary };
  const show = (items: readonly Item[], count: number): readonly object[] => {
    const shown = items.slice(0, count);
    return level === "partial" ? shown : shown.map((item) => ({ id: item.id }));
  };
  return {
    research_id: id,
    findings: show(findings, SHOWN_FINDINGS),
    sources: show(sources, SHOWN_SOURCES),
  };
}

/** A tool that shortens its own answer says so itself, and keeps the whole where its reader can fetch it. */
export async function dossier(
  data: KeptData,
  id: string,
  level: DossierLevel,
  context: ToolContext,
): Promise<unknown> {
  const { value: dossiers } = await data.read<Readonly<Record<string, Dossier>>>("dossiers.json");
  const found = Object.hasOwn(dossiers, id) ? dossiers[id] : undefined;
  if (found === undefined) throw faults.notFound("research", id);
  const answer = dataAt(level, id, found);
  if (level === "full") return successResponse(answer, { requestId: false, contentFidelity: level });
  const dropped = [...found.findings.slice(SHOWN_FINDINGS), ...found.sources.slice(SHOWN_SOURCES)];
  const whole = JSON.stringify(dataAt("full", id, found));
  const hash = await context.archive("dossier", whole, "application/json");
  return successResponse(answer, {
    requestId: false,
    contentFidelity: level,
    droppedContentIds: dropped.map((item) => item.id),
    ...(hash === undefined ? {} : { contentArchiveHashes: { "archive-001": hash } }),
  });
}
