import * as z from "zod/mini";
import { MAX_TIMER_MS } from "../../core/contract/contract-error.ts";
import { documentLimits } from "../../engine/digest/digest-options.ts";
import { checkOptions } from "../../core/options/check-options.ts";
import { callback, named, number, optionsOf, text, toggle, whole } from "../../core/options/option-kinds.ts";
import type { DigestResult } from "../../engine/digest/digest-result.ts";
import { isJsonObject } from "../../core/json/json-value.ts";
import {
  type DigestArguments,
  type SourceArgument,
  chooseSource,
  digestInputSchema,
  oneSource,
  readDigestArguments,
} from "./digest-arguments.ts";
import { type DigestAnswer, digestOutputSchema, toDigestAnswer } from "./digest-output.ts";
import {
  DigestSession,
  type DigestStage,
  type DigestToolOptions,
  type OpenedDocument,
  digestProgress,
} from "./digest-session.ts";
import { type StandardSchema, acceptingSchema } from "../../engine/settings/standard-schema.ts";
import type { ToolContext } from "../../engine/settings/tool-context.ts";
import { type AnyTool, type ToolDefinition, defineTool } from "../../engine/settings/tool-definition.ts";

const DEFAULT_TIMEOUT_MS = 60_000;
const DESCRIPTION =
  "Condenses a long document: a summary, key points, and exact quotes with their places, chosen by a query.";

/** Archives the original document and the text that is quoted; the two are often the same. */
async function keepBoth(
  { document }: DigestResult,
  opened: OpenedDocument,
  context: ToolContext,
): Promise<void> {
  if (document === undefined) return;
  const { content, contentType } = opened;
  const type = contentType ?? (typeof content === "string" ? "text/plain" : "application/octet-stream");
  if (content !== document.text) await context.archive("original", content, type);
  await context.archive("text", document.text, "text/plain");
}

const toolOptions = optionsOf<DigestToolOptions>({
  ...documentLimits,
  name: text,
  description: text,
  // The fetcher checks these options itself; it is loaded with the first URL.
  urls: z.union([toggle, named(z.unknown())], "Write true or false, or the options of createFetcher()."),
  read: callback,
  timeoutMs: number({ min: 1, max: MAX_TIMER_MS }),
  cacheEntries: whole({ min: 1 }),
});

function offeredBy({ urls = false, read }: DigestToolOptions): readonly SourceArgument[] {
  return [
    "text",
    ...(urls === false ? [] : (["url"] as const)),
    ...(read === undefined ? [] : (["source_id"] as const)),
  ];
}

function stagesFrom(from: SourceArgument, { summariser }: DigestToolOptions): readonly DigestStage[] {
  return [
    ...(from === "url" ? (["fetch"] as const) : []),
    "read",
    "select",
    ...(summariser === undefined ? [] : (["summarise"] as const)),
  ];
}

const outputSchema = acceptingSchema(digestOutputSchema) as StandardSchema<DigestAnswer>;

/** Whether a tool reads documents; a server with one says at its start which readers are missing. */
export function isDigestTool(tool: AnyTool): boolean {
  return tool.config.outputSchema === outputSchema;
}

/**
 * A tool that digests documents, for any contract server. The quoted text can be fetched from the archive by
 * `source_text_hash`, and checked there.
 *
 * @example
 * contract.server(mcp).add(digestTool({ read: (id) => library.open(id) }));
 */
export function digestTool<const Name extends string = "digest">(
  options: DigestToolOptions<Name> = {},
): ToolDefinition<Name, StandardSchema<DigestArguments>, StandardSchema<DigestAnswer>> {
  checkOptions("digestTool", toolOptions, options);
  const session = new DigestSession(options);
  const offered = offeredBy(options);
  const schemas = {
    inputSchema: acceptingSchema(digestInputSchema(offered)) as StandardSchema<DigestArguments>,
    outputSchema,
  };
  return defineTool(
    (options.name ?? "digest") as Name,
    {
      title: "Digest a document",
      description: options.description ?? [DESCRIPTION, ...oneSource(offered)].join(" "),
      ...schemas,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: offered.includes("url") },
      archives: true,
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    },
    async (given, context): Promise<DigestAnswer> => {
      const args = readDigestArguments(isJsonObject(given) ? given : {});
      const from = chooseSource(args, offered);
      const onProgress = digestProgress(context, stagesFrom(from, options));
      const opened = await session.open(args, from, { context, onProgress });
      const result = await session.digest(opened, args, { context, onProgress });
      for (const warning of result.warnings) context.warn(warning);
      if (result.cacheHit) context.telemetry({ cache_hit: true });
      if (result.payload !== undefined) await keepBoth(result, opened, context);
      const { title, url, content } = opened;
      return toDigestAnswer(result, {
        title,
        url,
        ...(typeof content === "string" ? { text: content } : {}),
      });
    },
  );
}
