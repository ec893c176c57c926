import type { DigestPayload } from "../../core/contract/digest-payload.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import type { DigestResult } from "../digest/digest-result.ts";
import type { Log } from "../observe/log-event.ts";
import type { DigestLimits, FitContext, TextDigest } from "../../core/pipeline/parcel.ts";

function isUnanswered({ payload, warnings }: DigestResult): boolean {
  return payload?.evidence_snippets.length === 0 || warnings.some(({ code }) => code === "QUERY_NOT_FOUND");
}

/** Where every quote is only punctuation, the text is not prose, and a digest would say nothing. */
function hasWords({ summary, evidence_snippets }: DigestPayload): boolean {
  return [summary, ...evidence_snippets.map(({ text }) => text)].some((text) => /[\p{L}\p{N}]/u.test(text));
}

/**
 * What digests a long result, by the words of its call where the text has any of them. A digest that cannot be made
 * costs the digest, never the result.
 */
export function textDigester(words: string, log: Log): NonNullable<FitContext["digest"]> {
  let query = words.trim() === "" ? undefined : words;

  async function digest(text: string, limits: DigestLimits): Promise<DigestResult> {
    // Loaded by the first result that is digested: most servers never are asked to.
    const { digestDocument } = await import("../digest/digest-document.ts");
    const make = (asked: string | undefined): Promise<DigestResult> =>
      digestDocument(text, { ...limits, policy: "always", query: asked });
    const found = await make(query);
    if (query === undefined || !isUnanswered(found)) return found;
    // The words of a call are often names and paths. Nobody put them as a question, so nobody is told of no answer.
    query = undefined;
    return make(query);
  }

  return async (text, limits): Promise<TextDigest | undefined> => {
    try {
      const { payload, document } = await digest(text, limits);
      return payload === undefined || !hasWords(payload) ? undefined : { payload, text: document.text };
    } catch (error) {
      if (!ToolFault.isInstance(error)) log.warn("digest-failed", { err: error });
      return undefined;
    }
  };
}
