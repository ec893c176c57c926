import type { JsonObject } from "../json/json-value.ts";
import type { DigestPayload } from "./digest-payload.ts";
import { ResponseError } from "./response-error.ts";
import { DIGEST_CONTENT_TYPE } from "./wire-names.ts";

/** The seeds' rule of thumb: four characters per token. */
const CHARS_PER_TOKEN = 4;

/** A document as research tools return it, digested or not. */
export interface Source {
  readonly id: string;
  readonly title?: string;
  readonly url?: string;
  readonly content_type: string;
  readonly content: string;
}

/** A quote, and its place in the document. */
export interface Citation {
  readonly text: string;
  readonly locator: string;
}

/** A digest, ready for a model. It is a summary already: do not summarise it again. */
export interface ReadDigest {
  readonly kind: "digest";
  readonly context: string;
  readonly highlights: readonly string[];
  readonly citations: readonly Citation[];
  readonly estimatedTokens: number;
  readonly payload: DigestPayload;
}

/** Any other content, as it is. */
export interface ReadText {
  readonly kind: "content";
  readonly content: string;
}

/** True for a source whose content is a digest of a document, not the document. */
export function isDigest(source: { readonly content_type?: unknown }): boolean {
  return source.content_type === DIGEST_CONTENT_TYPE;
}

interface Issue {
  readonly path: string;
  readonly message: string;
}

function invalidDigest({ id }: Source, issues: readonly Issue[], cause?: unknown): ResponseError {
  const says = issues.slice(0, 1).map(({ path, message }) => `${path} ${message}`.trim());
  return new ResponseError(
    {
      message: `The digest of ${id} is invalid: ${says.join()}`,
      code: "INVALID_DIGEST",
      type: "internal",
      remediation: "Ask for the document itself, or have it digested again.",
      details: { source_id: id, issues: issues.map((issue): JsonObject => ({ ...issue })) },
    },
    {},
    cause === undefined ? undefined : { cause },
  );
}

function parse(source: Source): unknown {
  try {
    return JSON.parse(source.content);
  } catch (error) {
    throw invalidDigest(source, [{ path: "", message: "is no JSON" }], error);
  }
}

/**
 * What a source gives a model to read: a digest's summary, points and quotes, or the content as it is. An invalid
 * digest is a ResponseError with the code INVALID_DIGEST and never passes for a text.
 */
export async function readSource(source: Source): Promise<ReadDigest | ReadText> {
  if (!isDigest(source)) return { kind: "content", content: source.content };
  const json = parse(source);
  // The schema loads Zod, which programs that never read a digest do not need.
  const { digestPayloadSchema, fillPayload } = await import("./digest-payload.ts");
  const { success, error } = digestPayloadSchema.safeParse(json);
  if (!success) {
    const issues = error.issues.map(({ path, message }) => ({ path: path.map(String).join("."), message }));
    throw invalidDigest(source, issues);
  }
  const payload = fillPayload(json as object);
  return {
    kind: "digest",
    context: payload.summary,
    highlights: payload.key_points,
    citations: payload.evidence_snippets.map(({ text, locator }) => ({ text, locator })),
    estimatedTokens: Math.floor(payload.digest_chars / CHARS_PER_TOKEN),
    payload,
  };
}
