import { faults } from "waybill";
import { type DigestedSource, type Source, digestSources } from "waybill/digest";
import type { ToolContext } from "waybill/server";
import type { KeptData } from "../kept-data.ts";

/** A source as the workshop has it: its text, or the file that holds it. */
type StoredSource = Omit<Source, "content"> & ({ readonly content: string } | { readonly file: string });

type Shelf = Readonly<Record<string, readonly StoredSource[]>>;

async function openSource({ files }: KeptData, stored: StoredSource): Promise<Source> {
  if ("content" in stored) return stored;
  const { file, ...source } = stored;
  return { ...source, content: await files.read(file) };
}

function warnOf({ source, fault, warnings }: DigestedSource, context: ToolContext): void {
  for (const warning of warnings) {
    context.warn({ ...warning, context: { ...warning.context, source_id: source.id } });
  }
  if (fault === undefined) return;
  context.warn({
    code: "PARTIAL_FAILURE",
    severity: "warning",
    message: `${source.id} could not be digested: ${fault.message}`,
    context: { source_id: source.id, error_code: fault.code },
  });
}

/** The documents behind a research, long ones as digests for the query; a short one, or a digest, as it is. */
export async function sources(
  data: KeptData,
  {
    research_id: id = "",
    query,
  }: { readonly research_id?: string | undefined; readonly query?: string | undefined },
  context: ToolContext,
): Promise<unknown> {
  const { value: shelf } = await data.read<Shelf>("sources.json");
  const stored = Object.hasOwn(shelf, id) ? shelf[id] : undefined;
  if (stored === undefined) throw faults.notFound("research", id);
  const opened = await Promise.all(stored.map((source) => openSource(data, source)));
  const digested = await digestSources(opened, {
    signal: context.signal,
    ...(query === undefined ? {} : { query }),
  });
  for (const one of digested) {
    // What a digest quotes is kept under the hash it names, so that its reader can look around the quote.
    if (one.text !== undefined) await context.archive(one.source.id, one.text, "text/plain");
    warnOf(one, context);
  }
  return {
    research_id: id,
    sources: digested.map(({ source }) => source),
    digested_count: digested.filter(({ isDigested }) => isDigested).length,
  };
}
