import { digestLimits } from "../../core/contract/choices.ts";
import type { DigestPayload } from "../../core/contract/digest-payload.ts";
import type { DigestResult, SkipReason } from "../../engine/digest/digest-result.ts";
import { type DocumentType, documentTypes } from "../../engine/digest/document.ts";
import { countCodePoints } from "../../core/text/code-points.ts";
import type { JsonObject } from "../../core/json/json-value.ts";

/** Facts about the document besides its text. */
export interface SourceFacts {
  readonly type?: DocumentType;
  readonly title?: string;
  readonly url?: string;
  readonly pages?: number;
  /** Characters of the canonical text. */
  readonly chars?: number;
}

/** The digest tool's answer: a digest, or the text itself with the reason why it was not digested. */
export interface DigestAnswer {
  readonly digest?: DigestPayload;
  readonly skipped?: { readonly reason: SkipReason; readonly message: string };
  readonly text?: string;
  readonly source: SourceFacts;
}

const string = { type: "string" } as const;
const integer = { type: "integer" } as const;
// A budget never cuts a text that has a minimum length: half a quote is useless. Whole snippets are left out instead.
const quoted = (maxLength: number) => ({ type: "string", minLength: 1, maxLength }) as const;

export const digestOutputSchema: JsonObject = {
  type: "object",
  properties: {
    digest: {
      type: "object",
      properties: {
        version: quoted(8),
        content_type: quoted(16),
        query_hash: quoted(8),
        summary: { type: "string", maxLength: digestLimits.summary },
        key_points: { type: "array", items: quoted(digestLimits.keyPoint) },
        evidence_snippets: {
          type: "array",
          description: "Exact quotes; the locator is the place in the archived text of source_text_hash.",
          items: {
            type: "object",
            properties: {
              text: quoted(digestLimits.snippet),
              locator: quoted(64),
              relevance_score: { type: "number" },
            },
            required: ["text", "locator", "relevance_score"],
          },
        },
        original_chars: integer,
        digest_chars: integer,
        compression_ratio: { type: "number" },
        source_text_hash: quoted(71),
      },
      required: ["summary", "key_points", "evidence_snippets", "source_text_hash"],
    },
    skipped: { type: "object", properties: { reason: string, message: string }, required: ["reason"] },
    text: { type: "string", description: "The document itself, where it was not digested." },
    source: {
      type: "object",
      properties: {
        type: { type: "string", enum: documentTypes },
        title: string,
        url: string,
        pages: integer,
        chars: integer,
      },
    },
  },
  required: ["source"],
};

export function toDigestAnswer(
  { payload, skipped, document }: DigestResult,
  given: { readonly title?: string | undefined; readonly url?: string | undefined; readonly text?: string },
): DigestAnswer {
  const { title = document?.title, url } = given;
  const source: SourceFacts = {
    ...(document === undefined ? {} : { type: document.type }),
    ...(title === undefined ? {} : { title }),
    ...(url === undefined ? {} : { url }),
    ...(document?.pages === undefined ? {} : { pages: document.pages.length }),
    ...(document === undefined ? {} : { chars: countCodePoints(document.text) }),
  };
  if (payload !== undefined) return { digest: payload, source };
  const text = document?.text ?? given.text;
  return {
    ...(skipped === undefined ? {} : { skipped: { reason: skipped.reason, message: skipped.message } }),
    ...(text === undefined ? {} : { text }),
    source,
  };
}
