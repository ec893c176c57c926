import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import type { Listing, Reply, ToolRecord } from "../../../core/rules/server-record.ts";
import type { Caller } from "./call-tool.ts";

/** Walks all pages of `tools/list`. A cursor that came before, and more pages than allowed, end the walk. */
export async function walkList({ server, isOver }: Caller, maxPages: number): Promise<Listing> {
  const pages: { readonly cursor: string | undefined; readonly reply: Reply }[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const { reply } = await server.ask("tools/list", cursor === undefined ? {} : { cursor });
    // The check ended, not the list.
    if (reply.kind !== "result" && isOver()) return { pages, isCut: true };
    pages.push({ cursor, reply });
    const next = reply.kind === "result" ? reply.result["nextCursor"] : undefined;
    if (typeof next !== "string") return { pages, isCut: false };
    if (seen.has(next) || pages.length >= maxPages) return { pages, isCut: true };
    seen.add(next);
    cursor = next;
  }
}

function isReadOnly({ annotations }: JsonObject): boolean {
  return isJsonObject(annotations) && annotations["readOnlyHint"] === true;
}

/** The tools of a walk, each name once. */
export function toolsIn({ pages }: Listing, countTokens: (text: string) => number): readonly ToolRecord[] {
  const tools = new Map<string, ToolRecord>();
  for (const { reply } of pages) {
    const listed = reply.kind === "result" ? reply.result["tools"] : undefined;
    for (const definition of Array.isArray(listed) ? listed : []) {
      const name: unknown = isJsonObject(definition) ? definition["name"] : undefined;
      if (!isJsonObject(definition) || typeof name !== "string" || tools.has(name)) continue;
      const tokens = countTokens(JSON.stringify(definition));
      tools.set(name, { name, definition, tokens, isReadOnly: isReadOnly(definition) });
    }
  }
  return [...tools.values()];
}
